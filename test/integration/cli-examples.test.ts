// The figures of the examples are tested on their recordings, in test/cli/commands/analyze.test.ts.
import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { projectFile } from '../helpers/project.ts';
import { runCli } from '../helpers/run-cli.ts';
import { temporaryProject } from '../helpers/temporary-project.ts';

const home = temporaryProject({});

const examples = [
  {
    name: 'shop',
    passed: /40 passing/,
    blocking: [
      ['snapshot', 'src/catalogue/catalogue.js'],
      ['rankByCategory', 'src/catalogue/bestsellers.js'],
      ['isEmail', 'src/accounts/email.js'],
      ['keyFor', 'src/accounts/card.js'],
      ['#totalsByMonth', 'src/orders/order-book.js'],
      ['callSite', 'src/logger.js'],
      ['detectBrowser', 'src/visits/user-agent.js'],
      ['signIn', 'src/accounts/accounts.js'],
    ],
  },
  {
    name: 'reports-ts',
    passed: /15 passed/,
    blocking: [
      ['monthName', 'src/monthly-report.ts'],
      ['compressed', 'src/archive.ts'],
      ['editDistance', 'src/duplicate-customers.ts'],
    ],
  },
] as const;

for (const { name, passed, blocking } of examples)
  test(`the tests of ${name} run as without Hotspan, which says on stderr what blocks in them`, async () => {
    const words = ['record', '--out', path.join(home, name), '--', 'npm', 'test'];
    const { code, stdout, stderr } = await runCli(words, { cwd: projectFile('examples', name) });
    assert.equal(code, 0, stderr);
    assert.match(stdout, passed);
    assert.doesNotMatch(stdout, /worst/);
    const rows = stderr.split('\n').filter((line) => / ms worst · /.test(line));
    for (const [label, file] of blocking)
      assert.ok(
        rows.some((row) => row.includes(` ${label}  ${file}:`)),
        `${label}\n${stderr}`,
      );
  });
