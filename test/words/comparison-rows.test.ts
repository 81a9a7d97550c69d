import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { comparisonGroups } from '../../words/editor/row-texts.ts';
import { comparisonNotes, gapTexts, hasGapOnOneSide, sidesText } from '../../words/formats/comparison-notes.ts';
import { assertEach } from '../helpers/assert-each.ts';
import { comparisonOf } from '../helpers/drawn-sides.ts';

const steady = [40, 41, 42];

describe('a comparison is grouped', () => {
  const groups = comparisonGroups(
    comparisonOf(
      {
        slow: { runs: steady, text: 'was' },
        quick: { runs: [310, 312, 315], text: 'was' },
        same: { runs: steady },
        noisy: { runs: steady },
        old: { runs: [200, 201, 202], text: 'an old text' },
        unreached: { runs: steady },
      },
      {
        slow: { runs: [80, 81, 82], text: 'now' },
        quick: { runs: [40, 41, 44], text: 'now' },
        same: { runs: steady },
        noisy: { runs: [40, 70, 35] },
        fresh: { runs: steady, text: 'quite another one' },
        unreached: { runs: [null, null, null] },
      },
    ),
  );

  test('by verdict, what a person must act on first; what is quiet is closed', () => {
    assertEach(groups, ({ title, isOpen, rows }) => [title, isOpen, rows.length], [
      ['Slower', true, 1],
      ['New', true, 1],
      ['Faster', true, 1],
      ['Gone', true, 1],
      ['Too noisy to say', true, 1],
      ['Not seen', false, 1],
      ['No change seen', false, 1],
    ]);
  });

  test('with the figure first, then the name, and the place behind', () => {
    const labels = groups.flatMap(({ rows }) => rows.map(({ label }) => label));
    assert.deepEqual(labels, [
      ...['41 → 81 ms  slow', '41 ms  fresh', '312 → 41 ms  quick', '201 ms  old'],
      ...['±71 %  noisy', 'was 41 ms  unreached', '±0 %  same'],
    ]);
    assert.equal(groups[0]?.rows[0]?.description, 'src/shop.js:1');
  });

  test('and the tooltip has the interval and each run', () => {
    const [, , faster] = groups;
    assert.deepEqual(faster?.rows[0]?.tooltip.split('\n'), [
      'quick, src/shop.js:1',
      'faster: 312 → 41 ms (40–44, 3 pairs)',
      '0.13 × as long as before (from 0.13 × to 0.14 ×)',
      'before: 310 ms, 312 ms, 315 ms',
      'now: 40 ms, 41 ms, 44 ms',
      'with what it calls: 312 → 41 ms',
    ]);
    assert.match(groups[3]?.rows[0]?.tooltip ?? '', /now: not seen, not seen, not seen\n[^]*no such function any more/);
  });
});

test('nothing in a name is obeyed by the tree', () => {
  const name = 'x\u202Ey\n$(flame)';
  const [group] = comparisonGroups(comparisonOf({ [name]: { runs: steady } }, { [name]: { runs: steady } }));
  const [row] = group?.rows ?? [];
  assert.doesNotMatch(`${row?.label}${row?.description}`, /[\u202E\n]/);
});

test('what is missing on a side is said, and that on one side alone leaves no verdict', () => {
  const { base, head } = comparisonOf({}, {});
  const lossy = (count: number): typeof head => ({
    ...head,
    runs: head.runs.map((run, number) => (number < count ? { ...run, path: 'rec/2', isIncomplete: true } : run)),
  });
  assert.deepEqual([gapTexts({ base, head }), hasGapOnOneSide({ base, head })], [[], false]);
  assert.deepEqual(gapTexts({ base, head: lossy(1) }), [
    'Figures may be missing on your work tree in 1 of 3 runs: "hotspan analyze rec/2" says why.',
  ]);
  assert.equal(hasGapOnOneSide({ base, head: lossy(1) }), false);
  assert.equal(hasGapOnOneSide({ base, head: lossy(3) }), true);
  assert.equal(hasGapOnOneSide({ base: lossy(3), head: lossy(3) }), false);
});

test('the first row says what was compared with what, and below it stands what makes it uncertain', () => {
  const none = comparisonOf({}, {});
  assert.equal(sidesText(none), 'main (3 runs) → your work tree (3 runs), in turn');
  const blocks = { ...none, order: 'blocks' as const, base: { ...none.base, name: null } };
  assert.equal(sidesText(blocks), 'before (3 runs) → your work tree (3 runs), one after the other');
  const machine = { shifted: true, flagged: 5, of: 17, medianRatio: 1.3 };
  const [first, second] = comparisonNotes({ machine, warnings: ['The command failed.'] });
  assert.match(first ?? '', /^5 of 17 functions with unchanged code are faster or slower, too/);
  assert.equal(second, 'The command failed.');
});
