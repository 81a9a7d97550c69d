import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { recordUnderLoad } from '../../../recorder/launch/load/record-under-load.ts';
import { sendLoad } from '../../../recorder/launch/load/load.ts';
import { microseconds } from '../../../protocol/units.ts';
import { freePort } from '../../helpers/free-port.ts';
import { projectFile } from '../../helpers/project.ts';
import { runCli } from '../../helpers/run-cli.ts';
import { waitUntil } from '../../helpers/wait-until.ts';
import { program } from './recorded.ts';

const port = await freePort();

test('a server that never gets ready is told, and stopped', async (t) => {
  const folder = program(t, {
    'server.js': `setInterval(() => {}, 1000); process.on('SIGINT', () => { require('fs').writeFileSync('stopped', ''); process.exit(); });`,
  });
  const url = new URL(`http://localhost:${port}`);
  const outcome = await recordUnderLoad(
    {
      ...{ command: [process.execPath, 'server.js'], kind: 'profile', cwd: folder, env: process.env },
      ...{ intervalUs: microseconds(1000), mostBytes: null, hotspanVersion: '0.0.0', notes: [] },
      ...{ out: path.join(folder, 'out'), recorderFile: projectFile('dist/recorder.cjs') },
    },
    {
      ready: url,
      load: {
        requests: [{ name: null, method: 'GET', url: url.href, headers: {}, body: null }],
        ...{ connections: 1, rate: null, amount: 1, durationS: null, warmUpS: 0 },
      },
      source: { type: 'words', words: null },
      ...{ patience: 1000, send: sendLoad, say: () => {} },
    },
  );
  assert.deepEqual(outcome, {
    type: 'failed',
    message: `${url.href} did not answer within 1 s: check --after-ready, and that the command listens there.`,
  });
  assert.ok(existsSync(path.join(folder, 'stopped')));
  assert.ok(!existsSync(path.join(folder, 'out')));
});

const words = `record --after-ready ${port} --load`.split(' ');
const afterReady = (load: string) => [...words, load, '--', 'node', 'server.js'];

test('a server whose port something mute holds is not started', async (t) => {
  const cwd = program(t, { 'server.js': `require('http').createServer(() => {}).listen(${port});` });
  const mute = createServer(() => {}).listen(port);
  t.after(() => mute.close());
  const { code, stderr } = await runCli(afterReady('-a 2'), { cwd });
  assert.equal(code, 2);
  assert.match(stderr, /Something listens at .* already: stop it first/);
});

test('a server that answers only with errors is reported, also where the home page takes seconds', async (t) => {
  const answer = `({ url }, to) => setTimeout(() => to.writeHead(500).end(), url === '/' ? 2500 : 0)`;
  const cwd = program(t, { 'server.js': `require('http').createServer(${answer}).listen(${port});` });
  const { code, stderr } = await runCli(afterReady('-c 1 -a 3 /x'), { cwd });
  assert.equal(code, 0, stderr);
  assert.match(stderr, /3 of 3 answers had a status of 400 and more without the recorder/);
});

test('a load ends with the app that it is sent to', async (t) => {
  const answer = '(_, to) => to.end(() => --left || process.exit())';
  const cwd = program(t, { 'server.js': `let left = 50; require('http').createServer(${answer}).listen(${port});` });
  const recorded = runCli(['record', '--quiet', '--out', 'out', '--', 'node', 'server.js'], { cwd });
  await waitUntil(() => readFileSync(path.join(cwd, 'out/events.jsonl'), 'utf8').includes('"listens"'));
  const { code, stderr } = await runCli(['load', 'out', '--load', '-d 20 /'], { cwd });
  assert.equal(code, 2);
  assert.match(stderr, /Nothing of the app listens at localhost:\d+ any more, so this load has no figures\./);
  await recorded;
});
