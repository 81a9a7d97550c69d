import { compareSides } from '../../../engine/compare/judge-functions.ts';
import { type ChangeVerdict, changeVerdicts, type ComparedFunction } from '../../../protocol/comparison.ts';
import { toMilliseconds } from '../../../protocol/units.ts';
import { changeText } from '../../../words/formats/change-texts.ts';
import { percent, share } from '../busy/table.ts';
import { type Drawn, drawPairs, drawNeighbours } from './draw.ts';
import { type Edit, type Run, sideOf, threshold } from './read-runs.ts';
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
/** How many pairs there are after each stage of a re-check. */
const stages = [3, 5, 8];

type Verdicts = readonly ComparedFunction[];

/** What `hotspan compare` says of pairs: what seems to have changed is confirmed by the next ones. */
function compareOf({ base, head }: Drawn, edit: Edit | null): Verdicts {
  const first = judge({ base: base.slice(0, pairs), head: head.slice(0, pairs) }, edit, 'candidates', false);
  return first.some(isChange) ? judge({ base, head }, edit, 'candidates', true) : first;
}

/** What `hotspan recheck` says of each function: after three pairs, then five, then eight, until it is clear. */
function recheckOf({ base, head }: Drawn, edit: Edit | null): Verdicts {
  const said = new Map<string, ComparedFunction>();
  for (const count of stages) {
    for (const fn of judge({ base: base.slice(0, count), head: head.slice(0, count) }, edit, 'stages', false)) {
      const known = said.get(nameOf(fn));
      if (known === undefined || known.verdict === 'tooNoisy') said.set(nameOf(fn), fn);
    }
  }
  return [...said.values()];
}

function judge(
  { base, head }: Drawn,
  edit: Edit | null,
  rule: 'candidates' | 'stages',
  isConfirmed: boolean,
): Verdicts {
  return compareSides({
    ...{ base: sideOf(base, null), head: sideOf(head, edit), baseRuns: base.length, headRuns: head.length },
    ...{ order: 'interleaved', thresholdUs: threshold, rule },
    confirm: isConfirmed ? { from: pairs, isNarrow: false } : null,
  }).functions;
}

/** Counts what is said to have changed where nothing has. */
export function falseVerdicts(
  runs: readonly Run[],
  draws: number,
  next: () => number,
): { readonly compare: string; readonly recheck: string; readonly sentences: readonly string[] } {
  const hasStages = runs.length >= 2 * mostPairs;
  const said = Array.from({ length: draws }, () => {
    const compare = compareOf(drawPairs(runs, 2 * pairs, next), null).filter(isChange);
    return { compare, recheck: hasStages ? recheckOf(drawPairs(runs, mostPairs, next), null) : [] };
  });
  const rechecked = said.flatMap(({ recheck }) => recheck);
  return {
    compare: share(said.filter(({ compare }) => compare.length > 0).length, draws),
    recheck: hasStages ? share(rechecked.filter(isChange).length, rechecked.length) : tooFew,
    sentences: said.flatMap(({ compare }) => compare.map(sentenceOf)),
  };
}

const mostPairs = Math.max(...stages);
const tooFew = 'too few recordings';

function sentenceOf(fn: ComparedFunction): string {
  const side = { name: null, runs: [] };
  const text = changeText(fn, { order: 'interleaved', base: side, head: side, thresholdUs: threshold });
  return `${nameOf(fn)} is "${fn.verdict}": ${text}`;
}

/** The share of edits that are found, by command, in the order of `changes`. Each function that is long is edited alone. */
export function power(
  runs: readonly Run[],
  next: () => number,
): Readonly<Record<'compare' | 're-check', readonly string[]>> {
  const compare = { pairs: 2 * pairs, of: compareOf };
  const recheck = { pairs: mostPairs, of: recheckOf };
  return {
    compare: changes.map(({ factor }) => foundBy(compare, factor, runs, next)),
    're-check': changes.map(({ factor }) =>
      runs.length < 2 * mostPairs ? tooFew : foundBy(recheck, factor, runs, next),
    ),
  };
}

interface Command {
  readonly pairs: number;
  readonly of: (drawn: Drawn, edit: Edit) => Verdicts;
}

function foundBy(command: Command, factor: number, runs: readonly Run[], next: () => number): string {
  const wanted: ReadonlySet<ChangeVerdict> = new Set(factor > 1 ? ['slower', 'new'] : ['faster', 'gone']);
  const found = Array.from({ length: drawsForPower }, () => {
    const drawn = drawPairs(runs, command.pairs, next);
    return longFunctions(drawn).map((key) =>
      command.of(drawn, { key, factor }).some((fn) => fn.textChanged === true && wanted.has(fn.verdict)),
    );
  }).flat();
  return found.length === 0
    ? 'none is long'
    : `${percent(found.filter(Boolean).length / found.length)} of ${found.length}`;
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
