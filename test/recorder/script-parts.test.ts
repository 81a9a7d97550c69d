import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scriptParts } from '../../recorder/launch/npm-scripts/script-text.ts';
import { assertEach } from '../helpers/assert-each.ts';

function textsOf(script: string, scripts: Readonly<Record<string, string>>): readonly string[] {
  return scriptParts(script, scripts).map(({ text }) => text);
}

test('scripts that all call each other are read once each', () => {
  const names = Array.from({ length: 12 }, (_, at) => `t:${at}`);
  const scripts = Object.fromEntries(names.map((name) => [name, `echo ${name} && run-s t:*`]));
  assert.deepEqual(
    textsOf('run-s t:*', scripts)
      .filter((text) => text.startsWith('echo'))
      .toSorted(),
    names.map((name) => `echo ${name}`).toSorted(),
  );
});

test('scripts that call the next one twice are read a few times', () => {
  const scripts = Object.fromEntries(
    Array.from({ length: 40 }, (_, at) => [`s${at}`, `npm run s${at + 1} && npm run s${at + 1}`]),
  );
  const parts = scriptParts('npm run s0', { ...scripts, s40: 'vitest' });
  // Once where arguments reach it, and once for all places where they do not.
  assertEach(parts, ({ text, passing }) => [text, passing === null], [
    ['vitest', true],
    ['vitest', false],
  ]);
});

test('no more than a thousand commands are looked at', () => {
  const scripts = Object.fromEntries(
    Array.from({ length: 10 }, (_, at) => {
      return [`s${at}`, `npm run s${at + 1} -- ${at}l && npm run s${at + 1} -- ${at}r`];
    }),
  );
  assert.equal(textsOf('npm run s0', { ...scripts, s10: 'a && '.repeat(500) }).length, 1000);
});

test('a script that is called with other arguments is another command', () => {
  assert.deepEqual(textsOf('npm run x -- --a && npm run x -- --b && npm run x -- --a', { x: 'vitest' }), [
    'vitest --a',
    'vitest --b',
    'vitest --a',
  ]);
  assert.deepEqual(textsOf('npm run constructor', {}), ['npm run constructor'], 'no script has this name');
  assertEach(scriptParts('mocha "*.@(a|b)"', {}), ({ passing }) => passing, [[]]);
});
