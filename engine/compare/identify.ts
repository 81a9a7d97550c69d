import type { SourceIndex } from '../read/source-code/source-index.ts';
import { sourceTokens } from '../read/source-code/source-tokens.ts';

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

/**
 * Whether two texts of a file differ at most in white space and comments. What tools read from comments
 * (`@jest-environment`, `#__PURE__`) counts as code. Of files that are no JavaScript or TypeScript each character counts.
 */
export function isSameCode(file: string, one: string, other: string): boolean {
  if (one === other) return true;
  if (!/\.[cm]?[jt]sx?$/.test(file)) return false;
  const facts = (text: string): string =>
    [...sourceTokens(text, file).tokens, ...(text.match(/[@#][\w-]+/g) ?? [])].join('\n');
  return facts(one) === facts(other);
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
