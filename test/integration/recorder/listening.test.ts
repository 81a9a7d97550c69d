import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { type AppServer, appServers } from '../../../recordings/app-servers.ts';
import { requestStop } from '../../../recordings/recording-folders.ts';
import { openEventLog } from '../../../recordings/run-processes.ts';
import { assertEach } from '../../helpers/assert-each.ts';
import { testedVersions } from '../../helpers/node-versions.ts';
import { waitUntil } from '../../helpers/wait-until.ts';
import { eventsOfType, program, recordedAlike, recording } from './recorded.ts';

/** Servers of each kind, with what a program can see of them, and of an address that is taken. */
const kinds = `
import http, { createServer } from 'node:http';
import { createServer as createSecure } from 'node:https';
import { createServer as createHttp2 } from 'node:http2';
import net from 'node:net';
const all = [createServer(), createSecure({}), createHttp2(), net.createServer(), http.createServer()];
for (const [index, server] of all.entries()) {
  await new Promise((resolve) => server.listen(index === 4 ? 'app.sock' : { port: 0, host: '127.0.0.1' }, resolve));
  console.log(server.eventNames(), Object.keys(server).length, server.listening);
}
const taken = net.createServer().listen(all[0].address().port, '127.0.0.1');
taken.on('error', ({ code, stack }) => {
  console.log(code, stack.replace(/:[0-9]+/g, ''));
  all[0].close(() => console.log('closed', all[0].address()));
  for (const server of all.slice(1)) server.close();
});
`;

for (const { node, version } of testedVersions('20')) {
  test(`servers report where they listen, and the program sees nothing of it (Node ${version})`, async (t) => {
    const folder = program(t, { 'servers.mjs': kinds });
    const directory = await recordedAlike(folder, [node, 'servers.mjs']);
    const told = eventsOfType(directory, 'listens');
    assertEach(told, ({ protocol }) => protocol, ['http', 'https', 'http2', 'other', 'http']);
    assert.deepEqual([told[4]?.path, told[4]?.port, told[0]?.host], ['app.sock', -1, '127.0.0.1']);
    assert.ok(told.slice(0, 4).every(({ port }) => port > 0));
    assertEach(eventsOfType(directory, 'closes'), ({ server }) => server, [0, 1, 2, 3, 4]);
  });
}

/** The primary owns the port; two workers listen. */
const cluster = `
const cluster = require('node:cluster');
const http = require('node:http');
if (cluster.isPrimary) for (let worker = 0; worker < 2; worker += 1) cluster.fork();
else http.createServer().listen(0);
`;

const restarting = (answer: string): string => `
const http = require('node:http');
http.createServer((request, response) => response.end('${answer}')).listen(0);
http.createServer().listen(0, '127.0.0.1').once('listening', function () { this.close(); });
`;

test('the workers of a cluster are one server, which a client reaches by its address', async (t) => {
  const folder = program(t, { 'cluster.js': `${cluster}process.on('SIGTERM', () => process.exit());` });
  const { directory, ended } = recording(folder, [process.execPath, 'cluster.js']);
  // The primary reports its port, too.
  await waitUntil(() => eventsOfType(directory, 'listens').filter(({ protocol }) => protocol === 'http').length === 2);
  const servers = serversOf(directory);
  assertEach(servers, ({ url }) => url, [`http://localhost:${servers[0]?.port}`]);
  assert.ok(Number(servers[0]?.readyUs) > 0);
  await requestStop(directory);
  await ended;
  assert.deepEqual(serversOf(directory), []);
});

test('a watcher that restarts the app is one app: the newest process counts', async (t) => {
  const folder = program(t, { 'app.js': restarting('first') });
  const { directory, ended } = recording(folder, [process.execPath, '--watch', 'app.js']);
  const answer = async (): Promise<string> => {
    const [server, ...others] = serversOf(directory);
    assert.deepEqual(others, []);
    return (await fetch(server?.url ?? '')).text();
  };
  await waitUntil(async () => (await answer()) === 'first');
  writeFileSync(path.join(folder, 'app.js'), restarting('second'));
  await waitUntil(async () => (await answer()) === 'second');
  await requestStop(directory);
  await ended;
  assert.equal(eventsOfType(directory, 'listens').length, 4);
});

function serversOf(directory: string): readonly AppServer[] {
  return appServers(openEventLog(directory).read());
}
