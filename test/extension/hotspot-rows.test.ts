import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FindingItem, HotspotGroup, HotspotItem, Verdict } from '../../protocol/list-rows.ts';
import { milliseconds } from '../../protocol/units.ts';
import { fakeVscode } from '../helpers/fake-vscode.ts';
import { assertEach } from '../helpers/assert-each.ts';

fakeVscode();
const { ThemeIcon, TreeItemCollapsibleState } = await import('vscode');
const { childrenOf, rowsOf, treeItemOf, verdictRows } = await import('../../extension/hotspots/hotspot-rows.ts');

const item = (figure: string, label: string): HotspotItem => ({
  functionId: 1,
  figure,
  label,
  description: '14 × · 3 stacks · :12',
  tooltip: `src/${label}.js:12\n${figure} worst · 14 × >10 ms · 3 stacks`,
  class: 'monster',
  tone: 'plain',
  worstUs: milliseconds(1840),
  location: null,
});
const group = (kind: HotspotGroup['kind'], label: string, items: readonly HotspotItem[]): HotspotGroup => ({
  ...{ kind, label, items },
  ...{ figure: items[0]?.figure ?? '', description: '', tooltip: label, uri: null },
});

test('a row begins with its figure, as wide as all others, is heard as a sentence, and its tooltip has all', () => {
  const [first, second] = rowsOf([group('functions', '', [item('1.84 s', 'rank'), item('312 ms', 'quote')])], '/r');
  assert.ok(first && second);
  const row = treeItemOf(first);
  assert.equal(row.label, '\u20071.84 s\u2002rank');
  assert.equal(treeItemOf(second).label, '312 ms\u2002quote');
  assert.equal(row.accessibilityInformation?.label, 'rank, 1.84 s, 14 times, 3 stacks, line 12');
  assert.equal(row.tooltip, 'src/rank.js:12\n1.84 s worst · 14 × >10 ms · 3 stacks');
});

test('what is dimmed in the editor has a grey icon in the tree, too', () => {
  const tones = [item('12 ms', 'total'), { ...item('312 ms', 'fixture'), tone: 'dim' as const }];
  const colorsOfRows = rowsOf([group('functions', '', tones)], '/r').map((row) => {
    const { iconPath } = treeItemOf(row);
    return iconPath instanceof ThemeIcon ? iconPath.color?.id : iconPath;
  });
  assert.deepEqual(colorsOfRows, ['hotspan.monster', 'descriptionForeground']);
});

test('twenty rows are shown, the others wait behind one', () => {
  const items = Array.from({ length: 27 }, (_, number) => item('12 ms', `fn${number}`));
  const [file] = rowsOf([group('file', 'a.js', items)], '/r');
  const shown = file === undefined ? [] : childrenOf(file);
  const more = shown.at(-1);
  assert.ok(shown.length === 21 && more?.type === 'more');
  assert.equal(treeItemOf(more).label, '+7 more');
  assert.equal(childrenOf(more).length, 7);
});

test('the verdict stands first: a card of two rows for each finding, then closed rows with all else', () => {
  const finding = (label: string): FindingItem => ({
    ...item('961 ms', label),
    sentences: ['All of it in the package fraction.js.', 'Removes 1.8 s.', 'Call it less often.'],
  });
  const verdict: Verdict = {
    findings: [finding('number')],
    fixed: [],
    closed: [finding('once')],
    left: 'Not shown: 24 more that remove at most 12 ms each, together 18 %; seen once (1).',
    makeSure: { text: 'Make sure of 1 finding', description: '2 × about 9 s, 3 test files' },
    nothingLeft: '',
    nothing: null,
  };
  const many = rowsOf(
    [
      group(
        'file',
        'a.js',
        Array.from({ length: 15 }, (_, at) => item('12 ms', `${at}`)),
      ),
    ],
    '/r',
  );
  const as = { recording: '/r', chosen: null };
  const rows = verdictRows(verdict, many, as).map((row) => ({ row, tree: treeItemOf(row) }));
  assertEach(rows, ({ tree }) => [tree.label, tree.collapsibleState], [
    ['961 ms\u2002number', TreeItemCollapsibleState.Expanded],
    ['Not in the verdict', TreeItemCollapsibleState.Collapsed],
    ['Make sure of 1 finding', TreeItemCollapsibleState.None],
    ['All hotspots', TreeItemCollapsibleState.Expanded],
  ]);
  assert.deepEqual(
    rows
      .flatMap(({ row }) => childrenOf(row))
      .slice(0, 1)
      .map((row) => treeItemOf(row).label),
    ['All of it in the package fraction.js.'],
  );
  assert.equal(
    rows[1]?.tree.accessibilityInformation?.label,
    'Not in the verdict, 24 more that remove at most 12 ms each, together 18 %; seen once (1)',
  );
  const { description, command } = rows[2]?.tree ?? {};
  assert.deepEqual(
    [description, command?.command, command?.arguments],
    ['2 × about 9 s, 3 test files', 'hotspan.makeSure', [{ recording: '/r' }]],
  );
  const crowded = verdictRows(verdict, [...many, ...many, ...many], as).at(-1);
  assert.ok(crowded);
  assert.equal(treeItemOf(crowded).collapsibleState, TreeItemCollapsibleState.Collapsed);
  const asked = verdictRows(verdict, [...many, ...many, ...many], { ...as, chosen: 'test worst' }).at(-1);
  assert.ok(asked);
  assert.equal(treeItemOf(asked).collapsibleState, TreeItemCollapsibleState.Expanded);
});

test('where nothing is to be done, that is said first', () => {
  const verdict: Verdict = {
    findings: [],
    fixed: [],
    closed: [],
    left: null,
    makeSure: null,
    nothingLeft: '',
    nothing: 'Nothing to do here.',
  };
  assertEach(verdictRows(verdict, [], { recording: '/r', chosen: null }), (row) => treeItemOf(row).label, [
    'Nothing to do here.',
  ]);
});

test('a group that is a sentence is one row without others below', () => {
  const [note] = rowsOf([group('note', 'No tests are known.', [])], '/r');
  assert.ok(note);
  assert.deepEqual([treeItemOf(note).label, childrenOf(note)], ['No tests are known.', []]);
});
