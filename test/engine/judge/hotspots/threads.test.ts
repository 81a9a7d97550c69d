import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertEach } from '../../../helpers/assert-each.ts';
import { hotspotsIn, hotspotsOf, ms, startLine } from '../../../helpers/drawn-hotspots.ts';
import { drawProfile } from '../../../helpers/drawn-profile.ts';

test("the program's own worker blocks nobody: its functions have time, but no worst, no count, no culprit", async () => {
  const { fn, operations, analysis, report } = await hotspotsOf('parse parse parse', {
    worker: 'background',
    turns: [[0, 3]],
  });
  const { worstUs, longCount, culprit, totalUs } = fn('parse');
  assert.deepEqual(
    { worstUs, longCount, culprit, totalUs },
    { worstUs: ms(0), longCount: 0, culprit: null, totalUs: ms(3) },
  );
  assert.equal(operations.length, 1);
  assert.equal(analysis.figures[0]?.backgroundCulprit?.worst, ms(3));
  assert.deepEqual(report.lines, []);
  assert.equal(report.recording.files[0]?.threadKind, 'background');
});

test("a worker of the runner's pool is waited for", async () => {
  const { worst } = await hotspotsOf('parse parse parse', { worker: 'pool', turns: [[0, 3]] });
  assert.equal(worst('parse'), ms(3));
});

test("a task pool is waited for where a test runner works in it, else it is the program's", async () => {
  const thread = async (drawing: string): Promise<unknown> =>
    (await hotspotsOf(drawing, { worker: 'pool', turns: [[0, 3]] })).report.recording.files[0]?.threadKind;
  assert.equal(await thread('piscina#run parse parse'), 'background');
  assert.equal(await thread('jest-worker#run terser#minify parse'), 'background');
  assert.equal(await thread('jest-worker#run jest-runtime#require parse'), 'pool');
  const child = async (drawing: string, script: string): Promise<unknown> => {
    const { report } = await hotspotsIn({
      '/rec/recording.json': '{"cwd":"/app"}',
      '/rec/events.jsonl': startLine('7-0-x', ['node', `/app/node_modules/.pnpm/a@1/node_modules/${script}`]),
      '/rec/7-0-x.0.cpuprofile': JSON.stringify(drawProfile(drawing)),
    });
    return report.recording.files[0]?.threadKind;
  };
  assert.equal(await child('workerpool#run parse', 'workerpool/src/worker.js'), 'background');
  assert.equal(await child('workerpool#run mocha#run', 'workerpool/src/worker.js'), 'main');
  assert.equal(await child('workerpool#run parse', 'mocha/bin/mocha.js'), 'main');
});

test("what a function does in the program's worker adds nothing to what it does where somebody waits", async () => {
  const { fn, analysis, operations, report } = await hotspotsIn({
    '/rec/recording.json': '{"cwd":"/app"}',
    '/rec/events.jsonl': '{"type":"worker","pid":7,"threadId":1,"kind":"background"}\n',
    '/rec/7-0-x.0.cpuprofile': onOneLine('parse parse parse'),
    '/rec/7-1-x.0.cpuprofile': onOneLine(`
      render render render render render render (idle) parse parse parse parse
      parse  parse  parse  parse  parse  parse  .      .     .     .     .
    `),
  });
  const { worstUs, worstWarmUs, longCount, distinctStacks, presences, totalUs, culprit } = fn('parse');
  assert.deepEqual([worstUs, worstWarmUs, longCount, distinctStacks, totalUs], [ms(3), ms(0), 1, 1, ms(13)]);
  assert.deepEqual(presences, { fast: 0, medium: 1, slow: 0, verySlow: 0, monster: 0 });
  assert.deepEqual([culprit?.worstUs, culprit?.longCount, culprit?.distinctStacks], [ms(3), 1, 1]);
  assert.equal(operations.length, 3);
  const { backgroundCulprit } = analysis.figures.find(({ culprit: found }) => found !== null) ?? assert.fail();
  assert.deepEqual([backgroundCulprit?.worst, backgroundCulprit?.longCount], [ms(6), 2]);
  assertEach(report.lines, (line) => [line.worstUs, line.longCount], [[ms(3), 1]]);
  const grey = analysis.lines.filter(({ background }) => background);
  assertEach(grey, ({ worst, longCount }) => [worst, longCount], [[ms(6), 2]]);
});

/** A drawn profile whose samples in `parse` are all on one line of it. */
function onOneLine(drawing: string): string {
  const profile = drawProfile(drawing);
  const nodes = profile.nodes.map((node) =>
    node.callFrame.functionName === 'parse' ? { ...node, positionTicks: [{ line: 900, ticks: 1 }] } : node,
  );
  return JSON.stringify({ ...profile, nodes });
}
