import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TrackedMark } from '../../extension/marks/tracked-marks.ts';
import type { LineMark } from '../../protocol/requests.ts';
import { line0 } from '../../protocol/units.ts';
import { fakeVscode } from '../helpers/fake-vscode.ts';

fakeVscode();
const { planOf } = await import('../../extension/marks/annotations.ts');
const { styleOf, styles } = await import('../../extension/marks/annotations.ts');
const { isOn, toggled } = await import('../../extension/ui/settings.ts');

const mark = (fields: Partial<LineMark>): LineMark => {
  return { line: line0(3), text: '', class: 'slow', tone: 'plain', within: null, of: null, isBehind: true, ...fields };
};

test('a mark looks like its class and its tone', () => {
  assert.equal(styleOf(mark({}), false), 'slow-plain');
  assert.equal(styleOf(mark({ class: 'monster', tone: 'dim' }), false), 'monster-dim');
  assert.equal(styleOf(mark({ class: 'verySlow', tone: 'background' }), false), 'slow-background');
});

test('what never blocks, shown by its total time, has a look too', () => {
  assert.equal(styleOf(mark({ class: 'fast' }), false), 'medium-plain');
});

test('marks are dimmed while a run goes on, and where their code has changed', () => {
  const tracked = (isStale: boolean): TrackedMark => ({ id: 1, mark: mark({}), anchor: 0, isStale, code: null });
  assert.deepEqual([...planOf([tracked(false)], true).keys()], ['slow-dim']);
  assert.deepEqual([...planOf([tracked(true), tracked(false)], false).keys()], ['slow-dim', 'slow-plain']);
});

test('every mark has a style that is there', () => {
  const classes = ['fast', 'medium', 'slow', 'verySlow', 'monster'] as const;
  const used = classes.flatMap((one) =>
    (['plain', 'dim', 'background'] as const).map((tone) => styleOf(mark({ class: one, tone }), false)),
  );
  assert.deepEqual(new Set(used), new Set(styles.map(({ key }) => key)));
});

test('annotations are off for a file, for what is below a folder, and for nothing that begins alike', () => {
  assert.equal(isOn('/src/a.js', { '/src/a.js': false }), false);
  assert.equal(isOn('/src/deep/a.js', { '/src': false }), false);
  assert.equal(isOn('/source/a.js', { '/src': false }), true);
  assert.equal(isOn('/src/a.js', { '/': false }), false);
});

test('a file in a folder that is off can be switched on and off, and goes with the folder when that is switched', () => {
  const off = toggled('/src', { '/lib': false });
  const withFile = toggled('/src/a.js', off);
  assert.deepEqual([isOn('/src/a.js', withFile), isOn('/src/b.js', withFile)], [true, false]);
  assert.deepEqual(toggled('/src/a.js', withFile), off);
  for (const switches of [off, withFile]) assert.deepEqual(toggled('/src', switches), { '/lib': false });
});
