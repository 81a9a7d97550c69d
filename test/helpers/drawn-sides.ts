import assert from 'node:assert/strict';
import { type ComparedSides, compareSides } from '../../engine/compare/judge-functions.ts';
import type { FunctionIdentity } from '../../engine/compare/match-functions.ts';
import type { Measured, SideFunction } from '../../engine/compare/side.ts';
import type { ComparedFunction, Comparison } from '../../protocol/comparison.ts';
import { line1, milliseconds } from '../../protocol/units.ts';

/** What one run tells of a function: its worst in ms, or more than that; null where the run has no sample of it. */
export type DrawnRun =
  | number
  | null
  | Readonly<Record<'worst', number> & Partial<Record<'warm' | 'presence' | 'longCount' | 'stacks', number>>>;

/** A function of one side, in `/app/src/<file>`. */
export interface DrawnFunction {
  readonly runs: readonly DrawnRun[];
  /** Its text in words, none where it is unknown; by default its name. */
  readonly text?: string;
  readonly file?: string;
  readonly testFiles?: readonly string[];
  readonly isTest?: boolean;
}

const noReach = { worst: milliseconds(0), longCount: 0 };

/** Functions by name. */
export type DrawnSide = Readonly<Record<string, DrawnFunction>>;

export interface DrawnComparison extends Pick<Comparison, 'machine' | 'functions' | 'leftOut'> {
  /** The function of this name, in the base or in the head. Fails where it is not listed. */
  readonly fn: (name: string) => ComparedFunction;
  /** Each function's verdict, by its name. */
  readonly verdicts: Readonly<Record<string, ComparedFunction['verdict']>>;
}

/** Compares drawn sides: pairs in turn, with a threshold of 10 ms, where the options say nothing else. */
export function compared(base: DrawnSide, head: DrawnSide, options: Partial<ComparedSides> = {}): DrawnComparison {
  const result = compareSides({
    ...{ base: sideOf(base), head: sideOf(head), baseRuns: countOf(base), headRuns: countOf(head) },
    ...{ order: 'interleaved', thresholdUs: milliseconds(10), confirm: null, rule: 'candidates' },
    ...options,
  });
  const fn = (name: string): ComparedFunction =>
    result.functions.find(({ was, is }) => was?.label === name || is?.label === name) ?? assert.fail(`no ${name}`);
  const verdicts = Object.fromEntries(
    result.functions.map(({ was, is, verdict }) => [(is ?? was)?.label ?? '', verdict]),
  );
  return { ...result, fn, verdicts };
}

/** What a comparison of drawn sides prints: three runs of `main` and of the work tree each, where nothing else is said. */
export function comparisonOf(base: DrawnSide, head: DrawnSide, said: Partial<Comparison> = {}): Comparison {
  const { functions, machine } = compared(base, head, { order: said.order ?? 'interleaved' });
  const side = (name: string) => ({ name, runs: [1, 2, 3].map(() => ({ ...comparedRun })) });
  return {
    ...({ version: 1, kind: 'comparison', order: 'interleaved', thresholdUs: milliseconds(10) } as const),
    ...{ base: side('main'), head: side('your work tree'), warnings: [], functions, machine },
    ...said,
  };
}

/** A run that went well, and had the processor. */
export const comparedRun = { path: '/rec', paths: ['/rec'], node: null, share: 1, exitCode: 0 };

function countOf(side: DrawnSide): number {
  return Math.max(0, ...Object.values(side).map(({ runs }) => runs.length));
}

export function sideOf(side: DrawnSide): readonly SideFunction[] {
  return Object.entries(side).map(
    ([name, { runs, text = name, file = 'src/shop.js', testFiles = [], isTest = false }]) => {
      return {
        identity: identity({ name, file, tokens: text.match(/\S+/g) ?? [] }),
        place: { label: name, file, url: `file:///app/${file}`, line: line1(1) },
        runs: runs.map((run) => (run === null ? null : measured(typeof run === 'number' ? { worst: run } : run))),
        testFiles: new Map(testFiles.map((file) => [file, noReach])),
        longTests: new Map(),
        isTest,
      };
    },
  );
}

/** What a run tells that held the loop for `worst` ms. */
export function measured({
  worst,
  warm = worst,
  presence = worst,
  longCount,
  stacks,
}: Exclude<DrawnRun, number | null>): Measured {
  const count = worst > 10 ? 1 : 0;
  return {
    worst: milliseconds(worst),
    isBelow: worst < 8,
    warm: milliseconds(warm),
    estimated: false,
    presence: milliseconds(presence),
    longCount: longCount ?? count,
    stacks: stacks ?? count,
    inWorker: null,
  };
}

/** A function at the top of `src/shop.js`, where nothing else is said. */
export function identity(said: Partial<FunctionIdentity>): FunctionIdentity {
  const { name = 'parse', around = '' } = said;
  const own = name ?? (said.callbackOf === undefined || said.callbackOf === null ? '' : `${said.callbackOf} callback`);
  return {
    ...{ file: 'src/shop.js', name, around, names: `${around}>${own}`, ordinal: 0, callbackOf: null, tokens: [] },
    ...said,
  };
}
