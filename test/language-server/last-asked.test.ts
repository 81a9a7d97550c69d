import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import type { OpenAnswer } from '../../protocol/requests.ts';
import { milliseconds } from '../../protocol/units.ts';
import { Recordings } from '../../language-server/recordings/recordings.ts';
import { TimesToRead } from '../../recordings/run-processes.ts';
import { assertEach } from '../helpers/assert-each.ts';
import { temporaryProject } from '../helpers/temporary-project.ts';

/** Whatever a test finds, no thread outlives it. */
function recordingsOf(t: TestContext): Recordings {
  const recordings = new Recordings(path.join(import.meta.dirname, 'slow-worker.ts'));
  t.after(() => recordings.clear());
  return recordings;
}

/** `recording`: ms that it takes to read; after a space its bytes in memory. `target`: null for its flamegraph alone. */
async function open(
  recordings: Recordings,
  recording: string,
  target: string | null = 'tests',
  ms = 10,
  onProgress = (): void => {},
): Promise<OpenAnswer> {
  const options = { thresholdUs: milliseconds(ms), testPatterns: [] };
  const shownAs = target === null ? null : { target, isOurs: false, shownAt: 1 };
  const onCancel = (cancel: () => void): void => void cancels.push(cancel);
  return recordings.open({ recording, more: [], shownAs, options }, [], { onProgress, onCancel });
}

/** Those of all openings. */
const cancels: (() => void)[] = [];
const closed = 'The recording has been closed.';
const overtaken: OpenAnswer = { type: 'overtaken' };

test('of recordings that are to be annotated the last asked for is, whichever is read first', async (t) => {
  const recordings = recordingsOf(t);
  const [first, second] = await Promise.all([open(recordings, '900'), open(recordings, '10')]);
  assert.deepEqual([first, second.type], [overtaken, 'opened']);
  assert.equal(recordings.shown[0]?.summary.recording, '10');
});

test('recordings of two targets are read at once, and both are shown, the newest first', async (t) => {
  const recordings = recordingsOf(t);
  const times = Object.entries({ core: '300', web: '10' });
  const opening = times.map(async ([target, recording]) => open(recordings, recording, target));
  const answers = await Promise.all(opening);
  assertEach(answers, ({ type }) => type, ['opened', 'opened']);
  assert.deepEqual(recordings.shown.map(({ target }) => target).toSorted(), ['core', 'web']);
});

test('a thread that was started ahead of time reads one recording, and others have threads of their own', async (t) => {
  const recordings = recordingsOf(t);
  recordings.prepare();
  recordings.prepare();
  const answers = await Promise.all(['core', 'web'].map(async (target) => open(recordings, '10', target)));
  assertEach(answers, ({ type }) => type, ['opened', 'opened']);
});

test('a recording is opened by the thread that has read it ahead, and another recording is not', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const recordings = recordingsOf(t);
  const opened = async (recording: string): Promise<string | undefined> => {
    const times = new TimesToRead(() => true);
    const options = { thresholdUs: milliseconds(10), testPatterns: [] };
    recordings.prepare({ recording: '10', roots: [], options }, times);
    t.mock.timers.tick(1000);
    while (times.isReading) await new Promise(setImmediate);
    const answer = await open(recordings, recording);
    return answer.type === 'opened' ? answer.summary.title : answer.type;
  };
  assert.equal(await opened('10'), 'read ahead');
  assert.equal(await opened('11'), '');
});

test('the oldest results are left out where all together take too much memory, and the answer says which', async (t) => {
  const recordings = recordingsOf(t);
  const large = String(700e6 + 1);
  const all: OpenAnswer[] = [];
  for (const target of ['a', 'b', 'c']) all.push(await open(recordings, `${target} ${large}`, target));
  assertEach(all, (answer) => (answer.type === 'opened' ? answer.dropped : answer), [[], [], ['a']]);
  assertEach(recordings.shown, ({ target }) => target, ['c', 'b']);
});

for (const method of ['forget', 'clear'] as const) {
  test(`what was cleared while a recording was read stays clear (${method})`, async (t) => {
    const recordings = recordingsOf(t);
    const opening = open(recordings, '300');
    recordings[method](null);
    assert.deepEqual(await opening, overtaken);
    assert.deepEqual(recordings.shown, []);
  });
}

test('an answer that was there already when all was cleared, or it was cancelled, is not shown any more', async (t) => {
  const recordings = recordingsOf(t);
  const answer = async (end: () => void): Promise<OpenAnswer> =>
    open(recordings, '1', 'tests', 10, () => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300); // Meanwhile the thread answers.
      end();
    });
  assert.deepEqual(await answer(() => recordings.forget(null)), overtaken);
  assert.deepEqual(await answer(() => cancels.at(-1)?.()), { type: 'failed', message: closed });
  assert.deepEqual(recordings.shown, []);
});

test('a cancel that comes too late ends nothing, and a thread that ends fails its own result alone', async (t) => {
  const recordings = recordingsOf(t);
  const answers = async (ofFirst: 'waits' | 'verdict') =>
    recordings.ofShown(async ({ target }) => recordings.ask(target, target === '1' ? ofFirst : 'waits', null));
  for (const target of ['1', '2']) await open(recordings, target, target);
  for (const cancel of cancels) cancel();
  assert.deepEqual(await answers('waits'), [[], []]);
  assert.deepEqual(await answers('verdict'), [[]]);
  await assert.rejects(recordings.ask('1', 'waits', null), { message: closed });
  await open(recordings, '1', null);
  assert.deepEqual(await answers('waits'), [[], []]);
});

test('what is open for its flamegraph alone is read again once its file or the threshold is another', async (t) => {
  const recordings = recordingsOf(t);
  const file = path.join(temporaryProject({ '1.cpuprofile': '{}' }), '1.cpuprofile');
  const stamps = new Set<string | undefined>();
  const threadAt = async (ms: number, target: string | null = null) => {
    const answer = await open(recordings, file, target, ms);
    if (answer.type === 'opened') stamps.add(answer.summary.written);
    return recordings.opened(file)?.process;
  };
  const first = await threadAt(10);
  assert.equal(await threadAt(10), first);
  await writeFile(file, '{ }');
  const [second, third] = [await threadAt(10), await threadAt(20)];
  assert.equal(new Set([undefined, first, second, third]).size, 4);
  assert.equal(stamps.size, 2, 'its page starts at the top once it was written again');
  await rm(file);
  assert.equal(await threadAt(20), third, 'what is gone is not another');
  const shown = await threadAt(10, 'tests');
  assert.equal(await threadAt(20), shown, 'a result is read again by the one who shows it');
});
