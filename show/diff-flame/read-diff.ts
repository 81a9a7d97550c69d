import { maxOf, minOf } from '../../protocol/figures.ts';
import type { ComparedPlace } from '../../protocol/comparison.ts';
import type { DiffSides } from '../../protocol/diff.ts';
import type { AnalyzeOptions } from '../../engine/analyze.ts';
import type { Order } from '../../engine/compare/change-rules.ts';
import { type NotRead, type ReadRun, type ReadRunsOptions, readRuns } from '../../engine/compare/read-runs.ts';
import { fileKey, olderTextOf, plainUrl } from '../../engine/read/files/file-path.ts';
import type { World } from '../../engine/read/files/world.ts';
import type { RecordingFacts } from '../../engine/read/recording-files/isolate-source.ts';
import { type DiffTree, diffTreeOf, type SideRun, sideRunOf } from './diff-tree.ts';
import type { FrameCategory } from '../../protocol/flame.ts';
import { toLine1 } from '../../protocol/units.ts';
import { type FunctionIdentity, groupsOfBoth, matchFunctions } from '../../engine/compare/match-functions.ts';
import { codeOf, type ComparedRun, fileBelow, Files, type OpenFunction } from '../../engine/compare/side.ts';
import { categoryOf } from '../flame/flame-tree.ts';
import type { FunctionInfo, OrderedFunction } from '../../engine/read/functions/function-table.ts';

/** A diff as read from its recordings. It answers every query. */
export interface Diff {
  readonly functions: readonly DiffFunction[];
  readonly tree: DiffTree;
  readonly order: Order;
  /** Facts about the first recording of the head. */
  readonly recording: RecordingFacts;
  /** The texts of own files that ran and that the recordings of a side have kept, by `fileKey`. */
  readonly texts: Readonly<Record<'base' | 'head', ReadonlyMap<string, KeptText>>>;
}

export interface KeptText {
  /** Absolute path of the file. */
  readonly path: string;
  readonly text: string;
}

export type DiffResult = { readonly type: 'read'; readonly diff: Diff } | NotRead;

export interface DiffOptions extends Pick<AnalyzeOptions, 'thresholdUs' | 'testPatterns' | 'pathRules' | 'onProgress'> {
  /** Called before each run is read, with its number from 0. */
  readonly onRun?: (done: number, total: number) => void;
}

/**
 * Reads the runs of both sides, one after the other, and keeps only what a diff needs. It uses the root of each recording,
 * because the base ran in a folder that the editor does not know. Rejects only for a bug.
 */
export async function readDiff({ base, head }: DiffSides, world: World, options: DiffOptions): Promise<DiffResult> {
  const total = base.length + head.length;
  const before = await readSide(base, world, options, { total, before: [] });
  if (before.type !== 'read') return before;
  const now = await readSide(head, world, options, { total, before: before.facts });
  if (now.type !== 'read') return now;
  const joined = joinFunctions(before.functions, now.functions);
  return {
    type: 'read',
    diff: {
      functions: joined.functions,
      tree: diffTreeOf(before.runs, now.runs, joined),
      order: orderOf(before.startedAt, now.startedAt),
      recording: now.recording,
      texts: { base: before.texts, head: now.texts },
    },
  };
}

/** Reads the runs of one side. */
async function readSide(
  given: DiffSides['base'],
  world: World,
  options: DiffOptions,
  before: Pick<ReadRunsOptions, 'total' | 'before'>,
) {
  const functions = new SideFunctions();
  const runs: SideRun[] = [];
  const startedAt: (string | null)[] = [];
  const texts = new Map<string, KeptText>();
  let recording: RecordingFacts = { command: null, cwd: null, startedAt: null };
  const reading = { ...before, analyze: { ...options, roots: [], sourceMaps: true }, onRun: options.onRun };
  const read = await readRuns(given, world, reading, async ({ number, result }) => {
    const { analysis } = result;
    if (number === 0) ({ recording } = analysis);
    startedAt.push(analysis.recording.startedAt);
    runs.push(sideRunOf(analysis, await functions.add(result)));
    for (const kept of await keptTexts(result)) texts.set(fileKey(kept.path), kept);
  });
  return read.type === 'read' ? { ...read, functions, runs, startedAt, recording, texts } : read;
}

/** The texts of own files that a recording has kept: only these are certain to have run. */
async function keptTexts({ analysis, kept }: ReadRun['result']): Promise<readonly KeptText[]> {
  const own = analysis.functions.functions.filter((fn) => fn.own && olderTextOf(fn.url) === null);
  const paths = [...new Set(own.flatMap(({ path }) => path ?? []))];
  const texts = await Promise.all(paths.map(async (path) => ({ path, text: await kept(path) })));
  return texts.flatMap(({ path, text }) => (text === null ? [] : [{ path, text }]));
}

/**
 * `interleaved` where neither side began all of its runs before the other began one. Unknown times count as blocks, for
 * which a change must be larger.
 */
function orderOf(base: readonly (string | null)[], head: readonly (string | null)[]): Order {
  const timesOf = (side: readonly (string | null)[]): readonly number[] => side.map((time) => Date.parse(time ?? ''));
  const [before, now] = [timesOf(base), timesOf(head)];
  if ([...before, ...now].some((time) => Number.isNaN(time))) return 'blocks';
  const isApart = maxOf(before) < minOf(now) || maxOf(now) < minOf(before);
  return isApart ? 'blocks' : 'interleaved';
}

/** A function of a diff: one that both sides have, or one side alone. */
export interface DiffFunction extends OrderedFunction {
  readonly category: FrameCategory;
  readonly role: FunctionInfo['role'];
  readonly packageName: FunctionInfo['packageName'];
  /** Null where the base has no such function. */
  readonly was: DiffPlace | null;
  /** Null where the head has no such function. It may have one that no run has reached. */
  readonly is: DiffPlace | null;
}

/** `line` is 0 where there is no line. */
type DiffPlace = Pick<ComparedPlace, 'label' | 'url' | 'line'>;

interface SideFunction {
  /** The function in the text that ran; null for code of others, and without a text. */
  readonly own: OpenFunction | null;
  /** Its file without the folder of the project, so that it is the same in another checkout. */
  readonly file: string;
  readonly info: FunctionInfo;
}

/** Collects the functions of one side, which are the same in each run. */
class SideFunctions {
  /** Own functions of all files that ran, also those that no run has reached. */
  readonly known = new Map<string, OpenFunction>();
  /** The functions that ran, by their numbers. */
  readonly all: SideFunction[] = [];
  readonly #numbers = new Map<OpenFunction | string, number>();

  /** Adds the functions of a run. Gives the number of each on this side, by its id in the run. */
  async add(run: Pick<ComparedRun, 'analysis' | 'textOf'>): Promise<Int32Array> {
    const files = new Files(codeOf(run), this.known, new Set());
    const { functions } = run.analysis.functions;
    const numbers = new Int32Array(functions.length);
    for (const fn of functions) numbers[fn.id] = await this.#numberOf(fn, files, run.analysis.roots);
    return numbers;
  }

  async #numberOf(info: FunctionInfo, files: Files, roots: readonly string[]): Promise<number> {
    const found = info.own ? await (info.moduleBody ? files.moduleOf(info) : files.functionOf(info)) : null;
    const own = found !== null && hasText(found) ? found : null;
    const file = fileOf(info, roots);
    const key = own ?? placeKey({ file, info });
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.all.length;
    this.#numbers.set(key, number);
    this.all.push({ own, file, info });
    return number;
  }
}

function fileOf({ url }: FunctionInfo, roots: readonly string[]): string {
  const packages = url.lastIndexOf('/node_modules/');
  return packages >= 0 ? plainUrl(url.slice(packages)) : fileBelow(url, roots);
}

function hasText({ identity }: OpenFunction): boolean {
  return identity.tokens.length > 0;
}

/**
 * Finds the functions of the base again in the head: own functions by their texts, others by their place or their name.
 * `ofBase`, `ofHead`: index in `functions` by the number on each side.
 */
function joinFunctions(base: SideFunctions, head: SideFunctions) {
  const matched = matchesOf(base, head);
  const partners = partnersOf(base, head, matched);
  const functions = head.all.map((is): DiffFunction => functionOf(is, placeIn(matched, is.own), placeOf(is)));
  const ofHead = Int32Array.from(head.all, (_, number) => number);
  const ofBase = Int32Array.from(base.all, (was, number) => {
    const partner = partners.get(number);
    const known = partner === undefined ? undefined : functions[partner];
    if (partner !== undefined && known !== undefined) {
      functions[partner] = { ...known, was: placeOf(was) };
      return partner;
    }
    functions.push(functionOf(was, placeOf(was), placeIn(matched, was.own)));
    return functions.length - 1;
  });
  return { functions, ofBase, ofHead };
}

function functionOf({ info }: SideFunction, was: DiffPlace | null, is: DiffPlace | null): DiffFunction {
  const { url, line, column, name, role, packageName } = info;
  return { url, line, column, name, role, packageName, category: categoryOf(info), was, is };
}

function placeOf({ info }: SideFunction): DiffPlace {
  return { label: info.label, url: plainUrl(info.url), line: toLine1(info.line) };
}

/** The number in the head of each function of the base that both sides have run. */
function partnersOf(base: SideFunctions, head: SideFunctions, matched: OwnMatches): ReadonlyMap<number, number> {
  const numberOf = new Map(head.all.flatMap(({ own }, number) => (own === null ? [] : [[own, number] as const])));
  const partners = new Map<number, number>();
  for (const [number, { own }] of base.all.entries()) {
    const partner = own === null ? undefined : matched.get(own);
    const found = partner === undefined ? undefined : numberOf.get(partner);
    if (found !== undefined) partners.set(number, found);
  }
  pairOnlyOnes(base, head, partners, (fn) => (fn.own === null ? placeKey(fn) : null));
  // A package of another version has its functions elsewhere.
  pairOnlyOnes(base, head, partners, ({ own, file, info: { name } }) =>
    own !== null || name === '' ? null : `${file}\n${name}`,
  );
  // Where one side has no text of a file, the names must do.
  const texts = [filesWithText(base), filesWithText(head)];
  pairOnlyOnes(base, head, partners, ({ file, info: { own, name, moduleBody } }) =>
    own && texts.filter((files) => files.has(file)).length === 1 && (name !== '' || moduleBody)
      ? `${file}\n${name}`
      : null,
  );
  return partners;
}

function placeKey({ file, info: { name, line, column } }: Pick<SideFunction, 'file' | 'info'>): string {
  return `${file}\n${name}\n${line}:${column}`;
}

function filesWithText({ all }: SideFunctions): ReadonlySet<string> {
  return new Set(all.flatMap(({ own, file }) => (own === null ? [] : [file])));
}

/** Pairs functions without a partner whose key each side has once. */
function pairOnlyOnes(
  base: SideFunctions,
  head: SideFunctions,
  partners: Map<number, number>,
  keyOf: (fn: SideFunction) => string | null,
): void {
  const taken = { was: partners, is: new Set(partners.values()) };
  for (const [[one, ...more], [other, ...others]] of groupsOfBoth({ was: base.all, is: head.all }, taken, keyOf))
    if (one !== undefined && other !== undefined && more.length + others.length === 0) partners.set(one, other);
}

/** The same function on the other side, by function of either side. */
type OwnMatches = ReadonlyMap<OpenFunction, OpenFunction>;

function matchesOf(...sides: readonly [SideFunctions, SideFunctions]): OwnMatches {
  const [was, is] = sides.map(({ known }) => [...known.values()].filter(hasText));
  const identities = (all: readonly OpenFunction[] = []): readonly FunctionIdentity[] => all.map((fn) => fn.identity);
  const partners = new Map<OpenFunction, OpenFunction>();
  for (const [one, { is: other }] of matchFunctions(identities(was), identities(is))) {
    const [old, fresh] = [was?.[one], is?.[other]];
    if (old === undefined || fresh === undefined) continue;
    partners.set(old, fresh);
    partners.set(fresh, old);
  }
  return partners;
}

/** The place of an own function on the other side, whether or not a run has reached it there. */
function placeIn(partners: OwnMatches, own: OpenFunction | null): DiffPlace | null {
  const place = own === null ? undefined : partners.get(own)?.place;
  return place === undefined ? null : { label: place.label, url: place.url, line: place.line };
}
