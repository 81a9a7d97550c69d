import assert from 'node:assert/strict';
import { utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { ExtensionContext } from 'vscode';
import type { ShownComparison } from '../../extension/comparison/shown-comparison.ts';
import type { Services } from '../../extension/results/results.ts';
import { line1 } from '../../protocol/units.ts';
import { comparisonOf, comparedRun } from '../helpers/drawn-sides.ts';
import { fakeVscode } from '../helpers/fake-vscode.ts';
import { is } from '../helpers/late-services.ts';
import { temporaryProject } from '../helpers/temporary-project.ts';

fakeVscode();
const { lineNow, linesOf, parseShownComparison } = await import('../../extension/comparison/shown-comparison.ts');
const { argumentsOf } = await import('../../extension/commands/compare-with.ts');
const { Comparisons } = await import('../../extension/comparison/comparisons.ts');
const { diffOf } = await import('../../extension/run/verify.ts');
const { openCompared } = await import('../../extension/comparison/comparison-view.ts');
const { fake } = await import('../helpers/fake-vscode-module.ts');

const folder = temporaryProject({});
const file = path.join(folder, 'shop.js');
const text = '// shop\nfunction quote() {\n  return 1;\n}\n';

/** A comparison in which `quote` is at a line of the file. */
function shownAt(line: number, label = 'quote'): ShownComparison {
  const steady = { quote: { runs: [40, 41, 42] } };
  const { functions, ...comparison } = comparisonOf(steady, steady);
  const place = { label, file: 'shop.js', url: pathToFileURL(file).href, line: line1(line) };
  const shown = { ...comparison, functions: functions.map((fn) => ({ ...fn, is: place })) };
  return { asked: { type: 'commit', ref: 'main', recording: '/r' }, comparison: shown, lines: ['function quote() {'] };
}

describe('a compared function is found again', () => {
  test('by its first line, where that is the only one of its kind', () => {
    const at = (now: string) => lineNow(now, line1(2), 'function quote() {');
    assert.equal(at(text), 1);
    assert.equal(at(`\n\n${text}`), 3);
    assert.equal(at(text.replace('quote', 'price')), null);
    assert.equal(at(`\n${text}${text}`), null);
    assert.equal(lineNow(text, line1(2), null), null);
  });

  test('by a file that is still what ran, or a line that has its name', async () => {
    writeFileSync(file, text);
    utimesSync(file, 2000, 2000);
    const linesAt = async (line: number, label?: string) =>
      linesOf(shownAt(line, label).comparison, 1_500_000, () => true);
    assert.deepEqual(await linesAt(2), ['function quote() {']);
    assert.deepEqual(await linesAt(3), [null]);
    assert.deepEqual(await linesAt(2, 'quote() callback in shop'), ['function quote() {']);
    assert.deepEqual(await linesAt(2, 'map() callback in quote'), [null]);
    assert.deepEqual(await linesAt(2, '(anonymous)'), [null]);
    utimesSync(file, 1000, 1000);
    assert.deepEqual(await linesAt(2, '(anonymous)'), ['function quote() {']);
  });

  test('never by a file outside of the workspace', async () => {
    writeFileSync(file, text);
    assert.deepEqual(await linesOf(shownAt(2).comparison, Infinity, () => false), [null]);
  });
});

test('a function that is gone opens no line: a sentence says where it was', async () => {
  const { comparison, ...shown } = shownAt(2);
  const functions = comparison.functions.map((fn) => ({ ...fn, is: null }));
  await openCompared({ ...shown, comparison: { ...comparison, functions } }, 0, { error: () => undefined });
  assert.deepEqual(fake.opened, []);
  assert.match(fake.messages.join('\n'), /^quote is gone: .* It was in src\/shop\.js\.$/);
});

test('a comparison that was kept comes back as it was, and a damaged or cleared one not at all', async () => {
  const shown = shownAt(2);
  const [context, services] = [{ storageUri: { fsPath: path.join(folder, 'id/hotspan') } }, {}];
  assert.ok(is<ExtensionContext>(context) && is<Services>(services));
  const afterReload = async (): Promise<unknown> => {
    const comparisons = new Comparisons(context, services);
    await comparisons.restore();
    return comparisons.shown;
  };
  const comparisons = new Comparisons(context, services);
  await comparisons.show(shown);
  assert.deepEqual(await afterReload(), shown);
  await comparisons.clear();
  assert.equal(await afterReload(), null);
  const { comparison } = shown;
  const wrong = [
    { ...shown, asked: { type: 'other' } },
    { ...shown, comparison: { ...comparison, version: 2 } },
    { ...shown, comparison: { ...comparison, functions: [{ ...comparison.functions[0], verdict: 'great' }] } },
    { ...shown, lines: [1] },
  ];
  for (const one of wrong) assert.equal(parseShownComparison(JSON.stringify(one)), null, JSON.stringify(one));
  for (const one of ['', '{', 'null', JSON.stringify(shown).slice(0, -9)])
    assert.equal(parseShownComparison(one), null);
});

test('the diff of a comparison has its whole runs: those that confirm it ran a part of the tests', () => {
  const { comparison } = shownAt(2);
  const run = (path: string) => ({ ...comparedRun, path, paths: [path] });
  const side = (name: string) => {
    return { name: null, runs: [run(`/${name}1`), { ...run(`/${name}2`), isNarrow: true as const }] };
  };
  const diff = diffOf({ ...comparison, base: side('base'), head: side('head') }, comparison.functions[0]);
  assert.deepEqual([diff.base, diff.head, diff.place?.name], [[['/base1']], [['/head1']], 'quote']);
});

test('our command line is asked, and what a person typed is never an option of it', () => {
  const recording = '/r/1';
  assert.deepEqual(argumentsOf({ type: 'commit', ref: '--output=x', recording }), [
    ...['compare', '--base=--output=x', '--recording', recording, '--json'],
  ]);
  assert.deepEqual(argumentsOf({ type: 'recordings', base: ['/a', '/b'], head: ['/c'] }), [
    ...['compare', '--json', '/a', '/b', '--head', '/c'],
  ]);
});
