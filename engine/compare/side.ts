import type { ComparedPlace } from '../../protocol/comparison.ts';
import { type Microseconds, microseconds, toLine1, line1 } from '../../protocol/units.ts';
import type { Analysis } from '../analysis.ts';
import { filePathOf, plainUrl } from '../read/files/file-path.ts';
import type { FunctionInfo } from '../read/functions/function-table.ts';
import { functionAt } from '../read/source-code/source-index.ts';
import { SourceIndexes } from '../read/source-code/source-indexes.ts';
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
  readonly #mixed = new Set<string>();
  #runs = 0;
  #last: ComparedRun | null = null;

  /** Adds what a run tells of its own functions. Modules are no functions here. */
  async add(run: ComparedRun): Promise<void> {
    const number = this.#runs++;
    this.#last = run;
    const files = new Files(run, this.#found, this.#mixed);
    for (const fn of run.analysis.functions.functions) {
      const measured = fn.own && !fn.moduleBody ? measuredOf(fn.id, run) : null;
      if (measured === null) continue;
      const { measurements, testFiles } = await files.functionOf(fn);
      for (const { file } of run.analysis.figures[fn.id]?.presence.tests ?? [])
        if (file !== '') testFiles.add(fileBelow(file, run.analysis.roots));
      const before = measurements.get(number);
      // A class and its constructor are one function in the text.
      if (before === undefined || before.worst < measured.worst) measurements.set(number, measured);
    }
  }

  /**
   * Takes over the functions of files in which the other side was long and this one has no sample: what is quick now has
   * none, and stands in the code all the same.
   */
  async openFilesOf(other: readonly SideFunction[]): Promise<void> {
    const run = this.#last;
    if (run === null) return;
    const known = new Set([...this.#found.values()].map(({ identity }) => identity.file));
    const long = other.filter(({ runs }) => runs.some((one) => one !== null && !one.isBelow));
    const missing = new Map(long.map(({ identity, isTest }) => [identity.file, isTest]));
    const files = new Files(run, this.#found, this.#mixed);
    for (const [file, isTest] of missing) {
      if (known.has(file)) continue;
      for (const root of run.analysis.roots) await files.open(`${root.replace(/[/\\]$/, '')}/${file}`, isTest);
    }
  }

  /** Files of which the runs had different texts, apart from white space and comments: they are of no one version. */
  get mixedFiles(): readonly string[] {
    return [...this.#mixed];
  }

  /** The functions that were seen, and those that are in the same files besides. */
  functions(): readonly SideFunction[] {
    return [...this.#found.values()].map(({ measurements, ...fn }) => {
      return { ...fn, runs: Array.from({ length: this.#runs }, (_, run) => measurements.get(run) ?? null) };
    });
  }
}

export interface OpenFunction extends Omit<SideFunction, 'runs'> {
  readonly testFiles: Set<string>;
  /** By number of the run. */
  readonly measurements: Map<number, Measured>;
}

/** The functions in the texts that one run had. `found` has those of all runs of a side. */
export class Files {
  readonly #run: Pick<ComparedRun, 'analysis' | 'textOf'>;
  readonly #found: Map<string, OpenFunction>;
  readonly #mixed: Set<string>;
  readonly #indexes: SourceIndexes;
  readonly #known = new Map<string, readonly OpenFunction[]>();

  constructor(run: Pick<ComparedRun, 'analysis' | 'textOf'>, found: Map<string, OpenFunction>, mixed: Set<string>) {
    this.#run = run;
    this.#found = found;
    this.#mixed = mixed;
    this.#indexes = new SourceIndexes(run.textOf);
  }

  /** The file's own function: the body of its module. */
  async moduleOf(fn: FunctionInfo): Promise<OpenFunction> {
    return (await this.#inFileOf(fn))[0] ?? this.#withoutText(fn);
  }

  async #inFileOf(fn: FunctionInfo): Promise<readonly OpenFunction[]> {
    return this.open(fn.url, fn.role === 'test');
  }

  /** The functions in the text of a file; none where nobody has the text. */
  async open(url: string, isTest: boolean): Promise<readonly OpenFunction[]> {
    const known = this.#known.get(url) ?? (await this.#read(url, isTest));
    this.#known.set(url, known);
    return known;
  }

  async functionOf(fn: FunctionInfo): Promise<OpenFunction> {
    const known = await this.#inFileOf(fn);
    const index = known.length === 0 ? null : await this.#indexes.of(fn.url);
    const inText = index === null ? undefined : known[functionAt(index, fn.line, fn.column, fn.name)];
    return inText ?? this.#withoutText(fn);
  }

  async #read(url: string, isTest: boolean): Promise<readonly OpenFunction[]> {
    const index = await this.#indexes.of(url);
    const text = index === null ? null : await this.#indexes.textOf(url);
    if (index === null || text === null) return [];
    return identitiesIn(fileBelow(url, this.#run.analysis.roots), text, index).map((identity, number) => {
      const { start } = index.functions[number] ?? {};
      const label = identity.name ?? labelOf(identity);
      const place = { label, file: identity.file, url: plainUrl(url), line: start?.line ?? line1(0) };
      return this.#add(identity, place, isTest);
    });
  }

  #withoutText(fn: FunctionInfo): OpenFunction {
    const file = fileBelow(fn.url, this.#run.analysis.roots);
    const name = fn.name === '' ? null : fn.name;
    const identity = { file, name, names: `>${fn.label}`, ordinal: 0, callbackOf: null, around: '', tokens: [] };
    const place = { label: fn.label, file, url: plainUrl(fn.url), line: toLine1(fn.line) };
    return this.#add(identity, place, fn.role === 'test');
  }

  #add(identity: FunctionIdentity, place: ComparedPlace, isTest: boolean): OpenFunction {
    const key = `${identity.file}\n${identity.names}\n${identity.ordinal}`;
    const known = this.#found.get(key);
    // The module, which has no name, has the text of the whole file.
    if (identity.names === '' && known !== undefined && !isSameText(known.identity, identity))
      this.#mixed.add(identity.file);
    if (known !== undefined) return known;
    const made = { identity, place, isTest, measurements: new Map<number, Measured>(), testFiles: new Set<string>() };
    this.#found.set(key, made);
    return made;
  }
}

/** Path of a file below the root that contains it, with `/`; the whole path or url where it is in no root. */
export function fileBelow(url: string, roots: readonly string[]): string {
  const path = filePathOf(url) ?? plainUrl(url);
  const root = roots
    .map((folder) => folder.replace(/[/\\]$/, ''))
    .find((folder) => path.startsWith(`${folder}/`) || path.startsWith(`${folder}\\`));
  return root === undefined ? path : path.slice(root.length + 1).replaceAll('\\', '/');
}

function isSameText(one: FunctionIdentity, other: FunctionIdentity): boolean {
  return one.tokens.length === other.tokens.length && one.tokens.every((token, at) => token === other.tokens[at]);
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

/** The versions of Node.js that ran: `v24.1.0`; null where nothing tells them. */
export function nodeIn({ streams }: Analysis): string | null {
  const versions = new Set(streams.flatMap(({ isolate: { nodeVersion } }) => nodeVersion ?? []));
  return versions.size === 0 ? null : [...versions].toSorted().join(', ');
}
