import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hotspotsOf, ms } from '../../helpers/drawn-hotspots.ts';

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
