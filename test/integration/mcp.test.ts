import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { isAlive } from '../../recordings/run-processes.ts';
import { shopFiles, work } from '../helpers/blocking-shop.ts';
import { projectFile } from '../helpers/project.ts';
import { copyFixture } from '../helpers/recording-fixtures.ts';
import { write } from '../helpers/temporary-repository.ts';
import { temporaryProject } from '../helpers/temporary-project.ts';
import { waitUntil } from '../helpers/wait-until.ts';

/** A client of `hotspan mcp --allow-run` in a project whose recordings are in a folder of its own. */
async function connected(t: TestContext, root: string): Promise<Client> {
  const client = new Client({ name: 'agent', version: '1' });
  const args = [projectFile('dist/cli.cjs'), 'mcp', '--root', root, '--allow-run'];
  const env = { PATH: process.env['PATH'] ?? '', HOTSPAN_RECORDINGS: path.join(root, 'recordings') };
  t.after(async () => client.close());
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env }));
  return client;
}

/** What the newest recording has of a function; on a busy machine the verdict leaves out what has few samples. */
async function hotspotsOf(client: Client): Promise<string> {
  const { content } = await client.callTool({ name: 'hotspots' });
  return content[0]?.type === 'text' ? content[0].text : '';
}

/** A project with the shop as a package of it, which has this script. */
function inPackage(scripts: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const shop = `${work('quote', 70)}module.exports = { quote, rank: () => 0 };\n`;
  const files = { ...shopFiles, 'shop.js': shop, 'package.json': JSON.stringify({ name: 'shop', scripts }) };
  const whole = JSON.stringify({ name: 'all', private: true, workspaces: ['packages/*'] });
  const below = Object.entries(files).map(([name, text]) => [`packages/shop/${name}`, text] as const);
  return { ...Object.fromEntries(below), 'package.json': whole };
}

test('an agent profiles a test file of a package, gets what blocks, and re-checks it there', async (t) => {
  const client = await connected(t, temporaryProject(inPackage({ test: 'node --test shop.test.js' })));
  const called = async (name: string, input: object): Promise<string> => {
    const { isError = false, content } = await client.callTool({ name, arguments: { ...input } });
    assert.equal(isError, false, JSON.stringify(content));
    return JSON.stringify(content);
  };
  await called('profile', { file: 'packages/shop/shop.test.js' });
  const [, at = ''] = /"name":"quote","at":"(packages\/shop\/shop\.js:\d+)"/.exec(await hotspotsOf(client)) ?? [];
  const said = await called('recheck', { at });
  assert.match(said, /verdict/, `${at} ${said}`);
});

test('a script that runs no program of Node is not a result, whatever was recorded before', async (t) => {
  const { project: root } = copyFixture('small/run-1');
  write(root, inPackage({ build: 'ls shop.js && exit 3' }));
  const client = await connected(t, root);
  assert.match(await hotspotsOf(client), /"name":"quote"/);
  const { isError, content } = await client.callTool({ name: 'profile', arguments: { script: 'build' } });
  assert.deepEqual([isError, content[0]?.type], [true, 'text']);
  assert.match(JSON.stringify(content), /exit code 3/);
});

test('a server that an agent profiles is stopped by the tool for jobs, and its recording is whole', async (t) => {
  // Its fifth answer says that it is busy.
  const serving = `${work('answer', 30)}let answers = 0;
setInterval(() => { answer(); answers += 1; if (answers === 5) require('node:fs').writeFileSync('busy', ''); }, 50);
`;
  const scripts = { start: 'node server.js' };
  const root = temporaryProject({ 'package.json': JSON.stringify({ scripts }), 'server.js': serving });
  const client = await connected(t, root);
  const profiling = client.callTool({ name: 'profile', arguments: { script: 'start' } });
  await waitUntil(() => existsSync(path.join(root, 'busy')));
  await client.callTool({ name: 'job', arguments: { cancel: true } });
  assert.match(await hotspotsOf(client), /"name":"answer","at":"server\.js:\d+"/);
  await profiling;
  const status = await client.callTool({ name: 'status' });
  assert.doesNotMatch(JSON.stringify(status), /was killed/);
});

for (const [end, what] of [
  ['close', { script: 'start' }],
  ['SIGKILL', { file: 'forever.test.js' }],
] as const)
  test(`what an agent has started ends with its client, also where it handles signals: ${end}`, async (t) => {
    const forever = `for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {});
require('node:fs').writeFileSync('pid', String(process.pid)); setInterval(() => {}, 1000);\n`;
    const scripts = { start: 'node forever.test.js' };
    const root = temporaryProject({ 'package.json': JSON.stringify({ scripts }), 'forever.test.js': forever });
    const client = await connected(t, root);
    const ended = assert.rejects(client.callTool({ name: 'profile', arguments: what }));
    let pid = Number.NaN;
    await waitUntil(() => (pid = Number(readFileSync(path.join(root, 'pid'), 'utf8'))) > 0);
    assert.ok(client.transport instanceof StdioClientTransport);
    if (end === 'close') await client.close();
    else process.kill(client.transport.pid ?? Number.NaN, end);
    await ended;
    await waitUntil(() => !isAlive(pid));
  });
