import assert from 'node:assert/strict';
import { utimesSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { asDrawn } from '../../helpers/drawn-root.ts';
import { copyFixture, type FixtureName } from '../../helpers/recording-fixtures.ts';
import { parseComparison } from '../../helpers/report-schema.ts';
import type { CliRun } from '../../helpers/run-cli.ts';
import { runHere } from '../../helpers/run-here.ts';
import { temporaryProject } from '../../helpers/temporary-project.ts';
import { uncertainProgram, uncertainRecording } from '../../helpers/uncertain-recording.ts';

const small = temporaryProject({});

/** Compares recordings of one project, each in its place there. */
async function compare(
  base: readonly FixtureName[],
  head: readonly FixtureName[],
  options: readonly string[] = [],
  cwd = small,
): Promise<CliRun> {
  const copied = (names: readonly FixtureName[]) => names.map((name) => copyFixture(name, { project: cwd }).recording);
  return runHere(['compare', ...copied(base), '--head', ...copied(head), ...options], { cwd });
}

const unchanged = ['small/run-1', 'small/run-2', 'small/run-3'] as const;
const faster = ['small/faster-1', 'small/faster-2', 'small/faster-3'] as const;

/** The table, without its note on sides that were recorded one after the other, and with single gaps. */
const tableOf = ({ stdout }: CliRun): readonly string[] =>
  asDrawn(stdout)
    .split('\n')
    .flatMap((line) => (line === '' || line.startsWith('! One side') ? [] : [line.replaceAll(/ {2,}/g, '  ')]));

test('a fix is faster, by how much and in how many runs', async () => {
  const run = await compare(unchanged, faster, ['--all']);
  assert.deepEqual(
    [run.code, ...tableOf(run)],
    [
      0,
      'faster  69 → 12 ms (11–19, 3 and 3 runs)  quote  shop.js:2',
      'no change seen  (±14 %)  rank  shop.js:9',
      '1 faster · no change seen in 1',
    ],
  );
  const { base, head, order, functions } = parseComparison((await compare(unchanged, faster, ['--json'])).stdout);
  assert.deepEqual([order, base.runs.length, head.runs.length], ['blocks', 3, 3]);
  const [quote, rank] = ['quote', 'rank'].map((label) => functions.find(({ is }) => is?.label === label));
  assert.deepEqual([quote?.verdict, quote?.textChanged], ['faster', true]);
  assert.deepEqual([rank?.verdict, rank?.textChanged], ['noChangeSeen', false]);
});

test('what is slower, or was not there before, fails, and Markdown says by how much', async () => {
  const assertFails = async (row: RegExp, ...head: readonly FixtureName[]): Promise<void> => {
    const { code, stdout } = await compare(unchanged, head, ['--markdown']);
    assert.equal(code, 1);
    assert.match(stdout, row);
  };
  const slower = /\n\| \*\*slower\*\* \| 69 → 283 ms \(274–290, 3 and 3 runs\) \| quote \| shop\\\.js\\:2 \|\n/;
  await assertFails(slower, 'small/slower-1', 'small/slower-2', 'small/slower-3');
  const added = /\n\| \*\*new\*\* \| 35 ms, in all of 3 runs, and not seen before \| discount \| shop\\\.js\\:9 \|\n/;
  await assertFails(added, 'small/split-1', 'small/split-2', 'small/split-3');
});

test('a function that only has another name is the same function', async () => {
  const run = await compare(unchanged, ['small/renamed-1', 'small/renamed-2', 'small/renamed-3'], ['--all']);
  assert.deepEqual(
    [run.code, ...tableOf(run)],
    [
      0,
      'too noisy to say  (±14 %)  price (was quote)  shop.js:2',
      'no change seen  (±11 %)  rank  shop.js:9',
      'no change seen in 1 · too noisy to say for 1',
    ],
  );
});

test('a fix in the shop is seen among functions that vary, and what may be slower keeps it from being green', async () => {
  const base = ['shop/first', 'shop/second', 'shop/third'] as const;
  const run = await compare(base, ['shop/fixed-1', 'shop/fixed-2', 'shop/fixed-3'], [], temporaryProject({}));
  assert.equal(run.code, 3);
  assert.equal(tableOf(run)[0], 'faster  155 → 12 ms (12 ms, 3 and 3 runs)  snapshot  src/catalogue/catalogue.js:21');
  assert.match(run.stdout, /\n! Nothing is certainly slower, but parseOrders may be: that is why /);
});

test('recordings of an outdated build are not judged, in any format, and say which source has changed since', async () => {
  const { 'shop.js': built } = uncertainProgram;
  const map = { version: 3, names: [], sources: ['cart.js'], sourcesContent: [built] };
  const files = { 'cart.js': built.replace('60', '70'), 'shop.js': `${built}//# sourceMappingURL=shop.js.map\n` };
  const mappings = `AAAA${';AACA'.repeat(14)}`;
  const folder = temporaryProject({ ...files, 'shop.js.map': JSON.stringify({ ...map, mappings }) });
  utimesSync(path.join(folder, 'shop.js'), 1, 1);
  const [was = '', now = ''] = [2, 3].map((idleMs) => uncertainRecording(folder, ['node', 'shop.js'], idleMs));
  for (const words of [[], ['--json'], ['--json', '--brief']]) {
    const { code, stdout, stderr } = await runHere(['compare', was, '--head', now, ...words], { cwd: folder });
    assert.deepEqual([code, stdout], [3, '']);
    assert.match(stderr, /cart\.js has changed since shop\.js was built: its figures are for the older code\./);
  }
});
