import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import {
  type AnalysisProcess,
  ReadingAhead,
  startAnalysis,
} from '../../language-server/recordings/analysis-process.ts';
import { milliseconds } from '../../protocol/units.ts';
import { TimesToRead } from '../../recordings/run-processes.ts';
import { projectFile } from '../helpers/project.ts';
import { copyFixture } from '../helpers/recording-fixtures.ts';

/** The built one: of the sources each thread would cost twice the time. */
const workerFile = projectFile('dist/analysis-worker.cjs');
const options = { thresholdUs: milliseconds(10), testPatterns: [] };

/** Opens a recording, and gives what is known of all functions. */
async function openIn(
  process: AnalysisProcess,
  recording: string,
  roots: readonly string[],
  thresholdUs = options.thresholdUs,
) {
  const asked = { recording, more: [], isOurs: true, isShown: true, marked: [], roots };
  const opened = await process.open({ ...asked, options: { ...options, thresholdUs } }, () => {});
  assert.equal(opened.type, 'opened');
  const { bytes: _, ...said } = opened.type === 'opened' ? opened : assert.fail();
  const answer = {
    said,
    verdict: await process.ask('verdict', null),
    files: await process.ask('markedFiles', null),
  };
  process.dispose();
  return answer;
}

test('a recording that was read ahead opens as one that was not, also where it has grown since, or a setting changed', async () => {
  const { project, recording } = copyFixture('shop/first');
  const files = readdirSync(recording);
  const whole = files.filter((name) => name.endsWith('.turns.jsonl')).map((name) => path.join(recording, name));
  const texts = whole.map((file) => readFileSync(file));
  for (const [at, file] of whole.entries()) writeFileSync(file, texts[at]?.subarray(0, texts[at].length / 2) ?? '');
  const [grown, changed] = [startAnalysis(workerFile), startAnalysis(workerFile)];
  const asked = { recording, roots: [project], options };
  for (const process of [grown, changed]) assert.equal(await process.readAhead(asked), null);
  assert.deepEqual(readdirSync(recording), files, 'it has left the recording as it was');
  for (const [at, file] of whole.entries()) writeFileSync(file, texts[at] ?? '');
  const alone = await openIn(startAnalysis(workerFile), recording, [project]);
  assert.match(JSON.stringify(alone), /snapshot/);
  assert.deepEqual(await openIn(grown, recording, [project]), alone);
  const other = await openIn(startAnalysis(workerFile), recording, [project], milliseconds(100));
  assert.deepEqual(await openIn(changed, recording, [project], milliseconds(100)), other);
});

test('a thread reads ahead while a CPU is idle, and is given once, when it does nothing', async (t: TestContext) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const { project, recording } = copyFixture('shop/first');
  const state = { isIdle: false };
  const times = new TimesToRead(() => state.isIdle);
  const ahead = new ReadingAhead(workerFile, { recording, roots: [project], options }, times);
  t.after(() => ahead.dispose());
  t.mock.timers.tick(1000);
  assert.equal(times.isReading, false);
  state.isIdle = true;
  t.mock.timers.tick(1000);
  assert.equal(times.isReading, true);
  while (times.isReading) await new Promise(setImmediate);
  const process = ahead.take() ?? assert.fail('It has read nothing.');
  assert.equal(ahead.take(), null);
  assert.match(JSON.stringify(await openIn(process, recording, [project])), /snapshot/);
});

test('a thread that still reads, or has read nothing, is not given', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const { project, recording } = copyFixture('shop/first');
  const asked = { recording, roots: [project], options };
  assert.equal(new ReadingAhead(workerFile, asked, new TimesToRead(() => true)).take(), null);
  const ahead = new ReadingAhead(workerFile, asked, new TimesToRead(() => true));
  t.mock.timers.tick(1000);
  assert.equal(ahead.take(), null);
});

test('a run is read again when it is twice as long', () => {
  const times = new TimesToRead(() => true, 4000);
  const readAt = [1000, 4000, 7999, 8000, 15_999, 16_000].filter((ms) => {
    const isNow = times.isNow(ms);
    times.ended();
    return isNow;
  });
  assert.deepEqual(readAt, [4000, 8000, 16_000]);
});
