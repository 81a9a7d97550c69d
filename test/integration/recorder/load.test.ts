import assert from 'node:assert/strict';
import { cpSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { after, test } from 'node:test';
import { freePort } from '../../helpers/free-port.ts';
import { parseReport, reportOf } from '../../helpers/report-schema.ts';
import { runCli } from '../../helpers/run-cli.ts';
import { work } from '../../helpers/blocking-shop.ts';
import { Repository } from '../../helpers/temporary-repository.ts';
import { temporaryProject } from '../../helpers/temporary-project.ts';
import { waitUntil } from '../../helpers/wait-until.ts';
import { requestStop } from '../../../recordings/recording-folders.ts';

const port = await freePort();
const folder = temporaryProject({
  'server.js': `const { createServer } = require('node:http');
    const { pbkdf2Sync } = require('node:crypto');
    createServer((request, response) => {
      const chunks = [];
      request.on('data', (chunk) => chunks.push(chunk)).on('end', () => {
        pbkdf2Sync('secret', 'salt', 60_000, 32, 'sha512');
        const isRight = request.method === 'POST' && request.headers.x === 'hunter2' && String(chunks) === '{"a":1}';
        response.writeHead(isRight || request.url === '/' ? 200 : 400).end();
      });
    }).listen(${port});
    console.log(process.env.HOTSPAN_DIR === undefined ? 'plain' : 'recorded');`,
  'package.json': '{ "scripts": { "start": "node server.js" } }',
  'requests.http': `@host = http://localhost:${port}
### home
GET {{host}}/

### order
POST {{host}}/orders?token={{$processEnv TOKEN}}
X: hunter2

{"a":1}

###
GET {{host}}/orders/{{id}}
`,
});
const load = `-c 2 -a 12 -m POST -H "x: hunter2" -b '{"a":1}' /orders?token=1`;
const underLoad = async (...command: readonly string[]) =>
  runCli(['record', '--out', 'out', '--after-ready', String(port), '--load', load, '--', ...command], { cwd: folder });

test('a server gets the same load twice, without and with the recorder, and is stopped', async () => {
  const { code, stdout, stderr } = await underLoad('npm', 'start');
  assert.equal(code, 0, stderr);
  assert.deepEqual(stdout.match(/^(plain|recorded)$/gm), ['plain', 'recorded']);
  assert.match(stderr, /server\.js:6/);
  assert.match(stderr, /Load (?:without → )?with the recorder: (?:[\d. ]+ → )?[\d. ]+ req\/s, .* \(12 × POST /);
  const text = readFileSync(path.join(folder, 'out/recording.json'), 'utf8');
  assert.match(text, /"load": \{/);
  assert.doesNotMatch(text, /token|hunter2|\{\\"a/);
  const { baseline, recorded } = (await reportOf('out', folder)).recording.load ?? assert.fail('no load');
  assert.deepEqual([baseline?.requests, baseline?.refused, recorded.requests, recorded.refused], [12, 0, 12, 0]);
  for (const { cpuShare = -1 } of process.platform === 'linux' ? [baseline, recorded].flatMap((one) => one ?? []) : [])
    assert.ok(cpuShare > 0 && cpuShare <= 1, String(cpuShare));
});

test('a server that is being recorded gets requests, and its recording keeps their figures', async () => {
  const out = path.join(folder, 'running');
  const recorded = runCli(['record', '--quiet', '--out', out, '--', 'node', 'server.js'], { cwd: folder });
  await waitUntil(() => readFileSync(path.join(out, 'events.jsonl'), 'utf8').includes('"listens"'));
  const sent = await runCli(['load', 'running', '--load', '-c 2 -a 6 http://0:9/?token=1'], { cwd: folder });
  assert.equal(sent.code, 0, sent.stderr);
  assert.match(sent.stderr, /The requests name 0\.0\.0\.0:9: they go to localhost:\d+, where the app listens\./);
  assert.match(sent.stderr, /Load with the recorder: [\d. ]+ req\/s, p50 .*, p99 .* \(6 × GET .* over 2 connections\)/);
  await requestStop(out);
  await recorded;
  const text = readFileSync(path.join(out, 'recording.json'), 'utf8');
  assert.doesNotMatch(text, /token/);
  const { load } = (await reportOf(out, folder)).recording;
  assert.deepEqual([load?.baseline, load?.recorded.requests], [null, 6]);
  const late = await runCli(['load', 'running', '--load', '/'], { cwd: folder });
  assert.deepEqual([late.code, late.stdout], [2, '']);
  assert.match(late.stderr, /No server of .* listens now: send requests while it runs\./);
});

test('without a word what to send, the routes are named that were requested before, without parameters', async () => {
  const env = { ...process.env, XDG_CACHE_HOME: path.join(folder, 'cache') };
  const asked = `require('node:http').createServer((_, to) => to.end()).listen(0, async function () {
    const { port } = this.address();
    for (const path of ['/orders?token=1', '/', '/users/17'])
      await (await fetch('http://localhost:' + port + path)).text();
    await (await fetch('http://localhost:' + port + '/orders', { method: 'POST', body: 'secret' })).text();
    process.exit();
  });`;
  const run = await runCli(['record', '--quiet', '--', process.execPath, '-e', asked], { cwd: folder, env });
  assert.equal(run.code, 0, run.stderr);
  const { code, stderr } = await runCli(['load'], { cwd: folder, env });
  assert.equal(code, 2);
  assert.match(stderr, /Say what to send: .* Requested here before: GET \/orders, GET \/, POST \/orders\.$/m);
});

test('a load is sent again only from a recording of one’s own, and a stopped server without one is not run again', async () => {
  const server = (ms: number): string =>
    `${work('price', ms)}require('node:http').createServer((_, response) => response.end(String(price()))).listen(0);\n`;
  const repository = new Repository({ '.gitignore': 'out-*\n', 'server.js': server(60) });
  const run = async (...words: readonly string[]) => repository.run(words);
  const record = async (name: string, send: () => Promise<unknown>): Promise<void> => {
    const out = path.join(repository.folder, name);
    const recorded = run('record', '--quiet', '--out', out, '--', process.execPath, 'server.js');
    await waitUntil(() => readFileSync(path.join(out, 'events.jsonl'), 'utf8').includes('"listens"'));
    await send();
    await requestStop(out);
    await recorded;
  };
  await record('out-silent', async () => {});
  const refused = await run('recheck', 'price', '--recording', 'out-silent');
  assert.deepEqual([refused.code, refused.stdout], [2, '']);
  assert.match(refused.stderr, /is of a server that ran until it was stopped: send it requests/);
  await record('out-loaded', async () => {
    const sent = await run('load', 'out-loaded', '--load', '-c 2 -a 6 /');
    assert.equal(sent.code, 0, sent.stderr);
  });
  const planned = await run('recheck', 'price', '--recording', 'out-loaded', '--dry-run');
  assert.match(planned.stdout, /^6 to 16 × about /, planned.stderr);
  cpSync(path.join(repository.folder, 'out-loaded'), path.join(repository.folder, 'out-moved'), { recursive: true });
  const foreign = await run('recheck', 'price', '--recording', 'out-moved', '--dry-run');
  assert.match(foreign.stderr, /has a load, which is sent again only where you have recorded it on this machine/);
});

test('the requests of a file get figures each, and the file is what the recording keeps of them', async () => {
  const options = ['--out', 'of-file', '--load-file', 'requests.http', '--connections', '2', '--amount', '8'];
  const run = await runCli(['record', ...options, '--warm-up', '1s', '--', 'node', 'server.js'], {
    cwd: folder,
    env: { ...process.env, TOKEN: 'tell-nobody' },
  });
  assert.equal(run.code, 0, run.stderr);
  assert.match(run.stderr, /Left out: GET \{\{host\}\}\/orders\/\{\{id\}\} needs \{\{id\}\}, which has no value\./);
  for (const route of ['GET /', 'POST /orders'])
    assert.match(run.stderr, new RegExp(`^${route}: p50 .* for 4 answers to .* requests, warm-up included, wait`, 'm'));
  const { stdout } = await runCli(['analyze', '--json', 'of-file'], { cwd: folder });
  assert.doesNotMatch(stdout, /tell-nobody|token/);
  const { source, requests, recorded, baseline } = parseReport(stdout).recording.load ?? assert.fail('no load');
  assert.deepEqual(source, { type: 'file', file: path.join(folder, 'requests.http'), environment: null });
  const sent = requests.map(({ title, url, bodyBytes }) => `${title} ${url} ${bodyBytes}`);
  assert.deepEqual(sent, [`home http://localhost:${port}/ 0`, `order http://localhost:${port}/orders 7`]);
  for (const { byRequest } of [recorded, baseline ?? assert.fail('no run without the recorder')])
    assert.equal(byRequest.map((one) => [one.requests, one.refused, one.errors].join()).join(' '), '4,0,0 4,0,0');
});

test('another machine gets no request unasked', async () => {
  const options = ['--load', '-a 1 http://example.com/', '--', 'node', 'server.js'];
  const { code, stderr } = await runCli(['record', ...options], { cwd: folder });
  assert.equal(code, 2);
  assert.match(stderr, /Requests would go to example\.com, which is not this machine: add --allow-remote/);
});

test('a command that is not a server is refused with a sentence', async () => {
  const { code, stderr } = await underLoad('node', '-e', '');
  assert.equal(code, 2);
  assert.match(stderr, /ended before http:\/\/localhost:\d+\/ answered: it has to be a server/);
});

test('another server in its place is told, and left alone', async () => {
  const other = createServer((_, response) => void response.end()).listen(port);
  after(() => other.close());
  const { code, stdout, stderr } = await underLoad('npm', 'start');
  assert.equal(code, 2);
  assert.equal(stdout, '');
  assert.match(stderr, /Something listens at .* already: stop it first/);
});
