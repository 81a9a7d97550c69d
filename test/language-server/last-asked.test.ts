import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { Recordings } from '../../language-server/recordings/recordings.ts';
import type { OpenAnswer } from '../../protocol/requests.ts';
import { milliseconds } from '../../protocol/units.ts';

/** `recording`: how many ms it takes to read. */
async function open(recordings: Recordings, recording: string): Promise<OpenAnswer> {
  const options = { thresholdUs: milliseconds(10), testPatterns: [] };
  const params = { recording, annotate: true, target: null, options };
  return recordings.open(params, [], { onProgress: () => undefined, onCancel: () => undefined });
}

test('of recordings that are to be annotated the last asked for is, whichever is read first', async () => {
  const recordings = new Recordings(path.join(import.meta.dirname, 'slow-worker.ts'));
  const answers = await Promise.all([open(recordings, '900'), open(recordings, '10')]);
  assert.deepEqual(
    answers.map(({ type }) => type),
    ['failed', 'opened'],
  );
  assert.equal(recordings.annotated?.summary.recording, '10');
  recordings.clear();
});

test('what was cleared while a recording was read stays clear', async () => {
  const recordings = new Recordings(path.join(import.meta.dirname, 'slow-worker.ts'));
  const opening = open(recordings, '300');
  recordings.forgetAnnotated();
  await opening;
  assert.equal(recordings.annotated, null);
  recordings.clear();
});
