import type { ComparedPlace } from '../../protocol/comparison.ts';
import { maxOf } from '../../protocol/figures.ts';
import { type Microseconds, microseconds, toLine1, line1 } from '../../protocol/units.ts';
import type { Analysis } from '../analysis.ts';
import { filePathOf, plainUrl } from '../read/files/file-path.ts';
import { fileNameOf } from '../../protocol/machine-path.ts';
import { pathBelow, trimEnd } from '../../protocol/path-spelling.ts';
import type { FunctionInfo } from '../read/functions/function-table.ts';
import { isModuleLabel, moduleLabel } from '../../protocol/places.ts';
import { functionAt } from '../read/source-code/source-index.ts';
import { type IndexedTexts, SourceIndexes } from '../read/source-code/source-indexes.ts';
import { type FunctionIdentity, hasText, identitiesIn, textKey } from './match-functions.ts';
import { type SampleStream, type Test, readyTime, testKey } from '../read/samples/sample-stream.ts';
import { OwnCalls } from './own-calls.ts';

/** One analyzed run of a side. */
export interface ComparedRun {
  readonly analysis: Analysis;
  /** The same run at `lowerThreshold`: what is below that is clearly below the threshold. */
  readonly lower: Analysis;
  readonly textOf: (url: string) => Promise<string | null>;
  /** What is known of texts that other runs have read, too. */
  readonly texts?: IndexedTexts;
}

/** Where the sources of a run are, and what they say. */
export interface CodeOfRun extends Pick<ComparedRun, 'textOf' | 'texts'> {
  readonly roots: readonly string[];
}

export function codeOf({ analysis: { roots }, textOf, texts }: Omit<ComparedRun, 'lower'>): CodeOfRun {
  return { roots, textOf, ...(texts === undefined ? {} : { texts }) };
}

/** 80 % of a threshold. */
export function lowerThreshold(threshold: Microseconds): Microseconds {
  return microseconds(Math.round(threshold * 0.8));
}

/** What one run measured of a function. */
export interface Measured {
  /** Worst of its own part; below the lower threshold, an upper bound. */
  readonly worst: Microseconds;
  readonly isBelow: boolean;
  /** Worst without the first call in its thread; 0 where there was no other. Up to the threshold, an upper bound. */
  readonly warm: Microseconds;
  /** True where `worst` is an estimate. */
  readonly estimated: boolean;
  readonly presence: Microseconds;
  readonly longCount: number;
  readonly stacks: number;
  /** Its own part in the program's workers and children; null where it is not over the threshold there. */
  readonly inWorker: { readonly worst: Microseconds; readonly estimated: boolean } | null;
}

/** Whether only the first call in its thread can have been over the threshold, as before V8 has compiled a function. */
export function isCold({ warm }: Measured, thresholdUs: Microseconds): boolean {
  return warm > 0 && warm <= thresholdUs;
}

/** How a function held the loop in the tests of one file, over all runs of a side; zeros where it was not a culprit. */
export interface Reach {
  readonly worst: Microseconds;
  readonly longCount: number;
}

/** A function of one side, with what each of its runs tells, in their order; null where a run has no sample of it. */
export interface SideFunction {
  readonly identity: FunctionIdentity;
  readonly place: ComparedPlace;
  readonly runs: readonly (Measured | null)[];
  /** How it held the loop in the tests of each file in which it was long; paths below the root. As {@link knownTests}. */
  readonly testFiles: ReadonlyMap<string, Reach>;
  /**
   * The tests in which it was long, by {@link testKeyBelow}, and whether its worst in a run was there. Null stands for no
   * test, or one that is not known.
   */
  readonly longTests: ReadonlyMap<string | null, boolean>;
  /** Whether it is code of tests. */
  readonly isTest: boolean;
}

/** Collects the functions of one side, run by run: it keeps only the last run. */
export class SideCollector {
  readonly #found = new Map<string, OpenFunction>();
  /** Files whose tokens differ between the runs. */
  readonly mixedFiles = new Set<string>();
  readonly calls = new OwnCalls();
  #runs = 0;
  #last: CodeOfRun | null = null;
  /** Ids of the functions in the last run. */
  #ids = new Map<FunctionIdentity, number[]>();

  /** Adds the figures of a run's own functions. A module body counts as the function around all others of its file. */
  async add(run: ComparedRun): Promise<void> {
    const number = this.#runs++;
    const code = codeOf(run);
    this.#last = code;
    this.#ids = new Map();
    const longParts = longPartsIn(run.analysis);
    const files = new Files(code, this.#found, this.mixedFiles);
    const { functions } = run.analysis.functions;
    const identities = Array.from<unknown, FunctionIdentity | null>(functions, () => null);
    for (const fn of functions) {
      if (!fn.own) continue;
      const { identity, measurements, testFiles, longTests } = await (fn.moduleBody
        ? files.moduleOf(fn)
        : files.functionOf(fn));
      identities[fn.id] = identity;
      const measured = measuredOf(fn.id, run);
      if (measured === null) continue;
      this.#ids.set(identity, [...(this.#ids.get(identity) ?? []), fn.id]);
      const parts = longParts.get(fn.id);
      for (const { file, us } of testsOf(run.analysis, fn.id, parts))
        addReach(testFiles, fileBelow(file, code.roots), us);
      for (const { test, us } of parts ?? []) {
        const key = test === null ? null : testKeyBelow(test, code.roots);
        longTests.set(key, longTests.get(key) === true || us === measured.worst);
      }
      const before = measurements.get(number);
      // A class and its constructor are one function in the text.
      if (before === undefined || before.worst < measured.worst) measurements.set(number, measured);
    }
    for (const { tree } of run.analysis.streams) this.calls.add(tree, identities);
  }

  /**
   * Adds the functions of files of which this side has no sample, but the other has: what is quick has none. `textOf`: the
   * texts of this side; undefined for those of its last run.
   */
  async openFilesOf(other: readonly SideFunction[], textOf = this.#last?.textOf): Promise<void> {
    if (this.#last === null || textOf === undefined) return;
    const known = new Set([...this.#found.values()].map(({ identity }) => identity.file));
    const files = new Files({ ...this.#last, textOf }, this.#found, this.mixedFiles);
    for (const [file, isTest] of new Map(other.map((fn) => [fn.identity.file, fn.isTest])))
      if (!known.has(file)) await files.openBelow(file, isTest);
  }

  /** Ids of a function in the analysis of the last run: a class and its constructor are one function in the text. */
  idsOf({ identity }: SideFunction): readonly number[] {
    return this.#ids.get(identity) ?? [];
  }

  /** The functions with samples, and the others in the same files. */
  functions(): readonly SideFunction[] {
    return [...this.#found.values()].map(({ measurements, testFiles, ...fn }) => {
      const runs = Array.from({ length: this.#runs }, (_, run) => measurements.get(run) ?? null);
      const worst = maxOf(runs.map((run) => (run === null || run.longCount === 0 ? 0 : run.worst)));
      return { ...fn, runs, testFiles: knownTests(testFiles, worst) };
    });
  }
}

/** What a culprit took of an operation; `test`: null where it was in none, or in one that is not known. */
interface LongPart {
  readonly test: Test | null;
  readonly us: Microseconds;
}

/** What each culprit took of one operation after the other, by function id. */
function longPartsIn({ ownParts, operations }: Analysis): ReadonlyMap<number, readonly LongPart[]> {
  const found = new Map<number, LongPart[]>();
  for (let number = 0; number < ownParts.size; number++) {
    const { test = null } = operations[ownParts.operationOf(number)] ?? {};
    const fn = ownParts.functionOf(number);
    const part = { test, us: ownParts.weightOf(number) };
    const known = found.get(fn);
    if (known === undefined) found.set(fn, [part]);
    else known.push(part);
  }
  return found;
}

/** How one function held the loop in the tests of each file, as {@link SideFunction} has it. */
export function testFilesOf(analysis: Analysis, functionId: number): ReadonlyMap<string, Reach> {
  const found = new Map<string, Reach>();
  for (const { file, us } of testsOf(analysis, functionId, longPartsIn(analysis).get(functionId)))
    addReach(found, fileBelow(file, analysis.roots), us);
  return knownTests(found, analysis.figures[functionId]?.culprit?.worst ?? 0);
}

/**
 * The test files of a function; none where its worst (in µs) is in no test, so that only the whole command is known to
 * have it: hooks before tests and the top level of a test file are in none.
 */
function knownTests(testFiles: ReadonlyMap<string, Reach>, worst: number): ReadonlyMap<string, Reach> {
  const inTests = maxOf([...testFiles.values()].map((reach) => reach.worst));
  return inTests < SAME_WORST * worst ? new Map() : testFiles;
}

/** Share of a worst from which on another time is about the same. */
const SAME_WORST = 0.9;

/** The tests of a function with a known file, with what it took in each; null where it was not a culprit. */
function testsOf(
  { figures }: Analysis,
  functionId: number,
  parts: readonly LongPart[] = [],
): readonly { readonly file: string; readonly us: Microseconds | null }[] {
  const present = figures[functionId]?.presence.tests ?? [];
  const all = [...present.map((test) => ({ test, us: null })), ...parts];
  return all.flatMap(({ test, us }) => (test === null || test.file === '' ? [] : { file: test.file, us }));
}

/** `us`: null for a test in which the function was not a culprit. */
function addReach(testFiles: Map<string, Reach>, file: string, us: Microseconds | null): void {
  const { worst, longCount } = testFiles.get(file) ?? { worst: microseconds(0), longCount: 0 };
  const longest = us === null || us < worst ? worst : us;
  testFiles.set(file, { worst: longest, longCount: longCount + (us === null ? 0 : 1) });
}

export interface OpenFunction extends Omit<SideFunction, 'runs'> {
  readonly testFiles: Map<string, Reach>;
  readonly longTests: Map<string | null, boolean>;
  /** By number of the run. */
  readonly measurements: Map<number, Measured>;
}

/** Finds the functions of one run in its texts, and adds them to `found`, which has those of all runs of a side. */
export class Files {
  readonly #roots: readonly string[];
  readonly #found: Map<string, OpenFunction>;
  readonly #mixed: Set<string>;
  readonly #indexes: SourceIndexes;
  readonly #known = new Map<string, readonly OpenFunction[]>();

  constructor({ roots, textOf, texts }: CodeOfRun, found: Map<string, OpenFunction>, mixed: Set<string>) {
    this.#roots = roots;
    this.#found = found;
    this.#mixed = mixed;
    this.#indexes = new SourceIndexes(textOf, texts);
  }

  /** The body of a function's module. */
  async moduleOf(fn: FunctionInfo): Promise<OpenFunction> {
    return (await this.open(fn.url, fn.role === 'test'))[0] ?? this.#withoutText(fn);
  }

  /** The functions in the text of a file; none where the text is unknown. */
  async open(url: string, isTest: boolean): Promise<readonly OpenFunction[]> {
    const known = this.#known.get(url) ?? (await this.#read(url, isTest));
    this.#known.set(url, known);
    return known;
  }

  /** The functions in the text of a file, by its path below a root. */
  async openBelow(file: string, isTest: boolean): Promise<readonly OpenFunction[]> {
    const found: (readonly OpenFunction[])[] = [];
    for (const root of this.#roots) found.push(await this.open(`${trimEnd(root)}/${file}`, isTest));
    return found.flat();
  }

  async functionOf(fn: FunctionInfo): Promise<OpenFunction> {
    const known = await this.open(fn.url, fn.role === 'test');
    const index = known.length === 0 ? null : await this.#indexes.of(fn.url);
    const inText = index === null ? undefined : known[functionAt(index, fn.line, fn.column, fn.name)];
    return inText ?? this.#withoutText(fn);
  }

  async #read(url: string, isTest: boolean): Promise<readonly OpenFunction[]> {
    const index = await this.#indexes.of(url);
    const text = index === null ? null : await this.#indexes.textOf(url);
    if (index === null || text === null) return [];
    return identitiesIn(fileBelow(url, this.#roots), text, index).map((identity, number) => {
      const { start } = index.functions[number] ?? {};
      const label = labelOf(identity);
      const place = { label, file: identity.file, url: plainUrl(url), line: start?.line ?? line1(0) };
      return this.#add(identity, place, isTest);
    });
  }

  #withoutText(fn: FunctionInfo): OpenFunction {
    const file = fileBelow(fn.url, this.#roots);
    const name = fn.name === '' ? null : fn.name;
    const names = isModuleLabel(fn.label) ? '' : `>${fn.label}`;
    const identity = { file, name, names, ordinal: 0, callbackOf: null, around: '', tokens: [] };
    const place = { label: fn.label, file, url: plainUrl(fn.url), line: toLine1(fn.line) };
    return this.#add(identity, place, fn.role === 'test');
  }

  #add(identity: FunctionIdentity, place: ComparedPlace, isTest: boolean): OpenFunction {
    const key = `${identity.file}\n${identity.names}\n${identity.ordinal}`;
    const known = this.#found.get(key);
    // The module, which has no name, has the text of the whole file.
    if (identity.names === '' && known !== undefined && haveOtherTexts(known.identity, identity))
      this.#mixed.add(identity.file);
    if (known !== undefined) return known;
    const made = {
      identity,
      place,
      isTest,
      measurements: new Map<number, Measured>(),
      testFiles: new Map<string, Reach>(),
      longTests: new Map<string | null, boolean>(),
    };
    this.#found.set(key, made);
    return made;
  }
}

function haveOtherTexts(one: FunctionIdentity, other: FunctionIdentity): boolean {
  return hasText(one) && hasText(other) && textKey(one) !== textKey(other);
}

/** Path of a file below the root that contains it, with `/`; the whole path or url where no root does. */
export function fileBelow(url: string, roots: readonly string[]): string {
  const path = filePathOf(url, roots) ?? plainUrl(url);
  for (const root of roots) {
    const below = pathBelow(path, root);
    if (below !== null) return below;
  }
  return path;
}

/** As `testKey`, and the same on both sides: each has its files, and the paths in titles, in another folder. */
export function testKeyBelow({ file, name }: Test, roots: readonly string[]): string {
  const title = roots.reduce((text, root) => text.replaceAll(trimEnd(root), ''), name);
  return testKey({ file: file === '' ? '' : fileBelow(file, roots), name: title });
}

function labelOf({ name, names, callbackOf, around, file }: FunctionIdentity): string {
  if (name !== null) return name;
  if (names === '') return moduleLabel(fileNameOf(file));
  const outer = around.slice(around.lastIndexOf('>') + 1);
  return callbackOf === null ? '(anonymous)' : `${callbackOf}() callback in ${outer === '' ? file : outer}`;
}

/** Null where the run has no sample of the function, or it only loaded modules. */
function measuredOf(id: number, { analysis, lower }: ComparedRun): Measured | null {
  const figures = analysis.figures[id];
  if (figures === undefined || figures.total === 0) return null;
  const { presence, culprit, backgroundCulprit } = figures;
  if (culprit?.loaded !== null && culprit?.loaded !== undefined) return null;
  const below = lower.figures[id]?.culprit ?? null;
  // A presence over the threshold may be the first one, which is longer than its own part.
  const others = presence.worstWarm <= analysis.thresholdUs ? presence.worstWarm : microseconds(0);
  return {
    worst: culprit?.worst ?? below?.worst ?? microseconds(Math.min(presence.worst, lower.thresholdUs)),
    isBelow: culprit === null && below === null,
    warm: culprit === null || culprit.worstWarm === 0 ? others : culprit.worstWarm,
    estimated: culprit?.estimated ?? presence.estimated,
    presence: presence.worst,
    longCount: culprit?.longCount ?? 0,
    stacks: culprit?.distinctStacks ?? 0,
    inWorker:
      backgroundCulprit === null ? null : { worst: backgroundCulprit.worst, estimated: backgroundCulprit.estimated },
  };
}

/** The versions of Node.js that ran: `v24.1.0`; null where they are unknown. */
export function nodeIn({ streams }: Analysis): string | null {
  const versions = new Set(streams.flatMap(({ isolate: { nodeVersion } }) => nodeVersion ?? []));
  return versions.size === 0 ? null : [...versions].toSorted().join(', ');
}

/**
 * Share of its ready time in which the program ran, 0 to 1, over the turns of all loops except background ones; null where
 * waits for a CPU were not counted.
 */
export function processorShare(streams: readonly SampleStream[]): number | null {
  const { ran, waited } = readyTime(streams);
  return ran + waited === 0 ? null : ran / (ran + waited);
}

/** On a machine that leaves a program less of its ready time, figures need more runs, or a quieter hour. */
export const MIN_PROCESSOR_SHARE = 0.7;
