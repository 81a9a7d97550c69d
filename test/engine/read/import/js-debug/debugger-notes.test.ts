import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawProfile } from '../../../../helpers/drawn-profile.ts';
import { hotspotsIn } from '../../../../helpers/drawn-hotspots.ts';
import type { ReportFunction } from '../../../../../protocol/report-code.ts';

const drawn = drawProfile('cart.ts#total cart.ts#total cart.ts#total');
const [ran] = drawn.nodes.flatMap(({ callFrame }) => (callFrame.functionName === 'total' ? [callFrame] : []));

/** As vscode-js-debug writes it: each node has the number of its place, and the places follow at the end. */
function written(sourceReference: number, lineNumber = 42): string {
  const nodes = drawn.nodes.map((node, locationId) => ({ ...node, locationId, positionTicks: [] }));
  const source = { name: 'src/cart.ts', path: '/app/src/cart.ts', sourceReference };
  const locations = [{ callFrame: ran, locations: [{ lineNumber, columnNumber: 17, source }] }];
  return JSON.stringify({ ...drawn, nodes, $vscode: { rootPath: '/app', locations } });
}

async function totalIn(files: Readonly<Record<string, string>>): Promise<ReportFunction> {
  const { fn } = await hotspotsIn(files);
  return fn('total');
}

test('a function that was compiled in memory is where the debugger saw it in the source', async () => {
  const { url, line, column, generated, own } = await totalIn({ '/rec/a.cpuprofile': written(0) });
  assert.deepEqual([url, line, column, own], ['/app/src/cart.ts', 42, 17, true]);
  assert.equal(generated?.url, ran?.url);
});

test('a place that is in no file is none', async () => {
  for (const nowhere of [written(7), written(0, -3), written(0, 0.5), written(0, 2 ** 40)]) {
    const { url, generated } = await totalIn({ '/rec/a.cpuprofile': nowhere });
    assert.deepEqual([url, generated], [ran?.url, undefined]);
  }
});

test('broken notes change nothing', async () => {
  const broken = written(0).replace(/"locations":\[\{"callFrame".*$/, '"locations":{"a":[1]}}}');
  const { url, generated } = await totalIn({ '/rec/a.cpuprofile': broken });
  assert.deepEqual([url, generated], [ran?.url, undefined]);
});
