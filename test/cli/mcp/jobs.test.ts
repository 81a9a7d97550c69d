import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { test, type TestContext } from 'node:test';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { Jobs } from '../../../cli/mcp/jobs.ts';
import { ProjectRecordings } from '../../../cli/mcp/project.ts';
import { createServer } from '../../../cli/mcp/serve.ts';
import { projectFile } from '../../helpers/project.ts';
import { wasStopped } from '../../../recordings/recording-folders.ts';
import { isRecord, parseJson } from '../../../protocol/json-value.ts';
import { temporaryProject } from '../../helpers/temporary-project.ts';
import { waitUntil } from '../../helpers/wait-until.ts';

/** In the place of the command line: says its arguments and a pair, and ends only when it is interrupted, on Windows by a message. */
const endless = `
const { writeFileSync } = require('node:fs');
for (const event of ['SIGINT', 'message']) process.on(event, () => { writeFileSync('ended', ''); process.exit(130); });
setInterval(() => {}, 1000);
process.stderr.write('hotspan: ' + process.argv.slice(2).join(' ') + '\\nhotspan: Pair 2 of 5 …\\n');
`;
const files = { 'cli.cjs': endless, 'package.json': '{ "scripts": { "test": "node --test" } }', 'a.test.js': '' };

/** A client of the tools whose job is that script; `timeUp` ends the time of a call. */
async function connected(t: TestContext, mayRun = true) {
  const root = temporaryProject(files);
  const late = new EventTarget();
  const isLate = once(late, 'late');
  const recordings = new ProjectRecordings(root, projectFile('dist/analysis-worker.cjs'));
  const jobs = new Jobs(async () => void (await isLate));
  const served = { root, mayRun, cli: path.join(root, 'cli.cjs'), version: '1', recordings, jobs };
  const [here, there] = InMemoryTransport.createLinkedPair();
  await createServer(served).connect(there);
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(here);
  const timeUp = (): void => void late.dispatchEvent(new Event('late'));
  t.after(async () => {
    await client.close();
    timeUp();
    await jobs.end();
    recordings.close();
  });
  const hasEnded = (): boolean => existsSync(path.join(root, 'ended'));
  return { client, root, jobs, timeUp, hasEnded };
}

type Answer = Awaited<ReturnType<Client['callTool']>>;

function textOf({ content: [first] }: Answer): string {
  return first?.type === 'text' ? first.text : '';
}

/** The object of an answer. */
function answerOf(answer: Answer): Readonly<Record<string, unknown>> {
  const parsed = parseJson(textOf(answer));
  return isRecord(parsed) ? parsed : assert.fail(textOf(answer));
}

const profile = { name: 'profile', arguments: { script: 'test' } };

test('a job that takes long is answered in time, waited for, and ended', async (t) => {
  const { client, timeUp, hasEnded } = await connected(t);
  const said: string[] = [];
  const asked = client.callTool(profile, {
    onprogress: ({ message = '' }) => {
      said.push(message);
      if (message.startsWith('Pair')) timeUp();
    },
  });
  const running = answerOf(await asked);
  assert.match(said[0] ?? '', /^record --out .* -- npm (run )?test$/);
  assert.deepEqual(
    [running['job'], running['pairs'], running['said'], running['next']],
    ['profile test', '2 of 5', 'Pair 2 of 5 …', 'job: it waits for the answer'],
  );
  const second = await client.callTool(profile);
  assert.deepEqual([second.isError, textOf(second)], [true, 'profile test runs, or its answer waits: call job first.']);
  assert.equal(answerOf(await client.callTool({ name: 'job' }))['pairs'], '2 of 5');
  const cancel = { name: 'job', arguments: { cancel: true } };
  assert.equal(answerOf(await client.callTool(cancel))['pairs'], '2 of 5'); // It was asked to stop, and goes on.
  assert.equal(answerOf(await client.callTool(cancel))['said'], 'It was stopped.');
  assert.ok(hasEnded());
  assert.equal(textOf(await client.callTool({ name: 'job' })), 'No job runs: recheck, compare and profile start one.');
});

test('of two jobs that are asked for at once, one runs, which can be waited for at once', async (t) => {
  const { client, timeUp } = await connected(t);
  timeUp();
  const refused = [profile, profile, { name: 'job' }].map(
    async (call) => (await client.callTool(call)).isError ?? false,
  );
  assert.deepEqual(await Promise.all(refused), [false, true, false]);
});

test('a call that the client cancels ends its job, which keeps what it has; one that goes on is interrupted', async (t) => {
  const { client, jobs, hasEnded } = await connected(t);
  const cancelling = new AbortController();
  const said: string[] = [];
  const asked = client.callTool(profile, {
    signal: cancelling.signal,
    onprogress: ({ message = '' }) => (said.push(message) > 1 ? cancelling.abort() : undefined),
  });
  await assert.rejects(asked);
  await waitUntil(async () => wasStopped(/--out (\S+)/.exec(said[0] ?? '')?.[1] ?? ''));
  await client.callTool({ name: 'job', arguments: { cancel: true } });
  assert.equal(jobs.running, null);
  assert.ok(hasEnded());
});

test('a job that is about to begin when the client goes does not begin', async () => {
  const root = temporaryProject(files);
  const jobs = new Jobs(async () => undefined);
  const run = { node: process.execPath, cli: path.join(root, 'cli.cjs'), args: [], cwd: root };
  const starting = jobs.startOne(async () => {
    await jobs.end();
    jobs.start('profile test', run, async () => ({ type: 'failed', message: '' }));
    return null;
  });
  await assert.rejects(starting, /client has gone/);
  assert.equal(jobs.running, null);
});

test('only scripts and test files below the root run, and nothing without --allow-run', async (t) => {
  const { client } = await connected(t);
  for (const [input, why] of [
    [{ script: 'start' }, /No package\.json here has the script "start": there is test\./],
    [{ file: '../outside.test.js' }, /is not a test file below/],
    [{ file: 'cli.cjs' }, /is not a test file below/],
    [{}, /Give a script or a file/],
    [{ script: 'test', file: 'a.test.js' }, /Give a script or a file/],
    [{ script: '--out=/' }, /does not begin with "-"/],
  ] as const) {
    const refused = await client.callTool({ name: 'profile', arguments: input });
    assert.equal(refused.isError, true);
    assert.match(textOf(refused), why);
  }
  const reading = await connected(t, false);
  const { tools } = await reading.client.listTools();
  assert.deepEqual(
    tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint]),
    ['status', 'findings', 'hotspots', 'explain'].map((name) => [name, true]),
  );
  assert.match(textOf(await reading.client.callTool({ name: 'status' })), /^Nothing was recorded here yet/);
});
