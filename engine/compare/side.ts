import type { ComparedPlace } from '../../protocol/comparison.ts';
import { type Microseconds, microseconds, toLine1, line1 } from '../../protocol/units.ts';
import type { Analysis } from '../analysis.ts';
import { filePathOf, plainUrl } from '../files/file-path.ts';
import type { FunctionInfo } from '../functions/function-table.ts';
import { functionAt } from '../source-code/source-index.ts';
import { SourceIndexes } from '../source-code/source-indexes.ts';
import { type FunctionIdentity, identitiesIn } from './identify.ts';

/** One analyzed run of a side. */
export interface ComparedRun {
  readonly analysis: Analysis;
  /** The same run at 80 % of the threshold: what holds the loop for less there is clearly below it. */
  readonly lower: Analysis;
  readonly textOf: (url: string) => Promise<string | null>;
}

/** The lower threshold of such a run. */
export function lowerThreshold(threshold: Microseconds): Microseconds {
  return microseconds(Math.round(threshold * 0.8));
}

/** What one run tells of a function. */
export interface Measured {
  /** The longest that it held the loop itself; where that is below the lower threshold, the most that it can be. */
  readonly worst: Microseconds;
  readonly isBelow: boolean;
  /** The longest without the first time in its thread; 0 where there was no other. */
  readonly warm: Microseconds;
  /** True where `worst` is an estimate. */
  readonly estimated: boolean;
  readonly presence: Microseconds;
  readonly longCount: number;
  readonly stacks: number;
}

/** A function of one side, with what each of its runs tells, in their order; null where a run has no sample of it. */
export interface SideFunction {
  readonly identity: FunctionIdentity;
  readonly place: ComparedPlace;
  readonly runs: readonly (Measured | null)[];
  /** Files of the tests in which it was long, below the root. */
  readonly testFiles: ReadonlySet<string>;
  /** Whether it is code of tests. */
  readonly isTest: boolean;
}

/** Collects the runs of one side one after the other, so that only one of them is held. */
export class SideCollector {
  readonly #found = new Map<string, OpenFunction>();
  #runs = 0;

  /** Adds what a run tells of its own functions. Modules are no functions here. */
  async add(run: ComparedRun): Promise<void> {
    const number = this.#runs++;
    const files = new Files(run, this.#found);
    for (const fn of run.analysis.functions.functions) {
      const measured = fn.own && !fn.moduleBody ? measuredOf(fn.id, run) : null;
      if (measured === null) continue;
      const { measurements, testFiles } = await files.functionOf(fn);
      for (const { file } of run.analysis.figures[fn.id]?.presence.tests ?? [])
        if (file !== '') testFiles.add(files.fileOf(file));
      const before = measurements.get(number);
      // A class and its constructor are one function in the text.
      if (before === undefined || before.worst < measured.worst) measurements.set(number, measured);
    }
  }

  /** The functions that were seen, and those that are in the same files besides. */
  functions(): readonly SideFunction[] {
    return [...this.#found.values()].map(({ measurements, ...fn }) => {
      return { ...fn, runs: Array.from({ length: this.#runs }, (_, run) => measurements.get(run) ?? null) };
    });
  }
}

interface OpenFunction extends Omit<SideFunction, 'runs'> {
  readonly testFiles: Set<string>;
  /** By number of the run. */
  readonly measurements: Map<number, Measured>;
}

/** The functions in the texts that one run had. */
class Files {
  readonly #run: ComparedRun;
  readonly #found: Map<string, OpenFunction>;
  readonly #indexes: SourceIndexes;
  readonly #known = new Map<string, readonly OpenFunction[]>();

  constructor(run: ComparedRun, found: Map<string, OpenFunction>) {
    this.#run = run;
    this.#found = found;
    this.#indexes = new SourceIndexes(run.textOf);
  }

  async functionOf(fn: FunctionInfo): Promise<OpenFunction> {
    const known = this.#known.get(fn.url) ?? (await this.#read(fn));
    this.#known.set(fn.url, known);
    const index = known.length === 0 ? null : await this.#indexes.of(fn.url);
    const inText = index === null ? undefined : known[functionAt(index, fn.line, fn.column, fn.name)];
    return inText ?? this.#withoutText(fn);
  }

  async #read({ url, role }: FunctionInfo): Promise<readonly OpenFunction[]> {
    const index = await this.#indexes.of(url);
    const text = index === null ? null : await this.#indexes.textOf(url);
    if (index === null || text === null) return [];
    return identitiesIn(this.fileOf(url), text, index).map((identity, number) => {
      const { start } = index.functions[number] ?? {};
      const label = identity.name ?? labelOf(identity);
      const place = { label, file: identity.file, url: plainUrl(url), line: start?.line ?? line1(0) };
      return this.#add(identity, place, role === 'test');
    });
  }

  #withoutText(fn: FunctionInfo): OpenFunction {
    const file = this.fileOf(fn.url);
    const name = fn.name === '' ? null : fn.name;
    const identity = { file, name, names: `>${fn.label}`, ordinal: 0, callbackOf: null, around: '', tokens: [] };
    const place = { label: fn.label, file, url: plainUrl(fn.url), line: toLine1(fn.line) };
    return this.#add(identity, place, fn.role === 'test');
  }

  #add(identity: FunctionIdentity, place: ComparedPlace, isTest: boolean): OpenFunction {
    const key = `${identity.file}\n${identity.names}\n${identity.ordinal}`;
    const known = this.#found.get(key);
    if (known !== undefined) return known;
    const made = { identity, place, isTest, measurements: new Map<number, Measured>(), testFiles: new Set<string>() };
    this.#found.set(key, made);
    return made;
  }

  /** Path below the root, with `/`; the whole url where it is in no root. */
  fileOf(url: string): string {
    const path = filePathOf(url) ?? plainUrl(url);
    const root = this.#run.analysis.roots
      .map((folder) => folder.replace(/[/\\]$/, ''))
      .find((folder) => path.startsWith(`${folder}/`) || path.startsWith(`${folder}\\`));
    return root === undefined ? path : path.slice(root.length + 1).replaceAll('\\', '/');
  }
}

function labelOf({ callbackOf, around, file }: FunctionIdentity): string {
  const outer = around.slice(around.lastIndexOf('>') + 1);
  return callbackOf === null ? '(anonymous)' : `${callbackOf} callback in ${outer === '' ? file : outer}`;
}

/** What a run tells of a function; null where it has no sample of it, or only loaded modules in it. */
function measuredOf(id: number, { analysis, lower }: ComparedRun): Measured | null {
  const figures = analysis.figures[id];
  if (figures === undefined || figures.total === 0) return null;
  const { presence, culprit } = figures;
  if (culprit?.loaded !== null && culprit?.loaded !== undefined) return null;
  const below = lower.figures[id]?.culprit ?? null;
  const most = Math.min(presence.worst, lower.thresholdUs);
  return {
    worst: culprit?.worst ?? below?.worst ?? microseconds(most),
    isBelow: culprit === null && below === null,
    warm: culprit?.worstWarm ?? microseconds(0),
    estimated: culprit?.estimated ?? presence.estimated,
    presence: presence.worst,
    longCount: culprit?.longCount ?? 0,
    stacks: culprit?.distinctStacks ?? 0,
  };
}
