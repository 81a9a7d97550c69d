import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findTests } from '../../../../engine/read/source-code/find-tests.ts';
import { parseSource } from '../../../../engine/read/source-code/parse-source.ts';

/** Each test and suite that is found: its line, its kind, its titles, and how much of its own is known. */
function found(source: string, url = 'file:///a.test.ts'): readonly string[] {
  const file = parseSource(source, url);
  assert.ok(file !== null);
  return findTests(file).map(({ line, kind, title, suites, isWhole }) => {
    const titles = [...suites, title].map(({ text }) => text).join(' > ');
    return [line, kind, titles, title.names, ...(isWhole ? [] : ['part'])].join(' ');
  });
}

test('tests are found with the suites around them, in the words of all four runners', () => {
  const source = `
describe('sum', () => {
  it('adds', () => {});
  context("of two", function () { specify(\`is quick\`, async () => {}); });
});
suite('tdd', () => { test('works', () => {}); });
test('alone', { timeout: 5 }, async (t) => { await t.test('inner', () => {}); });
fdescribe('focused', () => { fit('runs', () => {}); });
test.describe('of node', () => { test.it('runs', () => {}); });`;
  assert.deepEqual(found(source), [
    '2 suite sum one',
    '3 test sum > adds one',
    '4 suite sum > of two one',
    '4 test sum > of two > is quick one',
    '6 suite tdd one',
    '6 test tdd > works one',
    '7 test alone one',
    '8 suite focused one',
    '8 test focused > runs one',
    '9 suite of node one',
    '9 test of node > runs one',
  ]);
});

test('of a table or a template several tests are made, and of a name that is computed nothing is known', () => {
  const source = `
test.each([1, 2])('adds %i', (n) => {});
it.each\`a | b\`('is $a', ({ a }) => {});
test.for([1])('%s', (n) => {});
for (const n of [1, 2]) test(\`adds \${n} and \${n + 1}\`, () => {});
describe(Parser, () => { it(Parser.name, () => {}); it('reads', () => {}); });
it.concurrent.skipIf(isSlow)('is quick', () => {});`;
  assert.deepEqual(found(source), [
    '2 test adds %i several',
    '3 test is $a several',
    '4 test ${…} none',
    '5 test adds ${…} and ${…} several',
    '6 suite ${…} none',
    '6 test ${…} > ${…} none',
    '6 test ${…} > reads one',
    '7 test is quick one',
  ]);
});

test('what never runs, and what only looks like a test, has none', () => {
  const source = `
it.skip('a', () => {}); it.todo('b', () => {}); xit('c', () => {}); xdescribe('d', () => { it('e', () => {}); });
describe.skip('f', () => { it('g', () => {}); });
/x/.test('h', () => {}); test('i'); test(value); test.before(() => {}); it.each([() => {}]); suite.add('j', () => {});`;
  assert.deepEqual(found(source), []);
});

test('suites around a test of a function that others call are not known', () => {
  const source = `
describe('known', () => {
  const cases = (name) => { it('one', () => {}); };
  function more() { describe('inner', () => { it('two', () => {}); }); }
  [1, 2].forEach(() => { it('three', () => {}); });
  cases(); more();
});`;
  assert.deepEqual(found(source), [
    '2 suite known one',
    '3 test one one part',
    '4 suite inner one part',
    '4 test inner > two one part',
    '5 test known > three one',
  ]);
});

test('a deep nest and a mistake in a source are no trouble', () => {
  const deep = `${"describe('s', () => {".repeat(50)}it('t', () => {});${'});'.repeat(50)}`;
  assert.equal(found(deep).length, 51);
  assert.deepEqual(found("test('a', () => { const b = 1; const b = 2; });\ntest('b', () => {});"), [
    '1 test a one',
    '2 test b one',
  ]);
});
