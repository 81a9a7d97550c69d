import assert from 'node:assert/strict';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import type { OpenAnswer } from '../../protocol/requests.ts';
import { milliseconds } from '../../protocol/units.ts';
import { Recordings } from '../../language-server/recordings/session.ts';

/** Whatever a test finds, no thread outlives it. */
function recordingsOf(t: TestContext): Recordings {
  const recordings = new Recordings(path.join(import.meta.dirname, 'slow-worker.ts'));
  t.after(() => recordings.clear());
  return recordings;
}

/** `recording`: how many ms it takes to read. */
async function open(recordings: Recordings, recording: string, onProgress = (): void => {}): Promise<OpenAnswer> {
  const options = { thresholdUs: milliseconds(10), testPatterns: [] };
  const params = { recording, annotate: true, target: null, options };
  return recordings.open(params, [], { onProgress, onCancel: () => undefined });
}

const limited = { timeout: 20_000 };
const overtaken: OpenAnswer = { type: 'failed', message: 'Another recording was asked for meanwhile.' };

test('of recordings that are to be annotated the last asked for is, whichever is read first', limited, async (t) => {
  const recordings = recordingsOf(t);
  const [first, second] = await Promise.all([open(recordings, '900'), open(recordings, '10')]);
  assert.deepEqual([first, second.type], [overtaken, 'opened']);
  assert.equal(recordings.annotated?.summary.recording, '10');
});

for (const method of ['forgetAnnotated', 'clear'] as const) {
  test(`what was cleared while a recording was read stays clear (${method})`, limited, async (t) => {
    const recordings = recordingsOf(t);
    const opening = open(recordings, '300');
    recordings[method]();
    assert.deepEqual(await opening, overtaken);
    assert.equal(recordings.annotated, null);
  });
}

test('an answer that was there already when all was cleared is not shown any more', limited, async (t) => {
  const recordings = recordingsOf(t);
  const answer = await open(recordings, '1', () => {
    // Meanwhile the thread answers.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
    recordings.forgetAnnotated();
  });
  assert.deepEqual(answer, overtaken);
  assert.equal(recordings.annotated, null);
});
