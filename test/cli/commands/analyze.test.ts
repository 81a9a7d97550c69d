import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, test } from 'node:test';
import { asDrawn } from '../../helpers/drawn-root.ts';
import { copyFixture, type FixtureName } from '../../helpers/recording-fixtures.ts';
import { parseReport } from '../../helpers/report-schema.ts';
import type { CliRun } from '../../helpers/run-cli.ts';
import { runHere } from '../../helpers/run-here.ts';

/** Analyzes a recording in its project. */
function analyzing(name: FixtureName): (...options: readonly string[]) => Promise<CliRun> {
  const { project, recording } = copyFixture(name);
  return async (...options) => runHere(['analyze', recording, ...options], { cwd: project });
}

/** The lines with the figures of a function: of the list of all hotspots where there is one, else of the verdict. */
const rowsOf = (table: string): readonly string[] =>
  (/\nAll hotspots\n([\s\S]*?)(?:\n(?:Not in the verdict|All functions)|$)/.exec(asDrawn(table))?.[1] ?? asDrawn(table))
    .split('\n')
    .flatMap((line) => (/^≈?[\d.]+ m?s (worst|the first time)/.test(line) ? [line.replaceAll(/ {2,}/g, '  ')] : []));

describe('the shop', () => {
  const analyze = analyzing('shop/first');

  test('has what to fix first, why, who waits and what to do', async () => {
    const { code, stdout, stderr } = await analyze();
    assert.deepEqual([code, stderr], [0, '']);
    assert.deepEqual(rowsOf(stdout), [
      '165 ms worst · 10 × >10 ms · 3 stacks  snapshot  src/catalogue/catalogue.js:23',
      '103 ms worst · 10 × >10 ms  bcryptjs  src/accounts/accounts.js:1',
      '247 ms worst · 1 × >10 ms · 1 stack  callSite  src/logger.js:14',
      '67 ms worst · 4 × >10 ms · 3 stacks  keyFor  src/accounts/card.js:22',
      '100 ms worst · 2 × >10 ms · 1 stack  signIn  src/accounts/accounts.js:26',
    ]);
    assert.match(
      stdout,
      /\nNot shown: \d+ more that remove at most 149 ms each, together \d+ %; test code \(5\), .*--all lists them\. To be sure of 1 uncertain finding: "hotspan make-sure" \(2 × about 3\.75 s, the whole command, as test files share a thread\)\.\n/,
    );
    assert.match(stdout, /catalogue\.js:23\n {4}23 │ return JSON\.parse\(JSON\.stringify\(products\)\);\n/);
    assert.match(stdout, /All of it in JSON, line 23, called by listProducts src[/\\]catalogue[/\\]listing\.js:6/);
  });

  test('has places and commands for the folder in which the command is typed', async () => {
    const { project, recording } = copyFixture('shop/first');
    const options = { cwd: path.join(project, 'src', 'catalogue'), env: { ...process.env, npm_command: 'exec' } };
    const { stdout } = await runHere(['analyze', recording], options);
    assert.match(stdout, / snapshot {2}catalogue\.js:23\n/);
    assert.ok(stdout.includes('"npx hotspan make-sure"'), 'commands are as one can type them');
    assert.match(stdout, /line 23, called by listProducts listing\.js:6/);
  });

  test('has its functions in the list of all, worst first, with their figures and places', async () => {
    const { code, stdout, stderr } = await analyze('--all');
    assert.deepEqual([code, stderr], [0, '']);
    assert.deepEqual(rowsOf(stdout), [
      '247 ms worst · 1 × >10 ms · 1 stack  callSite  src/logger.js:14',
      '165 ms worst · 10 × >10 ms · 3 stacks  snapshot  src/catalogue/catalogue.js:23',
      '100 ms worst · 2 × >10 ms · 1 stack  signIn  src/accounts/accounts.js:26',
      '87 ms worst · 1 × >10 ms · 1 stack  rankByCategory  src/catalogue/bestsellers.js:12',
      '72 ms worst · 1 × >10 ms · 1 stack  isEmail  src/accounts/email.js:4',
      '68 ms worst · 1 × >10 ms · 1 stack  sort() callback in rankByCategory  src/catalogue/bestsellers.js:12',
      '67 ms worst · 4 × >10 ms · 3 stacks  keyFor  src/accounts/card.js:22',
      '56 ms worst · 1 × >10 ms · 1 stack  detectBrowser  src/visits/user-agent.js:39',
      '≈36 ms worst · 1 × >10 ms · 1 stack  applyStockList  src/stock/stock-list.js:11',
      '28 ms worst · 4 × >10 ms · 1 stack  #totalsByMonth  src/orders/order-book.js:17',
      '15 ms worst · 1 × >10 ms · 1 stack  Catalogue  src/catalogue/catalogue.js:6',
      '12 ms worst · 1 × >10 ms · 1 stack  map() callback in parseOrders  src/orders/csv.js:4',
      '≈12 ms worst · 1 × >10 ms · 1 stack  handler of POST /visits  src/visits/routes.js:8',
      '≈11 ms worst · 1 × >10 ms · 1 stack  handler of POST /orders  src/orders/routes.js:8',
      '41 ms worst · 1 × >10 ms · 1 stack  from() callback in hourlyOrders  test/orders.test.js:41  (test code)',
      '≈24 ms worst · 1 × >10 ms · 1 stack  hourlyOrders  test/orders.test.js:43  (test code)',
      '≈35 ms the first time, then 3.4 ms  sampleProduct  test/support/sample-products.js:13  (test code)',
      '23 ms the first time, then 4.4 ms  post  test/support/shop.js:14  (test code)',
      '≈18 ms the first time, then 3.4 ms  from() callback in sampleProducts  test/support/sample-products.js:20  (test code)',
    ]);
    assert.match(stdout, /catalogue\.js:23\n {4}23 │ return JSON\.parse\(JSON\.stringify\(products\)\);\n/);
    assert.match(stdout, /With no line of yours on the stack: bcryptjs up to 103 ms \(10 ×\), imported at src[/\\]acc/);
  });

  test('is in Markdown for the summary of a CI job, the verdict first, in less than 600 tokens', async () => {
    const { stdout } = await analyze('--markdown');
    const verdict = stdout.slice(0, stdout.indexOf('\n\nNot shown'));
    assert.match(verdict, /^### Hotspan: npm test\n/);
    assert.equal(verdict.match(/^\| \*\*/gm)?.length, 5);
    assert.ok(verdict.length / 3.5 < 600);
    const row = String.raw`- snapshot\, src/catalogue/catalogue\.js\:23\: All of it in JSON\, line 23\, called by`;
    assert.ok(stdout.replaceAll('\\\\', '/').includes(row));
  });

  test('has no routes, as its server runs in the process of its tests, and blames a package by name', async () => {
    const { routes, operations } = parseReport((await analyze('--json')).stdout);
    assert.deepEqual(routes, []);
    assert.equal(operations.filter(({ blame }) => blame?.name === 'bcryptjs').length, 10);
  });

  test('--fail-over fails over the limit, by name, and only then', async () => {
    const over = await analyze('--fail-over', '12');
    assert.equal(over.code, 1);
    assert.match(
      over.stderr,
      /^hotspan: Over the limit of 12 ms: 247 ms, 241 ms of it certain, in callSite, src[/\\]logger\.js:13, and \d+ more/,
    );
    const under = await analyze('--fail-over', '250');
    assert.deepEqual([under.code, under.stderr], [0, '']);
  });
});

test('TypeScript that Vitest compiled in memory is shown at the lines of its sources', async () => {
  const { stdout } = await analyzing('reports/first')('--all');
  assert.deepEqual(rowsOf(stdout), [
    '158 ms worst · 2 × >10 ms · 1 stack  editDistance  src/duplicate-customers.ts:25',
    '125 ms worst · 3 × >10 ms · 1 stack  compressed  src/archive.ts:25',
    '74 ms worst · 5 × >10 ms · 1 stack  monthName  src/monthly-report.ts:37',
    '18 ms worst · 1 × >10 ms · 1 stack  archiveOf  src/archive.ts:10',
    '11 ms worst · 2 × >10 ms · 1 stack  toCsv  src/archive.ts:19',
    '18 ms worst · 1 × >10 ms · 1 stack  describe "the archive of a year"  test/archive.test.ts:6  (test code)',
    '15 ms worst · 1 × >10 ms · 1 stack  test "holds the sales of that year alone"  test/archive.test.ts:13  (test code)',
  ]);
  assert.match(stdout, /25 │ return gzipSync\(text, \{ level: 9 \}\);\n/);
});

test('nothing blocks in the healthy one, and what took longest is said', async () => {
  const { code, stdout } = await analyzing('healthy/first')();
  assert.equal(code, 0);
  assert.match(
    stdout,
    /^Nothing in your code blocks for more than 10 ms\. Longest: 4\.3 ms, tryPass, src[/\\]rate-limiter\.js:15\n/,
  );
});

test('of a server it is said which requests waited, and behind what', async () => {
  const { project, recording } = copyFixture('small/server');
  const { stdout } = await runHere(['analyze', recording], { cwd: project });
  assert.match(stdout, /\nWho waited\nGET \/price: 90 % of 20 wait > 10 ms, 65 % > 100 ms, behind quote shop\.js:5\n/);
  const fromAbove = await runHere(['analyze', recording], { cwd: path.dirname(project) });
  assert.ok(fromAbove.stdout.includes(`behind quote ${path.join(path.basename(project), 'shop.js:5')}\n`));
});

test('of a process that was killed it is said that its end is missing', async () => {
  const analyze = analyzing('small/killed');
  const { stdout } = await analyze();
  assert.deepEqual(rowsOf(stdout), ['77 ms worst · 28 × >10 ms · 1 stack  quote  shop.js:5']);
  assert.match(
    stdout,
    /\n! Process \d+ was killed, or crashed: its last 10 s may be missing, or the operation that it was in/,
  );
  const { code, stderr } = await analyze('--fail-over', '200');
  assert.equal(code, 3);
  assert.match(stderr, /Nothing certain is over the limit of 200 ms, but not all is known: Process \d+ was killed/);
});

describe('for agents', () => {
  const analyze = analyzing('shop/first');

  test('--brief has the verdict, and --explain a function of it', async () => {
    const { code, stdout } = await analyze('--json', '--brief');
    assert.equal(code, 0);
    assert.match(stdout, /"next": "explain src\/catalogue\/catalogue\.js:23"\n\}\n$/);
    const why = await analyze('--json', '--brief', '--explain', 'src/catalogue/catalogue.js:23');
    assert.match(why.stdout, /"name": "snapshot",/);
    const { project, recording } = copyFixture('shop/first');
    const words = ['analyze', recording, '--json', '--brief', '--explain', 'catalogue.js:23'];
    const fromHere = await runHere(words, { cwd: path.join(project, 'src/catalogue') });
    assert.equal(fromHere.stdout, why.stdout, 'the table has places from the current folder');
    const nowhere = await analyze('--json', '--brief', '--explain', 'src/nowhere.js:1');
    assert.equal(nowhere.code, 2);
    assert.match(nowhere.stderr, /^hotspan: No function at src\/nowhere\.js:1 was recorded, or its code is new: /);
  });
});
