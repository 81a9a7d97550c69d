import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../helpers/drawn-cases.ts';
import type { ComparedSides } from '../../../engine/compare/judge-functions.ts';
import type { ChangeVerdict, ComparedFunction } from '../../../protocol/comparison.ts';
import { compared, type DrawnFunction, type DrawnRun, type DrawnSide } from '../../helpers/drawn-sides.ts';

/** Six runs a side: nothing confirms, or the last three do. */
const runs = 6;
/** In ms, so that no ratio of two times is exactly that of a rule, where rounding decides. */
const offLimits = 0.137;
/** In ms, around the threshold and far from it. */
const worst = fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 20, max: 400 }));
const run = fc.record({ worst, presence: fc.integer({ min: 0, max: 50 }), longCount: fc.integer({ max: 4, min: 0 }) });
const steady = fc.tuple(worst, fc.array(fc.integer({ min: 0, max: 3 }), { minLength: runs, maxLength: runs }));
const drawnRuns: fc.Arbitrary<readonly DrawnRun[]> = fc.oneof(
  { weight: 4, arbitrary: steady.map(([from, more]) => more.map((ms) => from + ms + offLimits)) },
  fc
    .array(run, { minLength: runs, maxLength: runs })
    .map((all) => all.map((one) => ({ ...one, worst: one.worst + offLimits, presence: one.worst + one.presence }))),
  fc.constant(Array.from({ length: runs }, () => null)),
);
const names = ['parse', 'sort', 'render', 'walk', 'read', 'merge'] as const;
const texts = fc.constantFrom('return one', 'return two');
const drawnSide: fc.Arbitrary<DrawnSide> = fc
  .uniqueArray(fc.record({ name: fc.constantFrom(...names), runs: drawnRuns, text: texts }), {
    selector: ({ name }) => name,
  })
  .map((all) =>
    Object.fromEntries(
      all.map(({ name, text, ...fn }): [string, DrawnFunction] => [name, { ...fn, text: `${name} ${text}` }]),
    ),
  );
const options: fc.Arbitrary<Partial<ComparedSides>> = fc.record({
  order: fc.constantFrom('interleaved' as const, 'blocks' as const),
  rule: fc.constantFrom('candidates' as const, 'stages' as const),
  confirm: fc.constantFrom(null, { from: 3, isNarrow: false }, { from: 3, isNarrow: true }),
  baseRuns: fc.constant(runs),
  headRuns: fc.constant(runs),
});

function always(
  what: string,
  check: (base: DrawnSide, head: DrawnSide, options: Partial<ComparedSides>) => void,
): void {
  test(what, () => fc.assert(fc.property(drawnSide, drawnSide, options, check), { numRuns: 500 }));
}

const mirror: Readonly<Partial<Record<ChangeVerdict, ChangeVerdict>>> = {
  ...{ faster: 'slower', slower: 'faster', new: 'gone', gone: 'new', moreOften: 'lessOften', lessOften: 'moreOften' },
  // What only the base reached is new, seen from the other side.
  notReached: 'new',
};

function mirrored({ verdict, is }: Pick<ComparedFunction, 'verdict' | 'is'>, back: ChangeVerdict): ChangeVerdict {
  if (verdict === 'new' && (back === 'notReached' || back === 'moved' || back === 'faster') && is !== null) return back;
  if (verdict === 'moved' && is === null) return 'new'; // Another function has its time.
  // What was edited and is not seen any more is faster; seen from the other side it is new.
  if (verdict === 'faster' && back === 'new') return 'new';
  return mirror[verdict] ?? verdict;
}

always('seen from the other side each change is the opposite one', (base, head, how) => {
  const [there, back] = [compared(base, head, how), compared(head, base, how)];
  assert.deepEqual(there.functions.length, back.functions.length);
  for (const [name, verdict] of Object.entries(back.verdicts))
    assert.equal(mirrored(there.fn(name), verdict), verdict, name);
  assert.equal(there.machine.shifted, back.machine.shifted);
});

always('a side that is compared with itself has no change', (base, _head, how) => {
  const { verdicts, machine } = compared(base, base, how);
  for (const verdict of Object.values(verdicts)) assert.ok(['noChangeSeen', 'tooNoisy'].includes(verdict), verdict);
  assert.equal(machine.shifted, false);
});

always('the order in which functions come does not matter', (base, head, how) => {
  const turned = (side: DrawnSide): DrawnSide => Object.fromEntries(Object.entries(side).toReversed());
  const [one, other] = [compared(base, head, how), compared(turned(base), turned(head), how)];
  assert.deepEqual(other.verdicts, one.verdicts);
  for (const name of Object.keys(one.verdicts)) assert.deepEqual(other.fn(name), one.fn(name));
});
