import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { RequestLine } from '../../../protocol/recording.ts';
import { requestsSuffix } from '../../../protocol/recording.ts';
import { bare, filesOf, outerVersions, program, recording } from './recorded.ts';

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

for (const { node, version } of outerVersions()) {
  test(`requests are noted by route, nothing else of them, and nothing changes (Node ${version})`, async (t) => {
    const folder = program(t, { 'server.js': server });
    const { ended, directory } = recording(folder, [node, 'server.js']);
    const [recorded, unrecorded] = [await ended, await bare(folder, [node, 'server.js'])];
    assert.equal(recorded.exitCode, 0);
    assert.equal(recorded.stdout, unrecorded.stdout);
    const text = filesOf(directory, requestsSuffix)
      .map((file) => readFileSync(path.join(directory, file), 'utf8'))
      .join('');
    assert.doesNotMatch(text, /secret/);
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line): unknown => JSON.parse(line))
      .filter(isRequestLine);
    const routes = lines.flatMap((line) => (line[0] === 'route' ? [line[3]] : []));
    assert.deepEqual(routes, ['/users/:id', '/about']);
    const requests = lines.filter((line) => line[0] === 'request');
    assert.deepEqual(
      requests.map(([, route]) => route),
      [0, 0, 1],
    );
    assert.equal(requests[0]?.[2], -1);
    for (const [, , since, start, end] of requests) assert.ok(since <= start && start <= end);
  });
}

const isRequestLine = (value: unknown): value is RequestLine => Array.isArray(value);
