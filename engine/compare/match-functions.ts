import type { MatchedBy } from '../../protocol/comparison.ts';
import { groupBy } from '../basics/lists.ts';
import type { SourceIndex } from '../read/source-code/source-index.ts';
import { sourceTokens } from '../read/source-code/source-tokens.ts';

/** The function of the head that each function of the base is, by their indexes, and by what it was found. */
export type Matches = ReadonlyMap<number, { readonly is: number; readonly by: MatchedBy }>;

/**
 * Finds functions again in another version of their sources, one to one. What is certain comes first: (1) the same file,
 * names and text; (2) the same text, which each side has once; (3) the same file and names; (4) a callback that is handed
 * to the same call in the same function, and whose text is alike; (5) the same name in another file; (6) another name in
 * the same function.
 */
export function matchFunctions(was: readonly FunctionIdentity[], is: readonly FunctionIdentity[]): Matches {
  const open = new Open(was, is);
  open.pairInOrder('same', (fn) => `${fn.file}\n${fn.names}\n${textKey(fn)}`);
  open.pairOnlyOnes('text', (fn) => (fn.tokens.length < leastTokens ? null : textKey(fn)));
  open.pairEqualGroups('names', (fn) => (isNamed(fn) ? `${fn.file}\n${fn.names}` : null));
  pairCallbacks(open);
  const around = open.filesAndNames();
  open.pairAlike('file', 0.5, ({ name }) => name);
  open.pairAlike('renamed', 0.6, (fn, side) => (fn.name === null ? null : around(fn, side)));
  pairCallbacks(open); // Those in a function that was moved or renamed.
  return open.matches;
}

function pairCallbacks(open: Open): void {
  const around = open.filesAndNames();
  open.pairAlike('callback', 0.5, (fn, side) =>
    fn.name !== null || fn.callbackOf === null ? null : `${around(fn, side)}\n${fn.callbackOf}`,
  );
}

/** Least tokens of a text that tells by itself which function it is. */
const leastTokens = 12;

function isNamed({ name, names }: FunctionIdentity): boolean {
  return name !== null || names === ''; // The module has no name.
}

function textKey({ tokens }: FunctionIdentity): string {
  return tokens.join(' ');
}

type Side = 'was' | 'is';
type KeyOf = (fn: FunctionIdentity, side: Side) => string | null;

/** The functions that have no partner yet. */
class Open {
  readonly #was: readonly FunctionIdentity[];
  readonly #is: readonly FunctionIdentity[];
  readonly #taken = new Set<number>();
  readonly matches = new Map<number, { readonly is: number; readonly by: MatchedBy }>();

  constructor(was: readonly FunctionIdentity[], is: readonly FunctionIdentity[]) {
    this.#was = was;
    this.#is = is;
  }

  /** Pairs those of equal keys in their order. */
  pairInOrder(by: MatchedBy, keyOf: KeyOf): void {
    for (const [before, now] of this.#groups(keyOf)) {
      for (const [index, one] of before.slice(0, now.length).entries()) this.#pair(one, now[index] ?? -1, by);
    }
  }

  /** Pairs those whose key each side has once. */
  pairOnlyOnes(by: MatchedBy, keyOf: KeyOf): void {
    for (const [before, now] of this.#groups(keyOf)) {
      const [one, another] = [before[0], now[0]];
      if (before.length === 1 && now.length === 1 && one !== undefined && another !== undefined)
        this.#pair(one, another, by);
    }
  }

  /** Pairs those of equal keys in their order, where each side has as many. */
  pairEqualGroups(by: MatchedBy, keyOf: KeyOf): void {
    for (const [before, now] of this.#groups(keyOf)) {
      if (before.length === now.length)
        for (const [index, one] of before.entries()) this.#pair(one, now[index] ?? -1, by);
    }
  }

  /**
   * Pairs those of equal keys whose texts are alike by at least `least`, and more than any other's, the most alike
   * first.
   */
  pairAlike(by: MatchedBy, least: number, keyOf: KeyOf): void {
    for (const [before, now] of this.#groups(keyOf)) {
      if (before.length * now.length > mostCompared) continue;
      const theirs = now.map((other) => ({ other, triples: this.#triples('is', other) }));
      const pairs = before.flatMap((one) => {
        const triples = this.#triples('was', one);
        return theirs.map((their) => ({ one, other: their.other, alike: similarity(triples, their.triples) }));
      });
      for (const pair of pairs.toSorted((a, b) => b.alike - a.alike)) {
        if (pair.alike < least || this.matches.has(pair.one) || this.#taken.has(pair.other)) continue;
        const rival = pairs.some(
          ({ one, other, alike }) =>
            (one === pair.one) !== (other === pair.other) &&
            alike > pair.alike - leastLead &&
            !this.matches.has(one) &&
            !this.#taken.has(other),
        );
        if (!rival) this.#pair(pair.one, pair.other, by);
      }
    }
  }

  /** Gives the function around another as it is called in the head, so that callbacks of a moved function are found. */
  filesAndNames(): (fn: FunctionIdentity, side: Side) => string {
    const renamed = new Map<string, string>();
    for (const [one, { is }] of this.matches) {
      const [before, now] = [this.#was[one], this.#is[is]];
      if (before !== undefined && now !== undefined) renamed.set(ownKey(before), ownKey(now));
    }
    return (fn, side) => {
      const key = `${fn.file}\n${fn.around}`;
      return side === 'was' ? (renamed.get(key) ?? key) : key;
    };
  }

  #triples(side: Side, index: number): Triples {
    return triplesOf((side === 'was' ? this.#was : this.#is)[index]?.tokens ?? []);
  }

  #pair(one: number, other: number, by: MatchedBy): void {
    if (other < 0) return;
    this.matches.set(one, { is: other, by });
    this.#taken.add(other);
  }

  /** Unpaired functions of both sides by key. */
  #groups(keyOf: KeyOf): readonly (readonly [readonly number[], readonly number[]])[] {
    const free = (all: readonly FunctionIdentity[], side: Side): Map<string, number[]> => {
      const numbers = all.flatMap((fn, index) => {
        const isTaken = side === 'was' ? this.matches.has(index) : this.#taken.has(index);
        const key = isTaken ? null : keyOf(fn, side);
        return key === null ? [] : [{ key, index }];
      });
      const groups = groupBy(numbers, ({ key }) => key);
      return new Map([...groups].map(([key, group]) => [key, group.map(({ index }) => index)]));
    };
    const now = free(this.#is, 'is');
    return [...free(this.#was, 'was')].flatMap(([key, before]) => {
      const there = now.get(key);
      return there === undefined ? [] : [[before, there] as const];
    });
  }
}

function ownKey({ file, names }: FunctionIdentity): string {
  return `${file}\n${names}`;
}

/** By how much the best partner must be more alike than the next. */
const leastLead = 0.1;
/** Most pairs of one key that are compared; a generated file has thousands of functions of one name. */
const mostCompared = 10_000;

/** A function of one version of a source, as it can be found again in another version. */
export interface FunctionIdentity {
  /** Path of the file below the root that contains it; the whole url where it is in none. */
  readonly file: string;
  /** Its own name; null where nothing names it. */
  readonly name: string | null;
  /** Names of the functions around it and its own, outermost first, separated by `>`. */
  readonly names: string;
  /** How many functions of the file above it have the same `names`. */
  readonly ordinal: number;
  /** Name of the function to which it is handed; null where it is handed to none. */
  readonly callbackOf: string | null;
  /** `names` of the function around it. */
  readonly around: string;
  /** Its text without white space and comments; empty where nobody has the text. */
  readonly tokens: readonly string[];
}

/** Identities of the functions of a file, in the order of `index.functions`. */
export function identitiesIn(file: string, text: string, index: SourceIndex): readonly FunctionIdentity[] {
  const { tokens, rangeOf } = sourceTokens(text, file);
  const names: string[] = [];
  const seen = new Map<string, number>();
  return index.functions.map((fn, number) => {
    const around = names[fn.parent] ?? '';
    const own = number === 0 ? '' : (fn.title ?? (fn.callbackOf === null ? '' : `${fn.callbackOf} callback`));
    const path = number === 0 ? '' : `${around}>${own}`;
    names.push(path);
    const ordinal = seen.get(path) ?? 0;
    seen.set(path, ordinal + 1);
    return {
      ...{ file, name: fn.title, names: path, ordinal, callbackOf: fn.callbackOf, around },
      tokens: tokens.slice(...rangeOf(fn)),
    };
  });
}

/** The runs of three tokens of a text, as often as each occurs; `size`: how many there are together. */
export interface Triples {
  readonly counts: ReadonlyMap<string, number>;
  readonly size: number;
}

export function triplesOf(tokens: readonly string[]): Triples {
  const counts = new Map<string, number>();
  const size = Math.max(1, tokens.length - 2);
  for (let at = 0; at < size; at++) {
    const triple = tokens.slice(at, at + 3).join('\n');
    counts.set(triple, (counts.get(triple) ?? 0) + 1);
  }
  return { counts, size };
}

/** How alike two texts are, 0 to 1: what part of their runs of three tokens they have in common. */
export function similarity(a: Triples, b: Triples): number {
  let common = 0;
  for (const [triple, count] of a.counts) common += Math.min(count, b.counts.get(triple) ?? 0);
  return (2 * common) / (a.size + b.size);
}
