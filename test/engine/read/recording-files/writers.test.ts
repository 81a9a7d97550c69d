import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { reportOf } from '../../../../show/report/report.ts';
import { drawProfile } from '../../../helpers/drawn-profile.ts';
import { ms } from '../../../helpers/drawn-hotspots.ts';
import { memoryWorld } from '../../../helpers/memory-world.ts';
import { analyzedIn } from '../../../helpers/analyzed.ts';

const drawn = drawProfile(`
  handler handler handler (idle) handler handler
  parse   render  (gc)    .      parse   parse
`);
const { nodes, ...rest } = drawn;

/** The same profile as its writers write it. Shapes: Node 16–26, Chromium 156, vscode-js-debug 1.49, Deno 2.9. */
const writers: Readonly<Record<string, string | Uint8Array>> = {
  'node --cpu-prof': JSON.stringify(drawn),
  'node --cpu-prof, gzipped': gzipSync(JSON.stringify(drawn)),
  'Chrome DevTools': JSON.stringify({
    nodes: nodes.map((node) => ({ ...node, positionTicks: [{ line: 1, ticks: 1 }], deoptReason: 'wrong map' })),
    ...rest,
  }),
  'an event of a trace': JSON.stringify({
    nodes: nodes.map(({ id, callFrame }) => {
      const parent = nodes.find(({ children }) => children.includes(id))?.id;
      return { id, callFrame: { ...callFrame, codeType: 'JS' }, ...(parent === undefined ? {} : { parent }) };
    }),
    ...rest,
  }),
  "VS Code's debugger": JSON.stringify({
    ...rest,
    nodes: nodes.map((node, locationId) => ({ ...node, locationId })),
    $vscode: { rootPath: '/app', locations: nodes.map(({ callFrame }) => ({ callFrame, locations: [] })) },
  }),
  Deno: JSON.stringify(
    {
      nodes: nodes.map((node) => ({
        ...node,
        positionTicks: [
          { line: 1, ticks: 1 },
          { line: 1, ticks: 2 },
        ],
      })),
      ...rest,
    },
    null,
    2,
  ),
  'a tool that puts a mark before it': `\uFEFF${JSON.stringify(drawn)}\r\n`,
  'a tool that knows more': JSON.stringify({ title: 'x', ...rest, _meta: { a: [{}] }, nodes: nodes.toReversed() }),
};

for (const [writer, content] of Object.entries(writers)) {
  test(`a profile of ${writer} has the same figures`, async () => {
    assert.deepEqual(await figuresOf(content), [
      ['handler', ms(5), ms(0), ms(3), 2],
      ['render', ms(2), ms(2), ms(2), 1],
      ['parse', ms(3), ms(3), ms(2), 1],
    ]);
  });
}

/** Name, total, self, worst, number of operations over 1.5 ms. */
async function figuresOf(content: string | Uint8Array): Promise<readonly unknown[]> {
  const world = memoryWorld({ '/rec/a.cpuprofile': content });
  const result = await analyzedIn(world, { thresholdUs: ms(1.5) });
  return reportOf(result.analysis, 'all').functions.map(({ name, totalUs, selfUs, worstUs, longCount }) => {
    return [name, totalUs, selfUs, worstUs, longCount];
  });
}
