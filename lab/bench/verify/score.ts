import { isDoubtful } from '../../../engine/compare/change-rules.ts';
import { compareSides } from '../../../engine/compare/judge-functions.ts';
import { type ChangeVerdict, changeVerdicts, type ComparedFunction } from '../../../protocol/comparison.ts';
import { toMilliseconds } from '../../../protocol/units.ts';
import { changeText } from '../../../words/formats/change-texts.ts';
import { percent, share } from '../busy/table.ts';
import { type Drawn, drawPairs, drawNeighbours } from './draw.ts';
import { type Edit, keyOf, type Run, sideOf, threshold } from './read-runs.ts';
import { checkBudget, newBudget } from '../../../engine/compare/budget.ts';

/** How edits change the time of a function. */
export const changes = [
  ...[0.8, 1.2, 0.7, 1.3, 0.5, 1.5].map((factor) => {
    const by = Math.round(100 * Math.abs(factor - 1));
    return { name: `${factor < 1 ? '−' : '+'}${by} %`, factor };
  }),
  { name: '× 2', factor: 2 },
  { name: '−90 %', factor: 0.1 },
] as const;

/** Pairs that show a change, and as many that confirm it. */
const pairs = 3;
/** Where something is in doubt after the first pairs, so many in all. */
const mostOfComparison = pairs + 5;
/** How many pairs there are after each stage of a re-check. */
const stages = [3, 5, 8];

type Verdicts = readonly ComparedFunction[];

/** What differs between the sides. `reach`: of the functions that are not changed, those that may have other inputs. */
interface Differs {
  readonly edits: readonly Edit[];
  readonly reach: 'all' | 'none';
}

/** What `hotspan compare` says of pairs: the next ones confirm what has changed, and clear up what may have. */
function compareOf({ base, head }: Drawn, differs: Differs): Verdicts {
  const upTo = (count: number, isConfirmed = true): Verdicts =>
    judge({ base: base.slice(0, count), head: head.slice(0, count) }, differs, 'candidates', isConfirmed);
  const first = upTo(pairs, false);
  if (first.some(isDoubtful)) return upTo(mostOfComparison);
  if (!first.some(isChange)) return first;
  const confirmed = upTo(2 * pairs);
  const isOpen = confirmed.some(isDoubtful) || changesIn(confirmed) < changesIn(first);
  return isOpen ? upTo(mostOfComparison) : confirmed;
}

function changesIn(verdicts: Verdicts): number {
  return verdicts.filter((fn) => isChange(fn) && !fn.isTest).length;
}

/** What `hotspan recheck` says of each function: after three pairs, then five, then eight, until it is clear. */
function recheckOf({ base, head }: Drawn, differs: Differs): Verdicts {
  const said = new Map<string, ComparedFunction>();
  for (const count of stages) {
    for (const fn of judge({ base: base.slice(0, count), head: head.slice(0, count) }, differs, 'stages', false)) {
      const known = said.get(nameOf(fn));
      if (known === undefined || known.verdict === 'tooNoisy') said.set(nameOf(fn), fn);
    }
  }
  return [...said.values()];
}

function judge(
  { base, head }: Drawn,
  { edits, reach }: Differs,
  rule: 'candidates' | 'stages',
  isConfirmed: boolean,
): Verdicts {
  const [was, is] = [sideOf(base, []), sideOf(head, edits)];
  const changed = new Set(edits.map(({ key }) => key));
  const reached = new Set([...was, ...is].flatMap((fn) => (changed.has(keyOf(fn)) ? fn.identity : [])));
  return compareSides({
    ...{ base: was, head: is, baseRuns: base.length, headRuns: head.length },
    ...{ order: 'interleaved', thresholdUs: threshold, rule, reachedBy: reach === 'all' ? null : () => reached },
    confirm: isConfirmed ? { from: pairs, isNarrow: false } : null,
  }).functions;
}

/** Counts what is said to have changed where nothing has. */
export function falseVerdicts(
  runs: readonly Run[],
  draws: number,
  next: () => number,
): {
  /** Where no changed code reaches a function, and where all may have other inputs. */
  readonly compare: string;
  readonly reached: string;
  readonly recheck: string;
  readonly sentences: readonly string[];
} {
  const hasStages = runs.length >= 2 * mostPairs;
  const said = Array.from({ length: draws }, () => {
    const drawn = drawPairs(runs, Math.min(mostOfComparison, Math.floor(runs.length / 2)), next);
    const [compare, reached] = (['none', 'all'] as const).map((reach) => {
      return compareOf(drawn, { edits: [], reach }).filter(isChange);
    });
    const recheck = hasStages ? recheckOf(drawPairs(runs, mostPairs, next), { edits: [], reach: 'all' }) : [];
    return { compare: compare ?? [], reached: reached ?? [], recheck };
  });
  const rechecked = said.flatMap(({ recheck }) => recheck);
  return {
    compare: share(said.filter(({ compare }) => compare.length > 0).length, draws),
    reached: share(said.filter(({ reached }) => reached.length > 0).length, draws),
    recheck: hasStages ? share(rechecked.filter(isChange).length, rechecked.length) : tooFew,
    sentences: said.flatMap(({ compare, reached }) => [...compare, ...reached].map(sentenceOf)),
  };
}

const mostPairs = Math.max(...stages);
const tooFew = 'too few recordings';

function sentenceOf(fn: ComparedFunction): string {
  const side = { name: null, runs: [] };
  const text = changeText(fn, { order: 'interleaved', base: side, head: side, thresholdUs: threshold });
  return `${nameOf(fn)} is "${fn.verdict}": ${text}`;
}

/**
 * The share of changes that are found, by command and what changes, in the order of `changes`. Each function that is long
 * is changed alone, or with the next one, in the opposite direction.
 */
export function power(runs: readonly Run[], next: () => number): Readonly<Record<string, readonly string[]>> {
  const recheck = { pairs: mostPairs, of: recheckOf };
  const compare = { pairs: mostOfComparison, of: compareOf };
  const shares = (command: Command, of: Edit['of'], isOpposed: boolean): readonly string[] =>
    changes.map(({ factor }) =>
      runs.length < 2 * command.pairs ? tooFew : foundBy(command, { factor, of, isOpposed }, runs, next),
    );
  return {
    compare: shares(compare, 'text', false),
    '… two, opposed': shares(compare, 'text', true),
    '… of inputs': shares(compare, 'inputs', false),
    '… two, opposed, of inputs': shares(compare, 'inputs', true),
    're-check': shares(recheck, 'text', false),
  };
}

interface Command {
  readonly pairs: number;
  readonly of: (drawn: Drawn, differs: Differs) => Verdicts;
}

interface Change extends Pick<Edit, 'factor' | 'of'> {
  readonly isOpposed: boolean;
}

function foundBy(
  command: Command,
  { factor, of, isOpposed }: Change,
  runs: readonly Run[],
  next: () => number,
): string {
  const found = Array.from({ length: drawsForPower }, () => {
    const drawn = drawPairs(runs, command.pairs, next);
    const keys = longFunctions(drawn);
    return keys.map((key, at) => {
      const other = keys[(at + 1) % keys.length] ?? key;
      const opposed: readonly Edit[] = isOpposed && other !== key ? [{ key: other, factor: 1 / factor, of }] : [];
      const edits = [{ key, factor, of }, ...opposed];
      const verdicts = command.of(drawn, { edits, reach: 'none' });
      return edits.every((edit) => verdicts.some((fn) => isOf(fn, edit, drawn.head) && wanted(edit).has(fn.verdict)));
    });
  }).flat();
  return found.length === 0
    ? 'none is long'
    : `${percent(found.filter(Boolean).length / found.length)} of ${found.length}`;
}

function wanted({ factor }: Edit): ReadonlySet<ChangeVerdict> {
  return new Set(factor > 1 ? ['slower', 'new'] : ['faster', 'gone']);
}

function isOf({ is }: ComparedFunction, { key }: Edit, [run]: readonly Run[]): boolean {
  const place = run?.functions.get(key)?.place;
  return is !== null && is.file === place?.file && is.line === place.line;
}

const drawsForPower = 20;

/** Functions that are long in each run of a draw, by their keys. A shorter one may not reach the threshold at all. */
function longFunctions({ base, head }: Drawn): readonly string[] {
  const all = [...base, ...head];
  return [...(all[0]?.functions.keys() ?? [])].filter((key) =>
    all.every((run) => toMilliseconds(run.functions.get(key)?.runs[0]?.worst ?? threshold) > leastMs),
  );
}

const leastMs = 15;

function isChange({ verdict }: ComparedFunction): boolean {
  return changeVerdicts.some((one) => one === verdict);
}

function nameOf({ is, was }: ComparedFunction): string {
  const place = is ?? was;
  return place === null ? '' : `${place.label} (${place.file}:${place.line})`;
}

/** Runs that `hotspan check --update` makes a budget of, and runs that all have to be over it. */
const runsForBudget = 3;
const runsForCheck = 3;

/** How many of the budgets that `--update` writes are exceeded by unchanged code: in a single run, and in all three. */
export function falseFailures(
  runs: readonly Run[],
  draws: number,
  next: () => number,
): { readonly single: string; readonly all: string; readonly sentences: readonly string[] } {
  const checks = Array.from({ length: draws }, () => {
    const drawn = drawNeighbours(runs, runsForBudget + runsForCheck, next).map(({ figures }) => figures);
    const isTurned = next() < 0.5;
    const inOrder = isTurned ? drawn.toReversed() : drawn;
    const budget = newBudget(inOrder.slice(0, runsForBudget), null);
    const over = (count: number): readonly string[] =>
      checkBudget(budget, inOrder.slice(runsForBudget, runsForBudget + count), () => null)
        .filter(({ verdict }) => verdict === 'over')
        .map(({ key }) => key);
    return { single: over(1), all: over(runsForCheck) };
  });
  return {
    single: share(checks.filter(({ single }) => single.length > 0).length, draws),
    all: share(checks.filter(({ all }) => all.length > 0).length, draws),
    sentences: [...new Set(checks.flatMap(({ all }) => all))].map(
      (key) => `${key} is over a budget of twice its median`,
    ),
  };
}
