import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { findTests } from '../../engine/read/source-code/find-tests.ts';
import { parseSource } from '../../engine/read/source-code/parse-source.ts';
import { testsToRun } from '../../language-server/server.ts';
import type { FileTest } from '../../protocol/requests.ts';
import { type Runner, type Target, onlyTest } from '../../recorder/launch/target.ts';
import { testLens } from '../../words/editor/lens-texts.ts';
import { assertEach } from '../helpers/assert-each.ts';

const source = `
describe('sum', () => {
  it('adds', () => {});
  it('adds (twice)', () => {});
  it(\`adds \${n}\`, () => {});
  it(title(), () => {});
});
describe('price', () => { it('adds', () => {}); });
test('also adds', () => {});
test(title(), () => {});
describe.each(all)('of %s', () => { it('works', () => {}); });
`;

function testsOf(text: string): readonly FileTest[] {
  const file = parseSource(text, 'a.test.js');
  assert.ok(file !== null);
  return testsToRun(findTests(file));
}

test('a lens names what it runs: the test, the suite, all that fit, else the suite around it or the file', () => {
  assertEach(testsOf(source), (one) => `${one.line} ${testLens(one).title}`, [
    '1 $(flame) Profile This Suite',
    '2 $(flame) Profile This Test',
    '3 $(flame) Profile This Test',
    '4 $(flame) Profile These Tests',
    '5 $(flame) Profile Suite "sum"',
    '7 $(flame) Profile This Suite',
    '7 $(flame) Profile This Test',
    '8 $(flame) Profile This Test',
    '9 $(flame) Profile This File',
    '10 $(flame) Profile These Suites',
    '10 $(flame) Profile This Test',
  ]);
});

describe('the pattern of a lens finds its own test alone, among the full names of all', () => {
  const names = ['sum adds', 'sum adds (twice)', 'sum adds 5', 'sum odd', 'price adds', 'also adds', 'of 1 works'];
  const expected = new Map([
    [1, ['sum adds', 'sum adds (twice)', 'sum adds 5', 'sum odd']],
    [2, ['sum adds']],
    [3, ['sum adds (twice)']],
    [4, ['sum adds (twice)', 'sum adds 5']], // A template may make the other name, too.
    [5, ['sum adds', 'sum adds (twice)', 'sum adds 5', 'sum odd']],
    [8, ['also adds']],
    [10, ['of 1 works']],
  ]);
  for (const runner of ['jest', 'mocha', 'vitest'] as const) {
    test(runner, () => {
      for (const [line, expectedNames] of expected) {
        const pattern = new RegExp(patternAt(line, runner));
        const found = names.filter((name) => pattern.test(name));
        assert.deepEqual(found, expectedNames, `line ${line}: ${pattern.source}`);
      }
    });
  }

  test('node:test goes by the own name, and by the full one where two tests have the same', () => {
    const own = [2, 3, 8].map((line) => patternAt(line, 'node:test'));
    assert.deepEqual(own, ['^sum adds$', String.raw`^adds \(twice\)$`, '^also adds$']);
  });
});

function patternAt(line: number, runner: Runner): string {
  const shown = testsOf(source).findLast((one) => one.line === line) ?? assert.fail(`no test at ${line}`);
  const { titles, isSuite, isWhole, isShared } = shown;
  const chosen = { name: titles.at(-1) ?? '', suites: titles.slice(0, -1), isSuite, isWhole, isShared };
  const target: Target = {
    ...{ id: 'a', kind: 'fileTests', runner, label: 'a', description: '', folder: '/', env: {}, notes: [] },
    ...{ isOrchestrator: false, command: ['node', 'a.test.js'] },
  };
  const command = onlyTest(target, chosen)?.command ?? [];
  return command[command.findIndex((word) => word.startsWith('-')) + 1] ?? '';
}
