import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { FromThread, ToThread } from '../../cli/commands/reading-thread.ts';
import { readTextsFile } from '../../protocol/recording.ts';
import { projectFile } from '../helpers/project.ts';
import { copyFixture } from '../helpers/recording-fixtures.ts';

test('a thread that has read a recording ahead prints the same table, and has left the recording as it was', async () => {
  const { project: cwd, recording: directory } = copyFixture('shop/first');
  const list: ToThread = { type: 'list', directory, cwd, isTerminal: false, columns: 100 };
  const files = readdirSync(directory);
  assert.ok(!files.includes(readTextsFile), 'the first reader keeps texts');
  const ahead = await said([{ type: 'readAhead', directory, cwd }]);
  assert.deepEqual(ahead, [{ type: 'done' }]);
  assert.deepEqual(readdirSync(directory), files);
  const both = await said([{ type: 'readAhead', directory, cwd }, list]);
  const alone = await said([list]);
  assert.deepEqual(both.slice(1), alone);
  assert.match(JSON.stringify(alone), /snapshot/);
});

test('a thread that has read ahead, or still does, keeps no command alive', () => {
  const { project: cwd, recording } = copyFixture('shop/first');
  const module = pathToFileURL(projectFile('cli/commands/reading-thread.ts')).href;
  const text = `import { ReadingThread } from ${JSON.stringify(module)};
    const thread = new ReadingThread(${JSON.stringify(projectFile('dist'))}, ${JSON.stringify(cwd)}, () => true);
    thread.look(${JSON.stringify(recording)});`;
  const ended = spawnSync(process.execPath, ['--input-type=module', '--eval', text], { timeout: 60_000 });
  assert.equal(ended.status, 0, String(ended.stderr));
});

/** What a new thread says to each question, after the answer to the one before. It ends by itself after a table. */
async function said(questions: readonly ToThread[]): Promise<readonly FromThread[]> {
  const worker = new Worker(projectFile('dist/thread.cjs'));
  const answers: FromThread[] = [];
  const ended = once(worker, 'exit');
  worker.on('message', (answer: FromThread) => void answers.push(answer));
  for (const question of questions) {
    worker.postMessage(question, []);
    do await once(worker, 'message');
    while (answers.at(-1)?.type === 'text');
  }
  if (questions.at(-1)?.type === 'list') await ended;
  else await worker.terminate();
  return answers;
}
