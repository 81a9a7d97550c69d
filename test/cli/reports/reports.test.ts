import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ciReports } from '../../../cli/views/ci-reports.ts';
import { isRecord } from '../../../protocol/json-value.ts';
import { line1 } from '../../../protocol/units.ts';
import { checkOf, context, entry, hostile, mixed } from './checks.ts';

/** All values of a key, at any depth. */
function valuesOf(json: unknown, key: string): readonly unknown[] {
  if (Array.isArray(json)) return json.flatMap((one) => valuesOf(one, key));
  if (!isRecord(json)) return [];
  return Object.entries(json).flatMap(([name, value]) => [...(name === key ? [value] : []), ...valuesOf(value, key)]);
}
const sarif = (...args: Parameters<typeof checkOf>): unknown => JSON.parse(ciReports.sarif(checkOf(...args), context));
const gitlab = (...args: Parameters<typeof checkOf>): unknown =>
  JSON.parse(ciReports.gitlab(checkOf(...args), context));

test('what is over its budget is an error, what is near it or not judged a warning, and the rest is nothing', () => {
  assert.deepEqual(valuesOf(JSON.parse(ciReports.gitlab(mixed, context)), 'severity'), [
    ...['major', 'major', 'minor', 'minor', 'minor'],
    'minor', // the warning of the check
  ]);
  const results = valuesOf(JSON.parse(ciReports.sarif(mixed, context)), 'results').flat();
  assert.deepEqual(valuesOf(results, 'level'), ['error', 'error', 'warning', 'warning', 'warning']);
});

test('a fingerprint is the same on another line and after another time, and another for each entry', () => {
  const before = [entry(), entry({ key: 'src/cart.ts#total' })];
  const after = before.map((one) => ({
    ...one,
    measured: [999_000, 998_000, 997_000],
    place: { label: 'snapshot', file: 'src/cart.ts', line: line1(99) },
  }));
  for (const report of [gitlab, sarif]) {
    const keys = ['fingerprint', 'primaryLocationLineHash', 'budgetEntry/v1'];
    const [was, is] = [before, after].map((entries) => keys.flatMap((key) => valuesOf(report(entries), key)));
    assert.deepEqual(was, is);
    assert.ok((was?.length ?? 0) >= 2);
    assert.equal(new Set(was).size, was?.length);
  }
});

test('paths are those of the repository, percent-encoded where they are URIs', () => {
  const place = { label: 'f', file: 'src/ü 1%#?.ts', line: line1(3) };
  const check = checkOf([entry({ place })]);
  assert.deepEqual(valuesOf(JSON.parse(ciReports.gitlab(check, context)), 'path'), ['src/ü 1%#?.ts']);
  assert.deepEqual(valuesOf(JSON.parse(ciReports.sarif(check, context)), 'uri'), ['src/%C3%BC%201%25%23%3F.ts']);
});

test('what is in no file of the repository is reported at the budget', () => {
  const files = ['/etc/passwd', 'C:\\a.ts', 'file:///a.ts', 'node:fs', '../other/a.ts'];
  const places = files.map((file) => ({ label: 'f', file, line: line1(3) }));
  const issues = gitlab([...places, null].map((place) => entry({ place })));
  assert.deepEqual([...new Set(valuesOf(issues, 'path'))], ['hotspan.budget.json']);
  assert.deepEqual(valuesOf(issues, 'begin'), [1, 1, 1, 1, 1, 1]);
});

test('GitHub gets the worst ten of each kind, and a notice about the rest', () => {
  const over = Array.from({ length: 15 }, (_, index) =>
    entry({ key: `a.ts#f${index}`, measured: [(index + 1) * 300_000], place: null }),
  );
  const near = Array.from({ length: 12 }, (_, index) => entry({ key: `a.ts#n${index}`, verdict: 'near' }));
  const lines = ciReports
    .github(checkOf([...over, ...near], ['Odd.']), context)
    .trimEnd()
    .split('\n');
  assert.equal(lines.filter((line) => line.startsWith('::error ')).length, 10);
  assert.equal(lines.filter((line) => line.startsWith('::warning ')).length, 10);
  assert.match(lines[0] ?? '', /::a\.ts#f14: 4\.5 s, over its budget of 200 ms$/);
  assert.match(lines[10] ?? '', /not all could be judged::Odd\.$/);
  assert.equal(lines.at(-1), '::notice title=Hotspan::8 more annotations did not fit: see the summary.');
  assert.equal(ciReports.github(checkOf([entry({ verdict: 'within' })]), context), '');
});

test('an annotation stands on the line, and where the line is unknown on the file', () => {
  const place = { label: 'f', file: 'a.ts', line: line1(0) };
  assert.match(ciReports.github(checkOf([entry()]), context), /^::error file=src\/cart\.ts,line=12,title=/);
  assert.match(ciReports.github(checkOf([entry({ place })]), context), /^::error file=a\.ts,title=/);
});

test('no name is a command of GitHub', () => {
  const lines = ciReports.github(hostile, context).trimEnd().split('\n');
  assert.equal(lines.length, 4);
  for (const line of lines) {
    assert.match(line, /^::(error|warning) (file=[^:,]*,)?(line=\d+,)?title=[^:,]+::/);
    assert.doesNotMatch(line, /[\p{Cc}\p{Cs}\u202E]|%(?!25|0D|0A|3A|2C)/u);
  }
});

test('names in JSON are whole characters, without hidden ones, and no links or arguments of SARIF', () => {
  for (const format of ['gitlab', 'sarif'] as const) {
    const json: unknown = JSON.parse(ciReports[format](hostile, context));
    for (const text of [...valuesOf(json, 'description'), ...valuesOf(json, 'text')])
      assert.doesNotMatch(typeof text === 'string' ? text : '', /[\p{Cs}\p{Cc}\u202E]/u);
  }
  const messages = valuesOf(JSON.parse(ciReports.sarif(hostile, context)), 'message');
  assert.match(JSON.stringify(messages[0]), /\\\\\[a\\\\\]\(http:\/\/x\) \{\{0\}\}/);
});

test('a budget that was not judged is not an empty list in GitLab, and a notification in SARIF', () => {
  assert.deepEqual(valuesOf(gitlab([], ['Nothing was seen.']), 'description'), ['Nothing was seen.']);
  const notifications = valuesOf(sarif([], ['Nothing was seen.']), 'toolExecutionNotifications');
  assert.match(JSON.stringify(notifications), /"level":"warning","message":\{"text":"Nothing was seen\."\}/);
});
