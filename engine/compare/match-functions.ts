import type { MatchedBy } from '../../protocol/comparison.ts';
import { fileNameOf } from '../../protocol/machine-path.ts';
import { groupBy } from '../basics/lists.ts';
import { oncePer } from '../basics/once.ts';
import { isPartOfClass, type SourceIndex } from '../read/source-code/source-index.ts';
import { sourceTokens } from '../read/source-code/source-tokens.ts';

/** What identifies a function of one version of a source in another version. */
export interface FunctionIdentity {
  /** Path below the root that contains the file; the whole url where no root does. */
  readonly file: string;
  /** Its own name; null where it has none. */
  readonly name: string | null;
  /** Names of the functions around it and its own, outermost first, separated by `>`; empty for the module. */
  readonly names: string;
  /** How many functions of the file above it have the same `names`. */
  readonly ordinal: number;
  /** Name of the function that takes it as an argument; null where none does. */
  readonly callbackOf: string | null;
  /** `names` of the function around it. */
  readonly around: string;
  /** Its text without white space and comments; empty where the text is unknown. */
  readonly tokens: readonly string[];
  /** For a module with a known text: its text outside of functions and how it runs, as a key. */
  readonly topLevel?: string;
}

/**
 * Whether two texts of a file differ at most in white space and comments. What tools read from comments
 * (`@jest-environment`, `#__PURE__`) counts as code. Of files that are not JavaScript or TypeScript each character counts.
 */
export function isSameCode(file: string, one: string, other: string): boolean {
  if (one === other) return true;
  if (!/\.[cm]?[jt]sx?$/.test(file)) return false;
  const facts = (text: string): string =>
    [...sourceTokens(text, file).tokens, ...settingsIn(text), ...(text.match(/[@#][\w-]+/g) ?? [])].join('\n');
  return facts(one) === facts(other);
}

/** The first line and the comments by which Node.js and tools choose how to run the whole file. */
function settingsIn(text: string): readonly string[] {
  return text.match(/^#!.*|@(?:(?:jest|vitest)-environment|jsx).*/g) ?? [];
}

/** Whether a text may be that of a moved file: the share of what both have is at least that of a moved function. */
export function isMovedText(file: string, before: string, now: string): boolean {
  const [was, is] = [before, now].map((text) => textFrom(sourceTokens(text, file).tokens));
  return was !== undefined && is !== undefined && similarity(was, is) >= MIN_ALIKE_MOVED;
}

/** Identities of the functions of a file, in the order of `index.functions`. */
export function identitiesIn(file: string, text: string, index: SourceIndex): readonly FunctionIdentity[] {
  const { tokens, rangeOf } = sourceTokens(text, file);
  const all: string[] = [];
  const seen = new Map<string, number>();
  const inner = index.functions.slice(1).map(rangeOf);
  return index.functions.map((fn, number) => {
    const around = all[fn.parent] ?? '';
    const isPart = isPartOfClass(fn);
    const own = fn.title ?? (fn.callbackOf === null ? (isPart ? fn.kind : '') : `${fn.callbackOf} callback`);
    const names = number === 0 ? '' : `${around}>${own}`;
    // Functions in a field have the name of the class around them, whatever runs the field.
    all.push(isPart ? around : names);
    const ordinal = seen.get(names) ?? 0;
    seen.set(names, ordinal + 1);
    return {
      ...{ file, name: fn.title, names, ordinal, callbackOf: fn.callbackOf, around },
      tokens: tokens.slice(...rangeOf(fn)),
      ...(number === 0 ? { topLevel: [outside(tokens, inner), ...settingsIn(text)].join(' ') } : {}),
    };
  });
}

/** The tokens in none of the ranges, which ascend by their begin. */
function outside(tokens: readonly string[], ranges: readonly (readonly [first: number, end: number])[]): string {
  const left: (readonly string[])[] = [];
  let at = 0;
  for (const [first, end] of ranges) {
    if (first > at) left.push(tokens.slice(at, first));
    at = Math.max(at, end);
  }
  return [...left, tokens.slice(at)].flat().join(' ');
}

/** The function of the head that each function of the base is, by their indexes, and what it was found by. */
export type Matches = ReadonlyMap<number, { readonly is: number; readonly by: MatchedBy }>;

/**
 * Finds functions again in another version of their sources, one to one. The most certain rule comes first: (1) the same
 * file, names and text; (2) the same text, which each side has once; (3) the same file and names; (4) a callback of the
 * same call, or a function without a name, in the same function, with similar text, or short and the only one; (5) the
 * same name, or a module of the same file name, in another file; (6) another name in the same function, or none in the same
 * file, with similar text besides the name.
 */
export function matchFunctions(was: readonly FunctionIdentity[], is: readonly FunctionIdentity[]): Matches {
  const open = new Open(was, is);
  open.pairInOrder('same', (fn) => `${ownKey(fn)}\n${textKey(fn)}`);
  open.pairInOrder(
    'text',
    (fn) => (fn.tokens.length < MIN_TOKENS ? null : textKey(fn)),
    (before, now) => before === 1 && now === 1,
  );
  open.pairInOrder(
    'names',
    (fn) => (fn.name !== null || fn.names === '' ? ownKey(fn) : null), // The module has no name.
    (before, now) => before === now,
  );
  pairUnnamed(open);
  const around = open.namesAround();
  open.pairAlike('file', MIN_ALIKE_MOVED, ({ name, names, file }) => (names === '' ? `/${fileNameOf(file)}` : name));
  open.pairAlike('renamed', MIN_ALIKE_RENAMED, (fn, side) => (fn.name === null ? null : around(fn, side)));
  pairUnnamed(open); // Those in a function that was moved or renamed.
  // What a call or a function is put around, as in `const total = memo(() => …)`, has no name, or is in another function.
  const isLong = ({ names, tokens }: FunctionIdentity): boolean => names !== '' && tokens.length >= MIN_TOKENS;
  const haveOneName = (a: FunctionIdentity, b: FunctionIdentity): boolean => a.name === null || b.name === null;
  open.pairAlike('renamed', MIN_ALIKE_RENAMED, (fn) => (isLong(fn) ? fn.file : null), haveOneName);
  return open.matches;
}

/** Callbacks, and functions without a name that are called at once, exported, listed or returned. */
function pairUnnamed(open: Open): void {
  const around = open.namesAround();
  const keyOf = (fn: FunctionIdentity, side: Side): string | null =>
    fn.name !== null || fn.names === '' ? null : `${around(fn, side)}\n${fn.callbackOf ?? ''}`;
  open.pairAlike('callback', 0.2, keyOf);
  const shortKeyOf = (fn: FunctionIdentity, side: Side): string | null =>
    fn.tokens.length < MIN_TOKENS ? keyOf(fn, side) : null;
  open.pairInOrder('callback', shortKeyOf, (before, now) => before === 1 && now === 1);
}

/** Minimum similarity to what is in another file. */
const MIN_ALIKE_MOVED = 0.5;

/** Minimum similarity, besides the name, to what has another one. */
const MIN_ALIKE_RENAMED = 0.6;

/** A text of this many tokens identifies its function without a name. */
const MIN_TOKENS = 12;

function ownKey({ file, names }: FunctionIdentity): string {
  return `${file}\n${names}`;
}

/** A function whose text is unknown has no tokens. */
export function hasText({ tokens }: FunctionIdentity): boolean {
  return tokens.length > 0;
}

/** The text as a key: equal for functions that differ only in white space and comments. */
export function textKey({ tokens }: FunctionIdentity): string {
  return joined(tokens);
}

/** As `textKey`; a module has the text of all functions in it, so for a module what is outside of them. */
export function ownTextKey(identity: FunctionIdentity): string {
  return identity.topLevel ?? textKey(identity);
}

const joined = oncePer((tokens: readonly string[]) => tokens.join(' '));

type Side = 'was' | 'is';
type KeyOf<Item> = (item: Item, side: Side) => string | null;
type Group = readonly [was: readonly number[], is: readonly number[]];

/** Indexes of the items of both sides that are not taken, by key: a group for each key that both sides have. */
export function groupsOfBoth<Item>(
  sides: Readonly<Record<Side, readonly Item[]>>,
  taken: Readonly<Record<Side, { readonly has: (index: number) => boolean }>>,
  keyOf: KeyOf<Item>,
): readonly Group[] {
  const groupsOf = (side: Side): ReadonlyMap<string | null, readonly number[]> => {
    const keys = sides[side].map((item, index) => (taken[side].has(index) ? null : keyOf(item, side)));
    return groupBy(keys.keys(), (index) => keys[index] ?? null);
  };
  const now = groupsOf('is');
  return [...groupsOf('was')].flatMap(([key, before]) => {
    const there = key === null ? undefined : now.get(key);
    return there === undefined ? [] : [[before, there] as const];
  });
}

/** The functions without a partner. */
class Open {
  readonly #sides: Readonly<Record<Side, readonly FunctionIdentity[]>>;
  readonly #taken = new Set<number>();
  readonly matches = new Map<number, { readonly is: number; readonly by: MatchedBy }>();

  constructor(was: readonly FunctionIdentity[], is: readonly FunctionIdentity[]) {
    this.#sides = { was, is };
  }

  /** Pairs functions of equal keys in their order, where `accepts` the numbers of them. */
  pairInOrder(
    by: MatchedBy,
    keyOf: KeyOf<FunctionIdentity>,
    accepts: (before: number, now: number) => boolean = () => true,
  ): void {
    for (const [before, now] of this.#groups(keyOf)) {
      if (!accepts(before.length, now.length)) continue;
      for (const [index, other] of now.slice(0, before.length).entries()) this.#pair(before[index] ?? -1, other, by);
    }
  }

  /**
   * Pairs functions of equal keys, the most similar texts first. The similarity must be at least `least`, and clearly
   * higher than that of any other free partner, but for one around it or within, which has much of the same text.
   */
  pairAlike(
    by: MatchedBy,
    least: number,
    keyOf: KeyOf<FunctionIdentity>,
    mayPair: (was: FunctionIdentity, is: FunctionIdentity) => boolean = () => true,
  ): void {
    const isRename = by === 'renamed';
    const textOf = ({ name, tokens }: FunctionIdentity): ComparedText =>
      textFrom(isRename ? withoutName(tokens, name) : tokens);
    const inSide = (side: Side, indexes: readonly number[]) =>
      indexes.flatMap((index) => {
        const fn = this.#sides[side][index];
        return fn === undefined ? [] : [{ index, fn, text: textOf(fn) }];
      });
    for (const [before, now] of this.#groups(keyOf)) {
      if (before.length * now.length > MAX_COMPARED) continue;
      const theirs = inSide('is', now);
      const pairs = inSide('was', before).flatMap(({ index, fn, text }) =>
        theirs
          .filter((their) => mayPair(fn, their.fn) && (!isRename || shareWord(text, their.text)))
          .map(({ index: other, fn: is, text: now }) => ({
            one: index,
            other,
            was: fn,
            is,
            alike: similarity(text, now),
          })),
      );
      const isFree = ({ one, other }: (typeof pairs)[number]): boolean =>
        !this.matches.has(one) && !this.#taken.has(other);
      for (const pair of pairs.toSorted((a, b) => b.alike - a.alike)) {
        if (pair.alike < least || !isFree(pair)) continue;
        const hasRival = pairs.some((rival) => isFree(rival) && isRival(rival, pair));
        if (!hasRival) this.#pair(pair.one, pair.other, by);
      }
    }
  }

  /** Gives the file and names around a function, by its names in the head where it has a partner there. */
  namesAround(): (fn: FunctionIdentity, side: Side) => string {
    const renamed = new Map<string, string>();
    for (const [one, { is }] of this.matches) {
      const [before, now] = [this.#sides.was[one], this.#sides.is[is]];
      if (before !== undefined && now !== undefined) renamed.set(ownKey(before), ownKey(now));
    }
    return (fn, side) => {
      const key = `${fn.file}\n${fn.around}`;
      return side === 'was' ? (renamed.get(key) ?? key) : key;
    };
  }

  #pair(one: number, other: number, by: MatchedBy): void {
    this.matches.set(one, { is: other, by });
    this.#taken.add(other);
  }

  #groups(keyOf: KeyOf<FunctionIdentity>): readonly Group[] {
    return groupsOfBoth(this.#sides, { was: this.matches, is: this.#taken }, keyOf);
  }
}

interface AlikePair {
  readonly one: number;
  readonly other: number;
  readonly was: FunctionIdentity;
  readonly is: FunctionIdentity;
  readonly alike: number;
}

/** Whether a pair has one of the functions of another pair with a partner elsewhere that is nearly as similar. */
function isRival(rival: AlikePair, pair: AlikePair): boolean {
  return (
    (rival.one === pair.one) !== (rival.other === pair.other) &&
    rival.alike > pair.alike - MIN_LEAD &&
    !areNested(rival.was, pair.was) &&
    !areNested(rival.is, pair.is)
  );
}

/** Whether one of two functions may be within the other. */
export function areNested(one: FunctionIdentity, other: FunctionIdentity): boolean {
  const [outer, inner] = one.names.length < other.names.length ? [one, other] : [other, one];
  return inner.file === outer.file && inner.names.startsWith(`${outer.names}>`);
}

/** Minimum lead in similarity of the best partner over the next. */
const MIN_LEAD = 0.1;
/** Maximum number of pairs of one key: a generated file has thousands of functions of one name. */
const MAX_COMPARED = 10_000;

/** How often each sequence of three tokens occurs in a text; `size`: the number of all. */
interface ComparedText {
  readonly tokens: readonly string[];
  readonly triples: ReadonlyMap<string, number>;
  readonly size: number;
}

function textFrom(tokens: readonly string[]): ComparedText {
  const triples = new Map<string, number>();
  const size = Math.max(1, tokens.length - 2);
  for (let at = 0; at < size; at++) {
    const triple = tokens.slice(at, at + 3).join('\n');
    triples.set(triple, (triples.get(triple) ?? 0) + 1);
  }
  return { tokens, triples, size };
}

/** Similarity of two texts, 0 to 1: the share of their sequences of three tokens that both have. */
function similarity(a: ComparedText, b: ComparedText): number {
  let common = 0;
  for (const [triple, count] of a.triples) common += Math.min(count, b.triples.get(triple) ?? 0);
  return (2 * common) / (a.size + b.size);
}

function withoutName(tokens: readonly string[], name: string | null): readonly string[] {
  const own = name?.split(/[ .]/).at(-1);
  return tokens.map((token) => (token === own ? '' : token));
}

/** Whether both have a word that not every short function may have: `function () { a(); }` and `… b(); }` are alike. */
function shareWord(a: ComparedText, b: ComparedText): boolean {
  const words = new Set(b.tokens.filter((token) => /^[\w$]/.test(token) && !formWords.has(token)));
  return a.tokens.some((token) => words.has(token));
}

const formWords: ReadonlySet<string> = new Set([
  ...['function', 'async', 'await', 'return', 'const', 'let', 'var', 'new', 'this', 'static', 'get', 'set'],
]);
