import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LineMark } from '../../protocol/requests.ts';
import { line0 } from '../../protocol/units.ts';
import { fakeVscode } from '../helpers/fake-vscode.ts';

fakeVscode();
const { planOf, styles } = await import('../../extension/annotations.ts');
const { isExcluded, toggled } = await import('../../extension/results/shown-paths.ts');

const mark = (fields: Partial<LineMark>): LineMark => ({
  line: line0(3),
  text: '',
  class: 'slow',
  tone: 'plain',
  ...fields,
});
const styleOf = (fields: Partial<LineMark>, dimmed = false): string | undefined =>
  [...planOf([mark(fields)], dimmed)].find(([, batch]) => batch.length > 0)?.[0];

test('a mark looks like its class and its tone', () => {
  assert.equal(styleOf({}), 'slow-plain');
  assert.equal(styleOf({ class: 'monster', tone: 'dim' }), 'monster-dim');
  assert.equal(styleOf({ class: 'verySlow', tone: 'background' }), 'slow-background');
});

test('while a run goes on all marks are dimmed', () => {
  assert.equal(styleOf({}, true), 'slow-dim');
});

test('what never blocks, shown by its total time, has a look too', () => {
  assert.equal(styleOf({ class: 'fast' }), 'medium-plain');
});

test('every style is in the plan, so that setting all of them takes the old marks away', () => {
  assert.deepEqual(
    [...planOf([], false).keys()],
    styles.map(({ key }) => key),
  );
});

test('annotations are off for a file, for what is below a folder, and for nothing that begins alike', () => {
  assert.equal(isExcluded('src/a.js', ['src/a.js']), true);
  assert.equal(isExcluded('src/deep/a.js', ['src/']), true);
  assert.equal(isExcluded('source/a.js', ['src']), false);
  assert.equal(isExcluded('src/a.js', ['.']), true);
});

test('switching a folder twice leaves the list as it was', () => {
  assert.deepEqual(toggled('src', toggled('src', ['lib'])), ['lib']);
  assert.deepEqual(toggled('src', ['src/']), []);
});
