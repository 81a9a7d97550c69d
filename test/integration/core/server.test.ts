import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freePort } from '../../helpers/free-port.ts';
import { installedNode } from '../../helpers/node-versions.ts';
import { parseReport } from '../../helpers/report-schema.ts';
import { runCli } from '../../helpers/run-cli.ts';
import { temporaryProject } from '../../helpers/temporary-project.ts';

const { node, version } = installedNode();
const folder = temporaryProject({
  'package.json': '{ "name": "orders" }',
  'server.js': `const { createServer } = require('node:http');
const { pbkdf2Sync } = require('node:crypto');
function answer(request, response) {
  pbkdf2Sync('secret', 'salt', 60_000, 32, 'sha512');
  response.end('ok');
}
createServer(answer).listen(process.env.PORT);
`,
});

test(`a server under load: its slow line, its route, and what recording costs (Node ${version})`, async () => {
  const port = await freePort();
  const env = { ...process.env, PORT: String(port) };
  const load = ['--after-ready', String(port), '--load', '-c 2 -a 8 /orders/17?token=secret'];
  const run = await runCli(['record', '--out', 'out', ...load, '--', node, 'server.js'], { cwd: folder, env });
  assert.equal(run.code, 0, run.stderr);
  assert.match(run.stderr, /answer\s+server\.js:4/);
  assert.match(run.stderr, /Load (?:without → )?with the recorder: .* \(8 × GET /);
  const { stdout } = await runCli(['analyze', '--json', 'out'], { cwd: folder });
  assert.doesNotMatch(stdout, /token|secret/);
  const { routes, functions, recording } = parseReport(stdout);
  assert.deepEqual([recording.load?.baseline?.requests, recording.load?.recorded.requests], [8, 8]);
  const orders = routes.find((route) => route.path === '/orders/*');
  assert.deepEqual([orders?.method, orders?.requests], ['GET', 8]);
  assert.ok((functions.find(({ name }) => name === 'answer')?.culprit?.longCount ?? 0) >= 1);
});
