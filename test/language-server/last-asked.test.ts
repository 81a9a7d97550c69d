import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import type { OpenAnswer } from '../../protocol/requests.ts';
import { milliseconds } from '../../protocol/units.ts';
import type { OpenControl } from '../../language-server/recordings/analysis-process.ts';
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

/** `recording`: how many ms it takes to read; after a space how much memory it takes, in bytes. */
async function open(
  recordings: Recordings,
  recording: string,
  { target = 'tests', ms = 10, ...control }: Opening = {},
): Promise<OpenAnswer> {
  const options = { thresholdUs: milliseconds(ms), testPatterns: [] };
  const shownAs = target === null ? null : { target, isOurs: false, shownAt: 1 };
  const ignored = { onProgress: () => undefined, onCancel: () => undefined };
  return recordings.open({ recording, more: [], shownAs, options }, [], { ...ignored, ...control });
}

/** `ms`: the threshold. `target`: null for a flamegraph alone. */
interface Opening extends Partial<OpenControl> {
  readonly target?: string | null | undefined;
  readonly ms?: number;
}

const overtaken: OpenAnswer = { type: 'overtaken' };

test('of recordings that are to be annotated the last asked for is, whichever is read first', async (t) => {
  const recordings = recordingsOf(t);
  const [first, second] = await Promise.all([open(recordings, '900'), open(recordings, '10')]);
  assert.deepEqual([first, second.type], [overtaken, 'opened']);
  assert.equal(recordings.shown[0]?.summary.recording, '10');
});

test('recordings of two targets are read at once, and both are shown, the newest first', async (t) => {
  const recordings = recordingsOf(t);
  const opening = [
    ['300', 'core'],
    ['10', 'web'],
  ].map(async ([recording = '', target]) => open(recordings, recording, { target }));
  const answers = await Promise.all(opening);
  assertEach(answers, ({ type }) => type, ['opened', 'opened']);
  assert.deepEqual(recordings.shown.map(({ target }) => target).toSorted(), ['core', 'web']);
});

test('a thread that was started ahead of time reads one recording, and others have threads of their own', async (t) => {
  const recordings = recordingsOf(t);
  recordings.prepare();
  recordings.prepare();
  const answers = await Promise.all(['core', 'web'].map(async (target) => open(recordings, '10', { target })));
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
  for (const target of ['a', 'b', 'c']) all.push(await open(recordings, `${target} ${large}`, { target }));
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
  const answerOf = async (end: (cancel: () => void) => void): Promise<OpenAnswer> => {
    const { cancels, onCancel } = cancelsOf();
    const onProgress = (): void => {
      // Meanwhile the thread answers.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
      for (const cancel of cancels) end(cancel);
    };
    return open(recordings, '1', { onProgress, onCancel });
  };
  assert.deepEqual(await answerOf(() => recordings.forget(null)), overtaken);
  assert.deepEqual(await answerOf((cancel) => cancel()), { type: 'failed', message: closed });
  assert.deepEqual(recordings.shown, []);
});

test('a cancel that comes too late ends nothing, and a thread that ends fails its own result alone', async (t) => {
  const recordings = recordingsOf(t);
  const { cancels, onCancel } = cancelsOf();
  for (const target of ['1', '2']) await open(recordings, target, { target, onCancel });
  for (const cancel of cancels) cancel();
  assert.deepEqual(await recordings.ofShown(async ({ target }) => recordings.ask(target, 'waits', null)), [[], []]);
  const ended = recordings.ofShown(async ({ target }) =>
    recordings.ask(target, target === '1' ? 'verdict' : 'waits', null),
  );
  assert.deepEqual(await ended, [[]]);
  await assert.rejects(recordings.ask('1', 'waits', null), { message: closed });
  assert.equal((await open(recordings, '1', { target: null })).type, 'opened');
  assert.deepEqual(await recordings.ofShown(async ({ target }) => recordings.ask(target, 'waits', null)), [[], []]);
});

test('what is open for its flamegraph alone is read again once its file or the threshold is another', async (t) => {
  const recordings = recordingsOf(t);
  const file = path.join(temporaryProject({ '1.cpuprofile': '{}' }), '1.cpuprofile');
  const process = async (ms: number, target: string | null = null) => {
    assert.equal((await open(recordings, file, { target, ms })).type, 'opened');
    return recordings.opened(file)?.process;
  };
  const first = await process(10);
  assert.equal(await process(10), first);
  await writeFile(file, '{ }');
  const second = await process(10);
  const third = await process(20);
  assert.equal(new Set([first, second, third]).size, 3);
  await rm(file);
  assert.equal(await process(20), third, 'what is gone is not another');
  const shown = await process(10, 'tests');
  assert.equal(await process(20), shown, 'a result is read again by the one who shows it');
});

const closed = 'The recording has been closed.';

function cancelsOf() {
  const cancels: (() => void)[] = [];
  return { cancels, onCancel: (cancel: () => void): void => void cancels.push(cancel) };
}
