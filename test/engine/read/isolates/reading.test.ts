import assert from 'node:assert/strict';
import { test } from 'node:test';
import { analyze } from '../../../../engine/analyze.ts';
import type { Progress } from '../../../../engine/read/isolates/load-isolates.ts';
import { hotspotsIn, ms } from '../../../helpers/drawn-hotspots.ts';
import { drawProfile } from '../../../helpers/drawn-profile.ts';
import { memoryWorld } from '../../../helpers/memory-world.ts';

const good = JSON.stringify(drawProfile('parse parse parse'));

test('an analysis can be cancelled, and tells how far it is', async () => {
  const cancel = new AbortController();
  const progress: unknown[] = [];
  const result = await analyze(['/rec'], memoryWorld({ '/rec/a.cpuprofile': good, '/rec/b.cpuprofile': good }), {
    thresholdUs: ms(10),
    roots: [],
    sourceMaps: false,
    signal: cancel.signal,
    onProgress: (step) => {
      progress.push(step);
      if (step.done === 1) cancel.abort();
    },
  });
  assert.deepEqual(result, { type: 'failed', failure: { type: 'cancelled' } });
  assert.deepEqual(progress, [
    { done: 0, total: 2, percent: 0 },
    { done: 1, total: 2, percent: 50 },
  ]);
});

test('where sizes are known it tells how far it is within a file', async () => {
  const pieces = async function* (): AsyncGenerator<Uint8Array> {
    for (const letter of good) yield new TextEncoder().encode(letter);
  };
  const world = {
    ...memoryWorld({ '/rec/a.cpuprofile': good }),
    readChunks: async () => pieces(),
    sizeOf: async () => good.length,
  };
  const percents: number[] = [];
  const onProgress = ({ percent }: Progress): void => void percents.push(percent);
  await analyze(['/rec/a.cpuprofile'], world, { thresholdUs: ms(10), roots: [], sourceMaps: false, onProgress });
  assert.deepEqual([percents.slice(0, 3), percents.at(-1)], [[0, 1, 2], 100]);
  assert.ok(percents.length < 105, 'each percent once');
});

for (const behind of ['}', ' x', '\0\0', good]) {
  test(`what stands behind a profile (${JSON.stringify(behind.slice(0, 9))}) is left out, and said`, async () => {
    const { report } = await hotspotsIn({ '/rec/a.cpuprofile': `${good}${behind}` });
    assert.deepEqual(report.functions.length, 1);
    assert.deepEqual(report.warnings, [
      'a.cpuprofile has something after its end that does not belong to it: left out.',
    ]);
  });
}
