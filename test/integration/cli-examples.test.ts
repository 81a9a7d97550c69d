import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { filePathOf } from '../../engine/files/file-path.ts';
import type { Report } from '../../protocol/report.ts';
import { projectFile } from '../helpers/project.ts';
import { parseReport } from '../helpers/report-schema.ts';
import { type CliRun, runCli } from '../helpers/run-cli.ts';
import { lineOf } from '../helpers/source-line.ts';

interface Recorded {
  /** The example's folder. */
  readonly folder: string;
  readonly recording: string;
  readonly run: CliRun;
  readonly report: Report;
}

/** Records the tests of an example as a person would, once for all tests of this file. */
async function recordExample(name: string, home: string): Promise<Recorded> {
  const folder = projectFile('examples', name);
  const recording = path.join(home, name);
  const run = await runCli(['record', '--out', recording, '--', 'npm', 'test'], { cwd: folder });
  const { stdout } = await runCli(['analyze', '--json', recording], { cwd: folder });
  return { folder, recording, run, report: parseReport(stdout) };
}

const state: { home: string; examples: Map<string, Recorded> } = { home: '', examples: new Map() };
before(async () => {
  state.home = await mkdtemp(path.join(tmpdir(), 'hotspan-examples-'));
  for (const name of ['shop', 'reports-ts', 'healthy']) state.examples.set(name, await recordExample(name, state.home));
});
after(async () => rm(state.home, { recursive: true, force: true }));

const example = (name: string): Recorded => state.examples.get(name) ?? assert.fail(`${name} was not recorded`);

/** Files and lines of the hot lines of an example. */
function hotPlaces({ report }: Recorded): readonly string[] {
  return report.lines.map(({ url, line }) => `${filePathOf(url)}:${line}`);
}

/** Where the example has this text. */
function placeOf({ folder }: Recorded, file: string, text: string): string {
  const absolute = path.join(folder, file);
  return `${absolute}:${lineOf(absolute, text)}`;
}

const culprits = ({ report }: Recorded): ReadonlyMap<string, Report['functions'][number]> =>
  new Map(report.functions.filter(({ culprit }) => culprit !== null).map((fn) => [fn.name, fn]));

describe('the shop', () => {
  const hot = [
    ['snapshot', 'src/catalogue/catalogue.js', 'JSON.parse(JSON.stringify('],
    ['rankByCategory', 'src/catalogue/bestsellers.js', '[...products].sort('],
    ['isEmail', 'src/accounts/email.js', 'pattern.test(text)'],
    ['keyFor', 'src/accounts/card.js', 'return scryptSync('],
    ['#totalsByMonth', 'src/orders/order-book.js', 'new Date(order.date)'],
    ['callSite', 'src/logger.js', 'new Error().stack'],
    ['detectBrowser', 'src/visits/user-agent.js', 'pattern.exec(userAgent)'],
    ['signIn', 'src/accounts/accounts.js', 'bcrypt.compare('],
  ] as const;
  for (const [name, file, text] of hot) {
    test(`${name} blocks, at ${text}`, () => {
      const shop = example('shop');
      assert.ok(culprits(shop).has(name), shop.run.stderr);
      assert.ok(hotPlaces(shop).includes(placeOf(shop, file, text)), hotPlaces(shop).join('\n'));
    });
  }

  test('whoever only calls these is innocent', () => {
    const found = culprits(example('shop'));
    for (const name of ['listProducts', 'priceOf', 'bestsellers', 'register', 'keepCard', 'sealCard', 'summary'])
      assert.ok(!found.has(name), name);
  });

  test('the catalogue is cloned by three routes', () => {
    assert.equal(culprits(example('shop')).get('snapshot')?.culprit?.distinctStacks, 3);
  });

  test('nobody waits on a server in the process of its tests', () => {
    assert.deepEqual(example('shop').report.routes, []);
  });

  test('bcryptjs is blamed where no line of the shop is on the stack', () => {
    const blamed = example('shop').report.operations.filter(({ blame }) => blame?.name === 'bcryptjs');
    assert.ok(blamed.length > 0);
    assert.match(example('shop').run.stderr, /With no line of yours on the stack: .*bcryptjs up to \d+ ms \(\d+ ×\)/);
  });

  test('the tests ran as they do without Hotspan, which said all it had to say on stderr', () => {
    const { code, stdout } = example('shop').run;
    assert.equal(code, 0);
    assert.match(stdout, /40 passing/);
    assert.ok(!stdout.includes('worst'));
  });

  test('each hotspot is listed with its figures, and its source line below', () => {
    const [, label] =
      example('shop').run.stderr.match(
        /\d+ ms worst · \d+ × >10 ms · 3 stacks {2,}(\S+) {2}src\/catalogue\/catalogue\.js:\d+\n +\d+ │ return JSON\.parse\(JSON\.stringify\(products\)\);\n/,
      ) ?? [];
    assert.equal(label, 'snapshot');
  });

  test('--fail-over fails over the limit, by name, and only then', async () => {
    const { folder: cwd, recording } = example('shop');
    const over = await runCli(['analyze', recording, '--fail-over', '12'], { cwd });
    assert.equal(over.code, 1);
    assert.match(over.stderr, /^hotspan: Over the limit of 12 ms: \d+ ms in [\w ]+, src\/\S+:\d+/m);
    const under = await runCli(['analyze', recording, '--fail-over', '60000'], { cwd });
    assert.deepEqual([under.code, under.stderr], [0, '']);
  });

  test('--markdown is for CI', async () => {
    const { folder: cwd, recording } = example('shop');
    const { stdout } = await runCli(['analyze', recording, '--markdown'], { cwd });
    assert.match(stdout, /^### Hotspan: npm test\n/);
    assert.match(stdout, /\| snapshot \| src\/catalogue\/catalogue\\\.js\\:\d+<br>` return JSON\.parse/);
  });
});

describe('the reports', () => {
  const hot = [
    ['monthName', 'src/monthly-report.ts', 'function monthName(', 'new Intl.DateTimeFormat('],
    ['compressed', 'src/archive.ts', 'function compressed(', 'return gzipSync('],
    ['editDistance', 'src/duplicate-customers.ts', 'export function editDistance(', null],
  ] as const;
  for (const [name, file, declaration, text] of hot) {
    test(`${name} blocks, in the TypeScript`, () => {
      const reports = example('reports-ts');
      const found = culprits(reports).get(name);
      assert.ok(found !== undefined, reports.run.stderr);
      assert.equal(`${filePathOf(found.url)}:${found.line}`, placeOf(reports, file, declaration));
      if (text !== null)
        assert.ok(hotPlaces(reports).includes(placeOf(reports, file, text)), hotPlaces(reports).join('\n'));
    });
  }

  test('their tests pass as without Hotspan', () => {
    assert.equal(example('reports-ts').run.code, 0);
    assert.match(example('reports-ts').run.stdout, /15 passed/);
  });
});

// Nothing in it takes 10 ms, but a busy machine can stop any program for longer: then the result says so.
test('nothing blocks in the healthy one (real clock)', async () => {
  const { run, recording, folder } = example('healthy');
  assert.match(run.stderr, /^Nothing in your code blocks for more than 10 ms\.|^! The machine was busy/m);
  const analysis = await runCli(['analyze', '--threshold', '100', recording], { cwd: folder });
  assert.match(analysis.stdout, /^Nothing in your code blocks for more than 100 ms\./m);
});
