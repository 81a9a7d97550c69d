import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import { projectFile } from '../../helpers/project.ts';
import { runCli } from '../../helpers/run-cli.ts';
import { temporaryProject } from '../../helpers/temporary-project.ts';

const folder = temporaryProject({
  'package.json': '{}',
  'app.js': `const { pbkdf2Sync } = require('node:crypto');
const { Worker, isMainThread } = require('node:worker_threads');
function inMain() { pbkdf2Sync('secret', 'salt', 100_000, 32, 'sha512'); }
function inWorker() { pbkdf2Sync('secret', 'salt', 100_000, 32, 'sha512'); }
setInterval(isMainThread ? () => { inMain(); process.stdout.write('m'); } : () => { inWorker(); process.stdout.write('w'); }, 50);
if (isMainThread) {
  new Worker(__filename);
  require('node:http').createServer((request, response) => { inMain(); response.end(state()); })
    .listen(0, function () { process.stdout.write('[' + this.address().port + ']'); });
}
// What a program could see of a recorder.
function state() {
  const hook = Object.getPrototypeOf(require('node:async_hooks').createHook({}));
  const channels = ['hotspan:loaded', 'http.server.request.start', 'http.server.response.finish', 'http2.server.stream.created'];
  return JSON.stringify({
    hooks: ['enable', 'disable'].map((name) => hook[name].toString()),
    heard: channels.filter((name) => require('node:diagnostics_channel').hasSubscribers(name)),
    listeners: process.eventNames().map((name) => [String(name), process.listenerCount(name)]),
    globals: Object.getOwnPropertyNames(globalThis).filter((name) => name.includes('hotspan')),
    modules: Object.keys(require.cache),
    resources: process.getActiveResourcesInfo().filter((name) => !/TCP|Timeout|Immediate/.test(name)),
    schedules: require('node:fs').readdirSync('/proc/self/fd').filter((fd) => {
      try { return /schedstat/.test(require('node:fs').readlinkSync('/proc/self/fd/' + fd)); } catch { return false; }
    }),
  });
}`,
});
const app = spawn(process.execPath, ['--inspect=127.0.0.1:0', 'app.js'], {
  cwd: folder,
  stdio: ['ignore', 'pipe', 'pipe'],
});
after(() => app.kill('SIGKILL'));
app.stderr.setEncoding('utf8');
app.stdout.setEncoding('utf8');

/** Its port, which it prints. */
const port = once(app.stdout, 'data').then(async (first: readonly unknown[]) => {
  let text = String(first[0]);
  while (!text.includes(']')) text += String((await once(app.stdout, 'data'))[0]);
  return Number(/\[(\d+)\]/.exec(text)?.[1]);
});

/** What the program says of itself in an answer. */
async function stateOfApp(): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${await port}/state`);
  return answer.text();
}

/** Until both threads of the app have worked so often again. */
async function worked(times: number): Promise<void> {
  let [main, worker] = [0, 0];
  while (main < times || worker < times) {
    const answer: readonly unknown[] = await once(app.stdout, 'data');
    const text = String(answer[0]);
    main += text.split('m').length - 1;
    worker += text.split('w').length - 1;
  }
}

/** Where the inspector of a program listens. */
async function inspector(of: Pick<typeof app, 'stderr'>): Promise<string> {
  const answer: readonly unknown[] = await once(of.stderr, 'data');
  return /ws:\/\/\S+/.exec(String(answer[0]))?.[0] ?? assert.fail(String(answer[0]));
}

test('a running process and its workers are profiled until Ctrl+C, and go on as they were', async () => {
  const before = await stateOfApp();
  const args = [projectFile('dist/cli.cjs'), 'record', '--out', 'out', '--attach', await inspector(app)];
  const cli = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  const [said, during]: [string[], string[]] = [[], []];
  cli.stderr.setEncoding('utf8').on('data', (text: string) => {
    said.push(text);
    if (text.includes('Press Ctrl+C'))
      void Promise.all([worked(8), stateOfApp().then((state) => during.push(state))]).then(() => cli.kill('SIGINT'));
  });
  await once(cli, 'close');
  assert.equal(cli.exitCode, 0, said.join(''));
  assert.match(said.join(''), /inlined before counts for the caller/);
  const { stdout } = await runCli(['analyze', '--all', 'out'], { cwd: folder });
  assert.match(stdout, /All hotspots[^]*worst .* inMain {2}app\.js:3[^]*in a worker +inWorker {2}app\.js:4/);
  // Turns are measured in both threads, and requests.
  assert.equal(linesOf('.turns.jsonl').filter((lines) => lines.includes('["turn",')).length, 2);
  assert.match(linesOf('.requests.jsonl').join(''), /"GET","\/state"/);
  assert.doesNotMatch(during[0] ?? '', /"heard":\[\]/);
  assert.deepEqual(JSON.parse(await stateOfApp()), JSON.parse(before));
  assert.equal(readdirSync(path.join(folder, 'out')).filter((name) => name.endsWith('.cpuprofile')).length, 2);
  assert.equal(app.exitCode, null);
});

function linesOf(suffix: string): readonly string[] {
  const names = readdirSync(path.join(folder, 'out')).filter((name) => name.endsWith(suffix));
  return names.map((name) => readFileSync(path.join(folder, 'out', name), 'utf8'));
}

test('where nothing can be attached to, one sentence says what to do', async (t) => {
  const complaint = async (address: string) => (await runCli(['record', '--attach', address], { cwd: folder })).stderr;
  assert.match(await complaint('1'), /No inspector answers at 127\.0\.0\.1:1: start the program with --inspect/);
  assert.match(await complaint('pid:1'), /You have no Node\.js process 1:/);
  assert.match(await complaint('nonsense'), /"nonsense" is not an inspector: give its port/);
  assert.match(await complaint('ws://127.0.0.1:1/x'), /takes no connection/);
  const waiting = spawn(process.execPath, ['--inspect-brk=127.0.0.1:0', 'app.js'], { cwd: folder });
  t.after(() => waiting.kill('SIGKILL'));
  assert.match(await complaint(await inspector(waiting)), /waits for a debugger \(--inspect-brk,/);
});
