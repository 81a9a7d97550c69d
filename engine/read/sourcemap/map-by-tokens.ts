import { firstWhere } from '../../basics/lists.ts';
import { SourceMapGenerator } from 'source-map';
import { type Token, tokensOf } from '../source-code/parse-source.ts';
import { isCompilers } from './ask-map.ts';
import type { NamedSource } from './made-of.ts';

/**
 * A source map of a compiled text, found by the words of its sources: compilers keep most words in order, and bundlers
 * keep the order of `sources`. What is before the first word found on a line belongs to that word. Null where a text
 * cannot be read. `isEdited`: the sources are newer, so a line is certain only if all of its words are found.
 */
export function mapByTokens(
  compiled: string,
  sources: readonly NamedSource[],
  isEdited = false,
): { map: string; certainLines: ReadonlySet<number> } | null {
  const after = tokensOf(compiled, 'compiled.js');
  const before: SourceToken[] = [];
  for (const { url, text } of sources) {
    const tokens = tokensOf(text, url);
    if (tokens === null) return null;
    for (const token of tokens) before.push({ ...token, source: url });
  }
  if (after === null) return null;
  const map = new SourceMapGenerator();
  const mapped = new Set<number>();
  const pairs = withMoved(sameTokens(after, before), after, before).toSorted(([x], [y]) => x - y);
  for (const [a, b] of pairs) {
    const generated = after[a];
    const original = before[b];
    if (generated === undefined || original === undefined) continue;
    const column = mapped.has(generated.line) ? generated.column : 0;
    mapped.add(generated.line);
    const { line, column: from, source } = original;
    map.addMapping({ generated: { line: generated.line, column }, original: { line, column: from }, source });
  }
  const certain = certainLines(pairs, after, before);
  return { map: map.toString(), certainLines: isEdited ? wholeLines(certain, pairs, after, before) : certain };
}

interface SourceToken extends Token {
  readonly source: string;
}

/** Adds words that compilers move: field initializers go into the constructor. Compares the remaining words again. */
function withMoved(pairs: readonly Pair[], after: readonly Token[], before: readonly Token[]): readonly Pair[] {
  const takenA = new Set(pairs.map(([a]) => a));
  const takenB = new Set(pairs.map(([, b]) => b));
  const leftA = [...after.keys()].filter((a) => !takenA.has(a));
  const leftB = [...before.keys()].filter((b) => !takenB.has(b));
  const moved = sameTokens(
    leftA.flatMap((a) => after[a] ?? []),
    leftB.flatMap((b) => before[b] ?? []),
  );
  return [...pairs, ...moved.map(([a, b]): Pair => [leftA[a] ?? -1, leftB[b] ?? -1])];
}

/** Lines whose words all come from one line of the source, and have a word that is nowhere else in either text. */
function certainLines(
  pairs: readonly Pair[],
  after: readonly Token[],
  before: readonly SourceToken[],
): ReadonlySet<number> {
  const once = new Set(
    commonOnce({ a: [0, after.length], b: [0, before.length] }, after, before).map(([a, b]) => `${a}:${b}`),
  );
  const originals = new Map<number, Set<string>>();
  const anchored = new Set<number>();
  for (const [a, b] of pairs) {
    const line = after[a]?.line ?? -1;
    originals.set(line, (originals.get(line) ?? new Set()).add(`${before[b]?.line}:${before[b]?.source}`));
    if (once.has(`${a}:${b}`) && !isCompilers.test(after[a]?.text ?? '')) anchored.add(line);
  }
  return new Set([...anchored].filter((line) => originals.get(line)?.size === 1));
}

/**
 * Lines whose words all come from one line of the source. They are the certain lines, and those between two certain
 * lines in both texts.
 */
function wholeLines(
  certain: ReadonlySet<number>,
  pairs: readonly Pair[],
  after: readonly Token[],
  before: readonly SourceToken[],
): ReadonlySet<number> {
  const paired = new Set(pairs.map(([a]) => a));
  const left = after.filter((token, a) => !paired.has(a) && !isCompilers.test(token.text));
  const changed = new Set(left.map(({ line }) => line));
  const rewritten = rewrittenLines(pairs, after, before, changed);
  const originals = new Map<number, SourceToken | null>();
  for (const [a, b] of pairs) {
    const line = after[a]?.line ?? -1;
    const [token = null, known] = [before[b], originals.get(line)];
    const isOne = known === undefined || (known?.line === token?.line && known?.source === token?.source);
    const isWhole = isOne && !changed.has(line) && !(token !== null && rewritten.has(lineOf(token)));
    originals.set(line, isWhole ? token : null);
  }
  const whole = [...originals].flatMap(([line, token]) => (token === null ? [] : [{ line, token }]));
  const isAnchor = ({ line }: (typeof whole)[number]): boolean => certain.has(line);
  const isBetween = (one: (typeof whole)[number], at: number): boolean => {
    const [above, below] = [whole.slice(0, at).findLast(isAnchor), whole.slice(at + 1).find(isAnchor)];
    return (
      above?.token.source === one.token.source &&
      below?.token.source === one.token.source &&
      above.token.line < one.token.line &&
      one.token.line < below.token.line
    );
  };
  return new Set(whole.filter((one, at) => isAnchor(one) || isBetween(one, at)).map(({ line }) => line));
}

/**
 * Lines of the sources that are others than those that were compiled: a word of theirs is nowhere in the compiled text, or
 * one of that is not in theirs. Types are in no compiled text, so of names only those that are called, or that it has, count.
 */
function rewrittenLines(
  pairs: readonly Pair[],
  after: readonly Token[],
  before: readonly SourceToken[],
  changed: ReadonlySet<number>,
): ReadonlySet<string> {
  const words = new Set(after.map(({ text }) => text));
  const paired = new Set(pairs.map(([, b]) => b));
  const added = before.filter(({ text }, b) => {
    if (paired.has(b) || isCompilers.test(text)) return false;
    return /^[\d'"`]/.test(text) || words.has(text) || before[b + 1]?.text === '(';
  });
  const losing = pairs.flatMap(([a, b]) => (changed.has(after[a]?.line ?? -1) ? (before[b] ?? []) : []));
  return new Set([...added, ...losing].map(lineOf));
}

function lineOf({ line, source }: SourceToken): string {
  return `${line}:${source}`;
}

type Pair = readonly [number, number];

/** A part of both lists, ends excluded. */
interface Range {
  readonly a: Pair;
  readonly b: Pair;
}

/**
 * Pairs of equal tokens, ascending in both lists, by patience diff (Bram Cohen): equal tokens at both ends of a range,
 * then tokens that each list has once in it, in order. Each gap between them is a new range.
 */
function sameTokens(after: readonly Token[], before: readonly Token[]): readonly Pair[] {
  const pairs: Pair[] = [];
  const ranges: Range[] = [{ a: [0, after.length], b: [0, before.length] }];
  for (let range = ranges.pop(); range !== undefined; range = ranges.pop()) {
    const { ends, rest } = equalEnds(range, after, before);
    const anchors = inOrder(commonOnce(rest, after, before));
    for (const pair of [...ends, ...anchors]) pairs.push(pair);
    if (anchors.length > 0) for (const gap of gaps(rest, anchors)) ranges.push(gap);
  }
  return pairs;
}

function equalEnds({ a, b }: Range, after: readonly Token[], before: readonly Token[]): { ends: Pair[]; rest: Range } {
  const ends: Pair[] = [];
  const isSame = (x: number, y: number): boolean => after[x]?.text === before[y]?.text;
  let [a0, a1] = a;
  let [b0, b1] = b;
  while (a0 < a1 && b0 < b1 && isSame(a0, b0)) ends.push([a0++, b0++]);
  while (a0 < a1 && b0 < b1 && isSame(a1 - 1, b1 - 1)) ends.push([--a1, --b1]);
  return { ends, rest: { a: [a0, a1], b: [b0, b1] } };
}

/** Tokens that each list has once in the range, by their place in the first list. */
function commonOnce({ a, b }: Range, after: readonly Token[], before: readonly Token[]): readonly Pair[] {
  const there = onlyPlaces(before, b);
  return [...onlyPlaces(after, a)].flatMap(([text, place]): readonly Pair[] => {
    const other = there.get(text) ?? -1;
    return place >= 0 && other >= 0 ? [[place, other]] : [];
  });
}

/** Where each token is; −1 for one that is there more than once. */
function onlyPlaces(tokens: readonly Token[], [from, to]: Pair): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  for (let at = from; at < to; at += 1) {
    const text = tokens[at]?.text ?? '';
    places.set(text, places.has(text) ? -1 : at);
  }
  return places;
}

/** The longest subsequence of the pairs that also ascends in the second list, by patience sorting. */
function inOrder(pairs: readonly Pair[]): readonly Pair[] {
  interface Card {
    readonly pair: Pair;
    readonly before: Card | null;
  }
  const piles: Card[] = [];
  for (const pair of pairs) {
    const pile = firstWhere(piles.length, (index) => (piles[index]?.pair[1] ?? 0) >= pair[1]);
    piles[pile] = { pair, before: piles[pile - 1] ?? null };
  }
  const longest: Pair[] = [];
  for (let card = piles.at(-1) ?? null; card !== null; card = card.before) longest.push(card.pair);
  return longest.toReversed();
}

/** The ranges before, between and after the anchors. */
function gaps({ a, b }: Range, anchors: readonly Pair[]): readonly Range[] {
  const starts: readonly Pair[] = [[a[0], b[0]], ...anchors.map(([x, y]): Pair => [x + 1, y + 1])];
  return starts.map(([x, y], index) => {
    const [nextA, nextB] = anchors[index] ?? [a[1], b[1]];
    return { a: [x, nextA], b: [y, nextB] };
  });
}
