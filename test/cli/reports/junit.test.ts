import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ciReports } from '../../../cli/views/ci-reports.ts';
import type { BudgetCheck } from '../../../protocol/budget.ts';
import { line1 } from '../../../protocol/units.ts';
import { checkOf, context, entry, hostile, mixed } from './checks.ts';

const junit = (check: BudgetCheck): string => ciReports.junit(check, context);
const tag = /<(\/?)([a-z-]+)((?: [a-z]+="[^"<>&]*(?:&#\d+;[^"<>&]*)*")*)(\/?)>/g;

/** Names of the elements, outermost first, in the order of their ends. Throws where XML is not well-formed. */
function elementsOf(xml: string): readonly string[] {
  const body = xml.slice('<?xml version="1.0" encoding="UTF-8"?>'.length);
  assert.doesNotMatch(body.replaceAll(tag, ''), /[<>]|&(?!#\d+;)/, 'text that is not text');
  const open: string[] = [];
  return [...body.matchAll(tag)].flatMap(([, slash, name = '', , closed]) => {
    if (slash === '/') assert.equal(open.pop(), name);
    else if (closed === '') open.push(name);
    return slash === '/' ? [] : [[...open, ...(closed === '/' ? [name] : [])].join(' ')];
  });
}

test('each entry is a test case: failed, skipped, or passed with its figures', () => {
  const xml = junit(mixed);
  const cases = elementsOf(xml).filter((path) => path.includes('testcase '));
  assert.deepEqual(
    cases.map((path) => path.split(' ').at(-1)),
    ['failure', 'skipped', 'skipped', 'system-out', 'failure', 'system-out'],
  );
  assert.match(xml, /<testsuite [^>]*skipped="2" tests="6" failures="2" errors="0">/);
  assert.match(xml, /<testcase classname="src\/cart\.ts" name="snapshot"><failure message="312 ms, over its budget/);
  assert.match(xml, /<testcase classname="hotspan route" name="GET \/orders">/);
  assert.match(xml, /<system-err>The command failed \(exit code 1\)/);
});

test('a # in the name of a file or a function does not end the name of the file', () => {
  const namesOf = (key: string, file: string | null): readonly string[] => {
    const place = file === null ? null : { label: 'f', file, line: line1(1) };
    const xml = junit(checkOf([entry({ key, place })]));
    return [...(/<testcase classname="([^"]*)" name="([^"]*)"/.exec(xml) ?? [])].slice(1);
  };
  assert.deepEqual(namesOf('a b#odd.js#f&g', null), ['a b#odd.js', 'f&#38;g']);
  assert.deepEqual(namesOf('x.js#y.js#f', 'x.js#y.js'), ['x.js#y.js', 'f']);
  assert.deepEqual(namesOf('src/cart.ts#Cart>#total', null), ['src/cart.ts', 'Cart&#62;#total']);
  assert.deepEqual(namesOf('src/app.vue#f', null), ['src/app.vue', 'f']);
});

test('what was measured is in no name, so that a service finds the test case again', () => {
  const names = (ms: number): readonly string[] =>
    junit(checkOf([entry({ kind: 'whole', key: 'whole', measured: [ms * 1000], verdict: 'near' })])).match(
      /<testcase [^>]*>/g,
    ) ?? [];
  assert.deepEqual(names(170), names(190));
});

test('no name breaks the XML, and no test case has a file', () => {
  const xml = junit(hostile);
  assert.equal(elementsOf(xml).filter((path) => path.endsWith(' testcase')).length, 3);
  assert.doesNotMatch(xml, /[\p{Cs}\uFFFE\uFFFF]|(?!\n)\p{Cc}/u);
  assert.doesNotMatch(xml, / file="/);
});

test('a check of no entries is a suite of no tests', () => {
  assert.match(junit(checkOf([])), /<testsuite [^>]*tests="0" failures="0" errors="0">/);
});
