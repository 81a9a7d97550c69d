import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { FromThread, ToThread } from '../../cli/commands/reading-thread.ts';
import { readTextsFile } from '../../protocol/recording.ts';
import { projectFile } from '../helpers/project.ts';
import { copyFixture } from '../helpers/recording-fixtures.ts';
import { assertEach } from '../helpers/assert-each.ts';

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

test('a thread reads a file again that has grown since it read ahead', async () => {
  const { project: cwd, recording: directory } = copyFixture('shop/first');
  const list: ToThread = { type: 'list', directory, cwd, isTerminal: false, columns: 100 };
  const whole = readdirSync(directory)
    .filter((name) => name.endsWith('.turns.jsonl'))
    .map((name) => ({ file: path.join(directory, name), bytes: readFileSync(path.join(directory, name)) }));
  for (const { file, bytes } of whole) writeFileSync(file, bytes.subarray(0, bytes.length / 2));
  const grow = (): void => {
    for (const { file, bytes } of whole) writeFileSync(file, bytes);
  };
  const [, ...table] = await said([{ type: 'readAhead', directory, cwd }, list], grow);
  assert.deepEqual(table, await said([list]));
});

test('a command ends while a thread reads ahead, and waits for its table', () => {
  const { project: cwd, recording } = copyFixture('shop/first');
  const module = JSON.stringify(pathToFileURL(projectFile('cli/commands/reading-thread.ts')));
  const words = [projectFile('dist'), cwd, recording];
  const [dist, folder, directory] = words.map((word) => JSON.stringify(word));
  // It asks whether a CPU is idle only while the thread does nothing.
  const start = `import { ReadingThread } from ${module}; let asked = 0;
    const thread = new ReadingThread(${dist}, ${folder}, () => ++asked === 1); thread.look(${directory});`;
  const output = `{ write: (text) => process.stdout.write(text), isTerminal: false, columns: 100 }`;
  const list = `const timer = setInterval(() => { thread.look(${directory}); if (asked === 1) return; clearInterval(timer);
    thread.list(${directory}, ${output}).then((found) => console.log(found)); }, 20);`;
  const said = [start, start + list].map((text) =>
    spawnSync(process.execPath, ['--input-type=module', '--eval', text], { timeout: 60_000, encoding: 'utf8' }),
  );
  assertEach(said, ({ status, stderr }) => [status, stderr], [
    [0, ''],
    [0, ''],
  ]);
  assert.match(said[1]?.stdout ?? '', /snapshot[^]*isUnseen: false/);
});

/** What a new thread says to each question, after the answer to the one before, and `between`. It ends after a table. */
async function said(questions: readonly ToThread[], between = (): void => {}): Promise<readonly FromThread[]> {
  const worker = new Worker(projectFile('dist/thread.cjs'));
  const answers: FromThread[] = [];
  const ended = once(worker, 'exit');
  worker.on('message', (answer: FromThread) => void answers.push(answer));
  for (const [number, question] of questions.entries()) {
    if (number > 0) between();
    worker.postMessage(question, []);
    do await once(worker, 'message');
    while (answers.at(-1)?.type === 'text');
  }
  if (questions.at(-1)?.type === 'list') await ended;
  else await worker.terminate();
  return answers;
}
