// What a person does with Hotspan on Windows, from the first recording to marks in the editor. It runs in node.exe.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';

const dist = path.join(import.meta.dirname, '../../dist');
const folder = path.join(mkdtempSync(path.join(tmpdir(), 'hotspan-')), 'Läden 1');
const files = {
  'package.json': '{ "name": "shop", "scripts": { "test": "node --test", "serve": "node server.js" } }',
  'cart.js': `
function work(steps) { let sum = 0; for (let i = 0; i < steps; i++) sum += Math.sqrt(i); return sum; }
exports.total = function total() { return work(6e7); };
`,
  'cart.test.js': `
const { test } = require('node:test');
const { total } = require('./cart.js');
for (const name of ['adds', 'adds again', 'adds more']) test(name, () => { total(); });
`,
  'server.js': 'console.log(process.pid); setTimeout(() => {}, 20_000);',
  'threads.js': `
const { Worker, isMainThread } = require('node:worker_threads');
if (isMainThread) new Worker(__filename); else require('./cart.js').total();
`,
};
mkdirSync(folder);
for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
after(() => rmSync(path.dirname(folder), { recursive: true, force: true, maxRetries: 10 }));

function hotspan(...words) {
  const args = [path.join(dist, 'cli.cjs'), ...words];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: folder,
    env: { ...process.env, NODE_TEST_CONTEXT: undefined },
    encoding: 'utf8',
  });
  return { status, said: `${stdout}${stderr}` };
}

/** Also what a busy machine leaves in doubt. */
const hotspotsOf = (recording) => hotspan('analyze', recording, '--all').said;
const hotLine = /m?s worst · 3 × >10 ms · 1 stack +work +cart\.js:2\n/;

test('a recording of node --test, in a folder with a space and an umlaut, shows the hot line', () => {
  const { status, said } = hotspan('record', '--out', 'first', '--', 'node', '--test');
  console.log(said);
  assert.equal(status, 0);
  assert.match(hotspotsOf('first'), hotLine);
});

test('npm test is recorded through npm.cmd and cmd.exe', () => {
  const { status, said } = hotspan('record', '--out', 'npm', '--', 'npm', 'test');
  assert.equal(status, 0, said);
  assert.match(hotspotsOf('npm'), hotLine);
});

test('a worker thread is recorded', () => {
  const { status, said } = hotspan('record', '--out', 'threads', '--', 'node', 'threads.js');
  assert.equal(status, 0, said);
  assert.match(hotspotsOf('threads'), /work +cart\.js:2\n/);
});

/** Interrupts a recording of a server; gives what is said until its end, and whether the server still runs. */
async function interrupted(out, ...command) {
  const args = [path.join(dist, 'cli.cjs'), 'record', '--out', out, '--', ...command];
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (piece) => (said += piece));
  let printed = '';
  while (!/^\d+\s*$/m.test(printed)) printed += String(await once(child.stdout, 'data'));
  child.send('hotspan:interrupt');
  await once(child, 'exit');
  return { said, isRunning: endIfRunning(Number(/^\d+/m.exec(printed))) };
}

/** Whether it ran. */
function endIfRunning(pid) {
  try {
    process.kill(pid, 0);
    return process.kill(pid);
  } catch {
    return false;
  }
}

test('a command line that is interrupted ends its program, and then in order', async () => {
  const { said, isRunning } = await interrupted('stopped', 'node', 'server.js');
  assert.match(said, /stopped holds no CPU profile/);
  assert.equal(isRunning, false);
});

test('one that runs npm ends what npm has started', async () => {
  const { isRunning } = await interrupted('stopped too', 'npm', 'run', '--silent', 'serve');
  assert.equal(isRunning, false);
});

test('the step of the CPU clock is in the recording', () => {
  const turns = readdirSync(path.join(folder, 'first')).filter((name) => name.endsWith('.turns.jsonl'));
  const text = turns.map((name) => readFileSync(path.join(folder, 'first', name), 'utf8')).join('');
  assert.match(text, /\["clock",(10000|15625)\]/);
});

test('a budget has paths below the project, and the recording is within it', () => {
  assert.equal(hotspan('check', '--update', 'first').status, 0);
  const { functions } = JSON.parse(readFileSync(path.join(folder, 'hotspan.budget.json'), 'utf8'));
  assert.deepEqual(Object.keys(functions), ['cart.js#work']);
  const { said } = hotspan('check', 'first');
  assert.match(said, /work +cart\.js:2/);
  assert.doesNotMatch(said, /over budget \(/);
});

const url = pathToFileURL(folder).href;
for (const root of [url, url.replace(/^file:\/\/\/(\w):/, (_, drive) => `file:///${drive.toLowerCase()}%3A`)]) {
  test(`the language server has lenses and marks for ${root.slice(0, 13)}…`, async () => {
    const server = languageServer();
    await server.ask('initialize', {
      processId: null,
      rootUri: root,
      capabilities: {},
      workspaceFolders: [{ uri: root, name: 'shop' }],
    });
    server.tell('initialized', {});
    const uri = `${root}/cart.js`;
    server.tell('textDocument/didOpen', {
      textDocument: { uri, languageId: 'javascript', version: 1, text: files['cart.js'] },
    });
    const shownAs = { target: 'npm test', isOurs: false, shownAt: 1 };
    const options = { thresholdUs: 10_000, testPatterns: [] };
    const recording = path.join(folder, 'first');
    const { summary } = await server.ask('hotspan/open', { recording, more: [], shownAs, options });
    assert.equal(summary.worst.place, 'cart.js:2');
    const lenses = await server.ask('textDocument/codeLens', { textDocument: { uri } });
    assert.deepEqual([...new Set(lenses.map(({ range }) => range.start.line))], [1]);
    const { marks } = await server.ask('hotspan/fileMarks', { uri });
    assert.deepEqual(
      marks.map(({ line }) => line),
      [1],
    );
    server.end();
  });
}

/** The server as an editor starts it: a child that speaks JSON-RPC over pipes. */
function languageServer() {
  const child = spawn(process.execPath, [path.join(dist, 'server.cjs'), '--stdio'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const waiting = new Map();
  let bytes = Buffer.alloc(0);
  child.stdout.on('data', (chunk) => {
    bytes = Buffer.concat([bytes, chunk]);
    for (;;) {
      const [head, length] = /^Content-Length: (\d+)\r\n(?:[^\r\n]+\r\n)*\r\n/.exec(bytes.toString('latin1')) ?? [];
      if (head === undefined || bytes.length < head.length + Number(length)) return;
      const message = JSON.parse(bytes.subarray(head.length, head.length + Number(length)).toString());
      bytes = bytes.subarray(head.length + Number(length));
      if (message.method === undefined) waiting.get(message.id)?.(message);
    }
  });
  const send = (message) => {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message });
    child.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  };
  return {
    ask: async (method, params) => {
      const id = waiting.size + 1;
      const answer = new Promise((resolve) => {
        waiting.set(id, resolve);
      });
      send({ id, method, params });
      const { result, error } = await answer;
      return error === undefined ? result : assert.fail(error.message);
    },
    tell: (method, params) => send({ method, params }),
    end: () => child.kill(),
  };
}
