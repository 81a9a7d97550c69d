import { analyze } from '../../../engine/analyze.ts';
import { type RunFigures, runFigures } from '../../../engine/compare/budget.ts';
import { lowerThreshold, type Measured, SideCollector, type SideFunction } from '../../../engine/compare/side.ts';
import { milliseconds } from '../../../protocol/units.ts';
import { diskWorld } from '../../../recordings/disk-world.ts';
import { describeFailure } from '../../../words/failures.ts';

/** Threshold of all comparisons, in µs. */
export const threshold = milliseconds(10);

/** What one recording tells. */
export interface Run {
  /** What comparisons are made of, by a key that is the same in all recordings of unchanged code. */
  readonly functions: ReadonlyMap<string, SideFunction>;
  /** What a budget is checked against. */
  readonly figures: RunFigures;
}

/** Reads recordings as the two sides of a comparison are read, but each alone, so that they can be put together. */
export async function readRuns(recordings: readonly string[], root: string): Promise<readonly Run[]> {
  const runs: Run[] = [];
  for (const recording of recordings) {
    const options = { thresholdUs: threshold, roots: [root], sourceMaps: true };
    const result = await analyze([recording], diskWorld, options);
    if (result.type === 'failed') throw new Error(describeFailure(result.failure));
    const collector = new SideCollector();
    const lower = await result.at(lowerThreshold(threshold));
    const run = { analysis: result.analysis, lower, textOf: result.textOf };
    await collector.add(run);
    const functions = new Map(collector.functions().map((fn) => [keyOf(fn), fn]));
    runs.push({ functions, figures: await runFigures(run) });
  }
  return runs;
}

export function keyOf({ identity: { file, names, ordinal } }: Pick<SideFunction, 'identity'>): string {
  return `${file}\n${names}\n${ordinal}`;
}

/** How a change of a function's text, or of its inputs, changes what a run tells of it. */
export interface Edit {
  readonly key: string;
  readonly factor: number;
  readonly of: 'text' | 'inputs';
}

/** A side made of some runs, with some functions changed. */
export function sideOf(runs: readonly Run[], edits: readonly Edit[]): readonly SideFunction[] {
  const keys = new Set(runs.flatMap((run) => [...run.functions.keys()]));
  return [...keys].flatMap((key) => {
    const known = runs.flatMap((run) => run.functions.get(key) ?? [])[0];
    if (known === undefined) return [];
    const measured = runs.map((run) => run.functions.get(key)?.runs[0] ?? null);
    const edit = edits.find((one) => one.key === key);
    if (edit === undefined) return [{ ...known, runs: measured }];
    const tokens = edit.of === 'text' ? [...known.identity.tokens, 'edited'] : known.identity.tokens;
    const runsNow = measured.map((one) => (one === null ? null : scaled(one, edit.factor)));
    return [{ ...known, identity: { ...known.identity, tokens }, runs: runsNow }];
  });
}

function scaled(run: Measured, factor: number): Measured {
  const worst = milliseconds((run.worst * factor) / 1000);
  const presence = milliseconds((run.presence + worst - run.worst) / 1000);
  const warm = milliseconds((run.warm * factor) / 1000);
  const isLong = worst >= threshold;
  return {
    ...run,
    ...{ worst, warm, presence, isBelow: worst < lowerThreshold(threshold) },
    longCount: isLong ? Math.max(1, run.longCount) : 0,
    stacks: isLong ? Math.max(1, run.stacks) : 0,
  };
}
