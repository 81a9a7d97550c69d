import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HotspotGroup } from '../../protocol/list-rows.ts';
import { stepFrom, worstFirst } from '../../protocol/next-hotspot.ts';
import { milliseconds } from '../../protocol/units.ts';

const spots = [
  { uri: 'file:///a.js', line: 5 },
  { uri: 'file:///b.js', line: 2 },
  { uri: 'file:///a.js', line: 9 },
];

test('from no hotspot, or with no editor, the next one is the worst', () => {
  assert.equal(stepFrom(null, spots, 'next'), spots[0]);
  assert.equal(stepFrom({ uri: 'file:///a.js', line: 6 }, spots, 'next'), spots[0]);
  assert.equal(stepFrom(null, [], 'next'), null);
});

test('from a hotspot it goes down the list, up with Previous, and round at the ends', () => {
  assert.equal(stepFrom({ uri: 'file:///a.js', line: 5 }, spots, 'next'), spots[1]);
  assert.equal(stepFrom({ uri: 'file:///a.js', line: 9 }, spots, 'next'), spots[0]);
  assert.equal(stepFrom({ uri: 'file:///a.js', line: 5 }, spots, 'previous'), spots[2]);
});

test('hotspots at one place are one step', () => {
  const [first, second, third] = spots;
  assert.ok(first && second && third);
  const doubled = [first, { ...second }, { ...second }, { ...first }, third];
  assert.equal(stepFrom(second, doubled, 'next'), third);
  assert.equal(stepFrom(third, doubled, 'next'), first);
  assert.deepEqual(stepFrom(third, doubled, 'previous'), second);
});

const group = (kind: HotspotGroup['kind'], ...rows: readonly number[]): HotspotGroup => {
  const about = { description: '', tooltip: '', class: 'slow', tone: 'plain', location: null } as const;
  const items = rows.map((ms) => ({ ...about, functionId: -1, figure: '', label: `${ms}`, worstUs: milliseconds(ms) }));
  return { kind, figure: '', label: '', description: '', tooltip: '', uri: null, items };
};

test('what several results and kinds have is in one order, worst first; one list stays in its own', () => {
  const verdict = { findings: [], closed: [], fixed: [], left: null, makeSure: null, nothingLeft: '', nothing: null };
  const result = (...groups: readonly HotspotGroup[]) => ({ target: '', recording: '', verdict, groups });
  const all = [
    result(group('functions', 90, 40), group('package', 269), group('loading', 99)),
    result(group('functions', 80)),
  ];
  const labels = (...args: Parameters<typeof worstFirst>) =>
    worstFirst(...args)
      .map(({ label }) => label)
      .join(' ');
  assert.equal(labels(all, ['functions', 'package']), '269 90 80 40');
  assert.equal(labels([result(group('functions', 40, 90))], ['functions']), '40 90');
});
