import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertEach } from '../../helpers/assert-each.ts';
import { testedVersions } from '../../helpers/node-versions.ts';
import { program, recorded, recordedAlike, requestLinesOf, routesOf } from './recorded.ts';

/** Three requests on one connection, one that nobody answers. */
const server = `
const http = require('node:http');
const { once } = require('node:events');
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
const server = http.createServer((request, response) => {
  if (request.url !== '/never') response.end(String(request.listenerCount('close') + response.listenerCount('finish')));
});
server.listen(0, async () => {
  const { port } = server.address();
  for (const url of ['/users/17?secret=1', '/users/18?secret=2', '/about']) {
    const [response] = await once(http.get({ port, path: url, agent, headers: { cookie: 'secret' } }), 'response');
    for await (const chunk of response) process.stdout.write(chunk);
  }
  const lost = http.get({ port, path: '/never' }).on('error', () => {});
  await once(server, 'request');
  lost.destroy();
  agent.destroy();
  server.close();
});
`;

for (const { node, version } of testedVersions()) {
  test(`requests are noted by route, nothing else of them, and nothing changes (Node ${version})`, async (t) => {
    const folder = program(t, { 'server.js': server });
    const directory = await recordedAlike(folder, [node, 'server.js']);
    const lines = requestLinesOf(directory);
    assert.doesNotMatch(JSON.stringify(lines), /secret/);
    assert.deepEqual(routesOf(directory), ['GET /users/*', 'GET /about']);
    const requests = lines.filter((line) => line[0] === 'request');
    assertEach(requests, ([, route]) => route, [0, 0, 1]);
    assert.equal(requests[0]?.[2], -1);
    for (const [, , since, start, end] of requests) assert.ok(since <= start && start <= end);
  });
}

/** A stream of events and a request that their client gives up, an upgrade, and one that is answered at last. */
const longLived = `
const http = require('node:http');
const { once } = require('node:events');
const server = http.createServer(async (request, response) => {
  if (request.url === '/events') response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\\n\\n');
  if (request.url === '/given-up') request.once('close', () => response.end('too late'));
  if (request.url === '/') response.end('home');
});
server.on('upgrade', (request, socket) => socket.end('HTTP/1.1 101 Switching Protocols\\r\\nUpgrade: x\\r\\nConnection: upgrade\\r\\n\\r\\n'));
server.listen(0, async () => {
  const { port } = server.address();
  const events = http.get({ port, path: '/events' }).on('error', () => {});
  const [answer] = await once(events, 'response');
  answer.on('error', () => {});
  const socket = http.get({ port, path: '/socket', headers: { connection: 'upgrade', upgrade: 'x' } });
  await once(socket, 'upgrade');
  const givenUp = http.get({ port, path: '/given-up' }).on('error', () => {});
  await once(server, 'request');
  givenUp.destroy();
  events.destroy();
  const [home] = await once(http.get({ port, path: '/' }), 'response');
  for await (const chunk of home) process.stdout.write(chunk);
  http.globalAgent.destroy();
  server.close();
});
`;

/** Two streams of one session that are answered, one that its client resets half-way, two that it is pushed. */
const http2 = `
const http2 = require('node:http2');
const { once } = require('node:events');
const server = http2.createServer((request, response) => {
  if (request.url === '/begun') return void response.write('half');
  response.stream.pushStream({ ':path': '/pushed' }, (error, pushed) => pushed?.respond() ?? pushed?.end());
  response.end(request.method);
});
server.listen(0, async () => {
  const session = http2.connect('http://localhost:' + server.address().port);
  session.on('stream', (pushed) => pushed.resume());
  for (const headers of [{ ':path': '/users/17?secret=1' }, { ':path': '/users/18', ':method': 'POST' }]) {
    const stream = session.request(headers);
    stream.end();
    for await (const chunk of stream) process.stdout.write(chunk);
  }
  const lost = session.request({ ':path': '/begun' }).on('error', () => {});
  await once(lost, 'response');
  lost.close(http2.constants.NGHTTP2_CANCEL);
  await once(lost, 'close');
  session.close();
  server.close();
});
`;

for (const { node, version } of testedVersions()) {
  test(`what goes on for long or is given up is noted as no answer (Node ${version})`, async (t) => {
    const folder = program(t, { 'server.js': longLived });
    const { directory, stdout, stderr } = await recorded(folder, [node, 'server.js']);
    assert.deepEqual([stdout, stderr], ['home', '']);
    assert.deepEqual(routesOf(directory), ['GET /']);
  });

  test(`streams of HTTP/2 are requests, where Node tells of them (Node ${version})`, async (t) => {
    const folder = program(t, { 'server.js': http2 });
    const { directory, stdout, stderr } = await recorded(folder, [node, 'server.js']);
    assert.deepEqual([stdout, stderr], ['GETPOST', '']);
    const isTold = Number(version.split('.')[0]) > 20;
    assert.deepEqual(routesOf(directory), isTold ? ['GET /users/*', 'POST /users/*'] : []);
    assert.equal(requestLinesOf(directory).filter(([kind]) => kind === 'request').length, isTold ? 2 : 0);
  });
}
