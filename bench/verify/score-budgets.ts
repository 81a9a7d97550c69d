import { checkBudget } from '../../engine/budget/check-budget.ts';
import { newBudget } from '../../engine/budget/new-budget.ts';
import { share } from '../busy/table.ts';
import { drawNeighbours } from './draw.ts';
import type { Run } from './read-runs.ts';

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
