import type { SourceFunction, SourceIndex } from '../source-code/source-index.ts';

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
  const lines = lineStarts(text);
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
      tokens: tokensOf(textOf(fn, text, lines)),
    };
  });
}

/** Where each line begins in a text. */
function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

function textOf({ kind, start, end }: SourceFunction, text: string, lines: readonly number[]): string {
  if (kind === 'module') return text;
  return text.slice((lines[start.line - 1] ?? 0) + start.column, (lines[end.line - 1] ?? 0) + end.column);
}

/**
 * Words, numbers, strings and signs of a text. It does not know regular expressions, in which a quote begins no string:
 * that is no harm, because equal texts have equal tokens all the same.
 */
function tokensOf(text: string): readonly string[] {
  return text.match(token)?.filter((one) => !one.startsWith('//') && !one.startsWith('/*')) ?? [];
}

const token =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[\s\S])*`|[\p{L}\p{N}_$]+|[^\s]/gu;

/** How alike two texts are, 0 to 1: what part of their runs of three tokens they have in common. */
export function similarity(a: readonly string[], b: readonly string[]): number {
  const [ofA, ofB] = [triples(a), triples(b)];
  let common = 0;
  for (const [triple, count] of ofA) common += Math.min(count, ofB.get(triple) ?? 0);
  const all = Math.max(1, a.length - 2) + Math.max(1, b.length - 2);
  return (2 * common) / all;
}

function triples(tokens: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (let at = 0; at < Math.max(1, tokens.length - 2); at++) {
    const triple = tokens.slice(at, at + 3).join('\n');
    counts.set(triple, (counts.get(triple) ?? 0) + 1);
  }
  return counts;
}
