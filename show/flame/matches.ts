import { type FlameFind, type FlameSearch, frameCategories, type SearchProblem } from '../../protocol/flame.ts';
import { NumberList } from '../../engine/basics/number-list.ts';
import { oncePer, Recent } from '../../engine/basics/once.ts';
import { PairTable } from '../../engine/basics/pair-table.ts';
import { decoded, plainUrl } from '../../engine/read/files/file-path.ts';
import type { GraphView } from './flame-view.ts';
import { nameOfCategory } from './frame-facts.ts';

/** What is searched for: `FlameSearch` and `FlameFind` have it. */
export type Wanted = Pick<FlameSearch, 'pattern' | 'isRegex'>;

/** Whether a regular expression matches any line of each text, or why that is unknown: it may take too long. */
export type RegexTest = (pattern: string, texts: readonly string[]) => readonly boolean[] | SearchProblem;

/** For callers that cannot end a regular expression that takes too long. */
export const noRegex: RegexTest = () => ({ type: 'wrong', message: 'Regular expressions cannot be used here' });

/** What can be searched: names and places of functions. */
export interface SearchedTexts {
  /** The `searchedText` of each function. */
  readonly texts: readonly string[];
  readonly testRegex: RegexTest;
}

/** The name of a function, and its url as the page shows it: percent-decoded where it is that of a file. */
export function searchedText(name: string, url: string): string {
  const plain = plainUrl(url);
  return `${name}\n${plain.startsWith('file:') ? decoded(plain) : plain}`;
}

/** The functions that match, and the categories whose frames without a function match. */
interface Matching {
  readonly functionIds: readonly number[];
  /** By index of `frameCategories`. */
  readonly isCategory: readonly boolean[];
}

/**
 * All matches in a view by number, in no particular order: each frame once, and in a bar each function once, at its
 * heaviest frame.
 */
export interface Matches extends Matching {
  readonly size: number;
  /** Frames of the merged tree. */
  readonly ids: NumberList;
  /** The drawn frames: the frames themselves, or the bars that they are folded into. */
  readonly frames: NumberList;
  /** In µs. */
  readonly times: NumberList;
  /** Time in all of them; a match below another match adds none. */
  readonly matchedUs: number;
  /** The drawn bars with a match. */
  readonly bars: readonly number[];
}

/**
 * The matches in a view. The last ones of each view are kept: the page asks for their number and for the first one at
 * once, and then for the next.
 */
export function matchesOf(view: GraphView, wanted: Wanted, searched: SearchedTexts): Matches | SearchProblem {
  const kept = lastMatches(view);
  const key = JSON.stringify([wanted.pattern, wanted.isRegex]);
  const known = kept.known(key);
  if (known !== undefined) return known;
  const matching = matchingOf(wanted, searched);
  return 'type' in matching ? matching : kept.get(key, () => matchesIn(view, matching)); // A busy machine may not fail again.
}

const lastMatches = oncePer<GraphView, Recent<Matches>>(() => new Recent(1));

function matchingOf({ pattern, isRegex }: Wanted, { texts, testRegex }: SearchedTexts): Matching | SearchProblem {
  const names = frameCategories.map(nameOfCategory);
  const all = [...texts, ...names];
  const found = isRegex ? testRegex(pattern, all) : lineTest(pattern, all);
  if ('type' in found) return found;
  return {
    functionIds: [...texts.keys()].filter((id) => found[id] === true),
    isCategory: names.map((name, index) => name !== '' && found[texts.length + index] === true),
  };
}

/** Whether any line of each text has the pattern in it. The page shows paths of Windows with `\`, urls have `/`. */
function lineTest(pattern: string, texts: readonly string[]): readonly boolean[] {
  const spelled = (text: string): string => text.toLowerCase().replaceAll('\\', '/');
  const wanted = spelled(pattern);
  const isOfOneLine = !wanted.includes('\n');
  return texts.map((text) => isOfOneLine && spelled(text).includes(wanted));
}

function matchesIn(view: GraphView, matching: Matching): Matches {
  const isMatch = matchMarks(view, matching);
  const { ids, frames, times, inBars } = listMatches(view, isMatch);
  const bars = [...new Set(inBars.firsts)];
  return { ...matching, size: ids.size, ids, frames, times, matchedUs: timeIn(view, isMatch), bars };
}

// Of the loops over a million frames each does one thing: V8 compiles it before a tenth of them is done.

/** Marks the frames of the merged tree that match with 1. */
function matchMarks({ plain: { tree, total } }: GraphView, { functionIds, isCategory }: Matching): Uint8Array {
  const isFunction = new Uint8Array(1 + (functionIds.at(-1) ?? 0));
  for (const id of functionIds) isFunction[id] = 1;
  const isMeant = Uint8Array.from(isCategory, Number);
  const marks = new Uint8Array(tree.size);
  for (let frame = 1; frame < tree.size; frame += 1) {
    if ((total[frame] ?? 0) === 0) continue;
    const functionId = tree.functionId[frame] ?? -1;
    marks[frame] = (functionId >= 0 ? isFunction[functionId] : isMeant[tree.category[frame] ?? 0]) ?? 0;
  }
  return marks;
}

/** Time in the outermost marked frames. */
function timeIn({ plain: { tree, total } }: GraphView, isMatch: Uint8Array): number {
  const isInside = isMatch.slice();
  let time = 0;
  for (let frame = 1; frame < tree.size; frame += 1) {
    if (isInside[tree.parent[frame] ?? 0] === 1) isInside[frame] = 1;
    else if (isMatch[frame] === 1) time += total[frame] ?? 0;
  }
  return time;
}

/** `inBars`: (bar, function) of the matches in bars. */
function listMatches({ tree, plain, isInBar, frameOf, ids, total }: GraphView, isMatch: Uint8Array) {
  const isListed = new Uint8Array(tree.size);
  const inBars = new PairTable(64);
  const matchOfPair = new NumberList();
  const list = { ids: new NumberList(), frames: new NumberList(), times: new NumberList(new Float64Array(64)) };
  const add = (id: number, frame: number, time: number): void => {
    list.ids.push(id);
    list.frames.push(frame);
    list.times.push(time);
  };
  for (let one = 1; one < isMatch.length; one += 1) {
    if (isMatch[one] !== 1) continue;
    const frame = frameOf[one] ?? 0;
    if (isInBar[one] !== 1) {
      if (isListed[frame] === 0) add(ids[frame] ?? 0, frame, total[frame] ?? 0);
      isListed[frame] = 1;
      continue;
    }
    const time = plain.total[one] ?? 0;
    const pair = inBars.numberOf(frame, plain.tree.functionId[one] ?? -1);
    const match = matchOfPair.at(pair);
    if (pair === matchOfPair.size) {
      matchOfPair.push(list.ids.size);
      add(one, frame, time);
    } else if (list.times.at(match) < time) {
      list.ids.set(match, one);
      list.times.set(match, time);
    }
  }
  return { ...list, inBars };
}

/**
 * The match after `last`, or with step −1 the one before, where the heaviest comes first; round at both ends. Without a
 * `last` (−1) the first one, or with step −1 the last one. −1 without any matches.
 */
export function matchFrom(last: number, step: FlameFind['step'], matches: Matches): number {
  const sign = step === -1 ? -1 : 1;
  let [first, next] = [-1, -1];
  for (let one = 0; one < matches.size; one += 1) {
    if (first === -1 || sign * orderOf(one, first, matches) < 0) first = one;
    if (last === -1 || sign * orderOf(one, last, matches) <= 0) continue;
    if (next === -1 || sign * orderOf(one, next, matches) < 0) next = one;
  }
  return next === -1 ? first : next;
}

/** Number of a match from 1 on, where the heaviest comes first. */
export function placeOfMatch(match: number, matches: Matches): number {
  let place = 1;
  for (let one = 0; one < matches.size; one += 1) if (orderOf(one, match, matches) < 0) place += 1;
  return place;
}

/** Negative where the first match comes before the second. No sorted list: a million frames may match. */
function orderOf(one: number, other: number, { times, ids }: Matches): number {
  const byTime = times.at(other) - times.at(one);
  return byTime === 0 ? ids.at(one) - ids.at(other) : byTime;
}

/** Number of the match that is this frame of the merged tree, or is drawn as it; −1 where there is none. */
export function matchAt(id: number, { frameOf, isInBar }: GraphView, { size, ids, frames }: Matches): number {
  const drawn = isInBar[id] === 1 ? -1 : (frameOf[id] ?? -1);
  for (let one = 0; one < size; one += 1) if (ids.at(one) === id || frames.at(one) === drawn) return one;
  return -1;
}
