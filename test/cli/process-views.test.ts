import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resultView, processViews } from '../../cli/views/result-view.ts';
import { drawProfile } from '../helpers/drawn-profile.ts';
import { hotspotsIn, hotspotsOf } from '../helpers/drawn-hotspots.ts';
import { readSources } from '../../cli/views/shown-code.ts';

const drawn = drawProfile('parse parse (idle) parse');

test('each process and thread is one line, also one without samples', async () => {
  const { analysis } = await hotspotsIn({
    '/rec/CPU.20260101.101010.7.0.001.cpuprofile': JSON.stringify(drawn),
    '/rec/CPU.20260101.101010.7.1.002.cpuprofile': JSON.stringify(drawn),
    '/rec/CPU.20260101.101010.8.0.001.cpuprofile': JSON.stringify({ ...drawn, samples: [], timeDeltas: [] }),
  });
  assert.deepEqual(processViews(analysis), [
    'process 7 · 4 ms · 4 samples · longest operation ≈2 ms',
    'process 7, worker 1 (background) · 4 ms · 4 samples · longest operation ≈2 ms',
    'process 8 · no samples',
  ]);
});

test('a single process needs no word', async () => {
  const { analysis } = await hotspotsOf('parse parse');
  assert.deepEqual(processViews(analysis), []);
});

test('a profile of a page says whose code it is', async () => {
  const page = JSON.stringify(drawn).replaceAll(/"url":"[^"]*\/([^"/]+)"/g, '"url":"http://localhost:3000/$1?v=1"');
  const { analysis } = await hotspotsIn({ '/rec/a.cpuprofile': page });
  const { verdict } = resultView(analysis, { all: false, sources: await readSources([], async () => null, '/app') });
  assert.equal(
    verdict,
    'This profile is of code from http://localhost:3000, which has no file in this project: see --all.',
  );
});
