// The figures of the examples are tested on their recordings, in test/cli/commands/analyze.test.ts.
import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { projectFile } from '../helpers/project.ts';
import { runCli } from '../helpers/run-cli.ts';
import { temporaryProject } from '../helpers/temporary-project.ts';

test('the tests of the shop run as without Hotspan, which says on stderr what blocks in them', async () => {
  const out = path.join(temporaryProject({}), 'recording');
  const run = await runCli(['record', '--out', out, '--', 'npm', 'test'], { cwd: projectFile('examples/shop') });
  assert.equal(run.code, 0, run.stderr);
  assert.match(run.stdout, /40 passing/);
  assert.doesNotMatch(run.stdout, /worst/);
  const rows = run.stderr.split('\n').filter((line) => line.includes(' ms worst · '));
  const places = [
    'snapshot  src/catalogue/catalogue.js',
    'rankByCategory  src/catalogue/bestsellers.js',
    'isEmail  src/accounts/email.js',
    'keyFor  src/accounts/card.js',
    '#totalsByMonth  src/orders/order-book.js',
    'callSite  src/logger.js',
    'detectBrowser  src/visits/user-agent.js',
    'signIn  src/accounts/accounts.js',
  ];
  const missing = places.filter((place) => !rows.some((row) => row.includes(`  ${place}:`)));
  assert.deepEqual(missing, [], run.stderr);
});
