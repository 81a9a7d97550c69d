import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, test } from 'node:test';
import type { ExtensionContext, LogOutputChannel } from 'vscode';
import type { Client, ClientOptions } from '../../extension/results/client.ts';
import type { ShownPaths } from '../../extension/ui/settings.ts';
import { fileMarksRequest, openRequest, questionMethod, type Request } from '../../protocol/requests.ts';
import { milliseconds } from '../../protocol/units.ts';
import { fakeVscode } from '../helpers/fake-vscode.ts';
import { fake } from '../helpers/fake-vscode-module.ts';
import { is, waiting } from '../helpers/late-services.ts';

fakeVscode();
const { Server } = await import('../../extension/results/server.ts');
const { Results } = await import('../../extension/results/results.ts');

interface Question {
  readonly method: string;
  readonly params: unknown;
  readonly answer: (answer: unknown) => void;
}

/** A process of the server: what it is asked, and its end. */
interface Process {
  readonly asked: Question[];
  readonly kill: () => void;
}

/** A server whose processes answer and end when the test says so, and start as soon as `ready` says so. */
function serverOfProcesses(ready: (number: number) => Promise<void> = async () => undefined) {
  const processes: Process[] = [];
  const start = async ({ onDidEnd }: ClientOptions): Promise<Client> => {
    const asked: Question[] = [];
    const reject: ((error: Error) => void)[] = [];
    const ask = async (request: Request<unknown, unknown>, params: unknown): Promise<unknown> =>
      new Promise((resolve, fail) => {
        asked.push({ method: request.method, params, answer: resolve });
        reject.push(fail);
      });
    const kill = (): void => {
      for (const fail of reject.splice(0)) fail(new Error('Pending response rejected since connection got disposed'));
      onDidEnd();
    };
    processes.push({ asked, kill });
    await ready(processes.length - 1);
    const client = { ask, stop: async () => undefined };
    assert.ok(is<Client>(client));
    return client;
  };
  const context = { asAbsolutePath: (file: string) => file };
  const log = { error: () => undefined, warn: () => undefined };
  const shown = { has: () => true };
  assert.ok(is<ExtensionContext>(context) && is<LogOutputChannel>(log) && is<ShownPaths>(shown));
  const server = new Server(context, log, shown, start);
  /** The first question of a kind that a process was asked, once it has come. */
  const question = async (number: number, { method }: Pick<Question, 'method'>): Promise<Question> => {
    for (let wait = 0; wait < 1_000; wait += 1) {
      const found = processes[number]?.asked.find((one) => one.method === method);
      if (found !== undefined) return found;
      await turn();
    }
    return assert.fail(`process ${number} was not asked ${method}`);
  };
  return { server, log, processes, question };
}

const reading = (recording: string, isShown = true) => ({
  ...{ recording, more: [], shownAs: isShown ? { target: recording, isOurs: false, shownAt: 1 } : null },
  options: { thresholdUs: milliseconds(10), testPatterns: [] },
});
const opened = (recording: string) => ({
  type: 'opened',
  dropped: [],
  summary: { recording, more: [], title: 'npm test', where: '', warnings: [], findingCount: 0, hotspotCount: 1 },
});

/** A workspace in which all recordings are of one target, and nothing is kept. */
function keptInNoFile(): ConstructorParameters<typeof Results>[2] {
  const kept = {
    onDidChange: () => ({ dispose: () => undefined }),
    resultOf: (recordings: readonly string[], shownAt: number) => ({
      target: 'tests',
      isOurs: true,
      shownAt,
      recordings,
    }),
    keep: async () => true,
  };
  assert.ok(is<ConstructorParameters<typeof Results>[2]>(kept));
  return kept;
}

/** A server whose first process has read this recording, which is on screen. */
async function serverThatShows(recording: string) {
  const { log, ...all } = serverOfProcesses();
  const results = new Results(all.server, log, keptInNoFile());
  const shown = results.open(recording);
  (await all.question(0, openRequest)).answer(opened(recording));
  await shown;
  return { ...all, results };
}

/** What would come has come. */
async function settled(): Promise<void> {
  for (let wait = 0; wait < 20; wait += 1) await turn();
}

const marksOf = { uri: 'file:///a.js' };
const one = { marks: [], more: 1 };

afterEach(() => {
  fake.errors.length = 0;
  fake.choice = async () => undefined;
});

test('a question whose server ends before the answer is asked again of the next one', async () => {
  const { server, processes, question } = serverOfProcesses();
  const answer = server.ask(openRequest, reading('/run'));
  await question(0, openRequest);
  processes[0]?.kill();
  (await question(1, openRequest)).answer(opened('/run'));
  assert.equal((await answer).type, 'opened');
  assert.deepEqual(fake.errors, []);
});

test('marks are asked of a new server only when it has read what is on screen', async () => {
  const { server, results, processes, question } = await serverThatShows('/run');
  processes[0]?.kill();
  const marks = server.ask(fileMarksRequest, marksOf);
  const again = await question(1, openRequest);
  await settled();
  assert.equal(processes[1]?.asked.length, 1);
  again.answer(opened('/run'));
  (await question(1, fileMarksRequest)).answer(one);
  assert.deepEqual(await marks, one);
  assert.equal(results.summary?.recording, '/run');
});

test('a run that is being read when the server ends is shown, and not the one before', async () => {
  const { results, processes, question } = await serverThatShows('/before');
  const now = results.open('/now');
  await turn();
  processes[0]?.kill();
  const again = await question(1, openRequest);
  again.answer(opened('/now'));
  assert.equal((await now)?.recording, '/now');
  await settled();
  assert.equal(results.summary?.recording, '/now');
  assert.equal(processes[1]?.asked.length, 1);
});

test('a view goes on asking in a new server, which reads its recording first', async () => {
  const { server, processes, question } = serverOfProcesses();
  const first = server.ask(openRequest, reading('/shown', false));
  (await question(0, openRequest)).answer(opened('/shown'));
  await first;
  processes[0]?.kill();
  const waits = server.about('/shown', 'waits', null);
  (await question(1, openRequest)).answer(opened('/shown'));
  (await question(1, { method: questionMethod })).answer([]);
  assert.deepEqual(await waits, []);
});

test('after five ends one sentence is said, and its button starts the server again', async () => {
  const { server, processes, question } = serverOfProcesses();
  const read = waiting();
  fake.choice = async () => read.over.then(() => 'Start Again');
  server.prepare();
  for (let number = 0; number < 5; number += 1) {
    while (processes.length <= number) await turn();
    await turn();
    assert.deepEqual(fake.errors, []);
    processes[number]?.kill();
  }
  await turn();
  assert.equal(processes.length, 5);
  assert.equal(fake.errors.length, 1);
  assert.match(fake.errors[0] ?? '', /^Hotspan’s language server has ended five times within three minutes, so/);
  await assert.rejects(server.ask(fileMarksRequest, marksOf), /ended five times/);
  assert.equal(fake.errors.length, 1);
  read.end();
  while (processes.length < 6) await turn();
  const marks = server.ask(fileMarksRequest, marksOf);
  (await question(5, fileMarksRequest)).answer(one);
  assert.deepEqual(await marks, one);
});

test('a fifth server that ends just as it is started brings no sixth', async () => {
  const start = waiting();
  const { server, log, processes, question } = serverOfProcesses(async (number) =>
    number === 4 ? start.over : undefined,
  );
  const results = new Results(server, log, keptInNoFile());
  const shown = results.open('/run');
  (await question(0, openRequest)).answer(opened('/run'));
  await shown;
  for (let number = 0; number < 5; number += 1) {
    while (processes.length <= number) await turn();
    processes[number]?.kill();
  }
  start.end();
  await settled();
  assert.equal(fake.errors.length, 1);
  assert.equal(processes.length, 5);
  await assert.rejects(server.ask(fileMarksRequest, marksOf), /ended five times/);
  assert.equal(results.summary?.recording, '/run');
});

test('what ends each server that reads it is asked no third time', async () => {
  const { server, processes, question } = serverOfProcesses();
  const answer = server.ask(openRequest, reading('/huge'));
  for (const number of [0, 1]) {
    await question(number, openRequest);
    processes[number]?.kill();
  }
  await assert.rejects(answer, /ended twice before it had an answer\. It may have needed more memory/);
});

test('a result that a new server cannot read says so, and goes', async () => {
  const { results, processes, question } = await serverThatShows('/run');
  processes[0]?.kill();
  (await question(1, openRequest)).answer({ type: 'failed', message: 'There is nothing at /run.' });
  await settled();
  assert.deepEqual(results.all, []);
  assert.deepEqual(fake.errors, ['The result of npm test is no longer shown: There is nothing at /run.']);
});
