import { maxOf, minOf } from '../../protocol/figures.ts';
import type { FlameDiff, FlameSide, DiffRule, DiffView, FrameChange, SideTimes } from '../../protocol/diff.ts';
import { frameChanges } from '../../protocol/diff.ts';
import type { FlameAnswer, FlameQuery, FlameSearch, FlameSearchAnswer } from '../../protocol/flame.ts';
import { line1, microseconds, type Microseconds } from '../../protocol/units.ts';
import { pictureOf } from '../flame/flame-picture.ts';
import { queryAtMatch, type Searchable, searchIn, zoomedFrame } from '../flame/find-frames.ts';
import { noRegex, type RegexTest, searchedText } from '../flame/matches.ts';
import { type DescribedFrame, type FlamePicture, framesBelow, selfIn, totals } from '../flame/flame-view.ts';
import { once, Recent } from '../../engine/basics/once.ts';
import { foldFactsOf } from '../flame/fold-facts.ts';
import { foldKey, ownersOf, type Owners, type FoldedTree, foldTree, type FoldOptions } from '../flame/fold-tree.ts';
import { categoryOfFrame, nameOfCategory } from '../flame/frame-facts.ts';
import type { Diff } from './read-diff.ts';
import type { ChangeRule, Order, Direction } from '../../engine/compare/change-rules.ts';
import { blockRule, changeOfTimes, firstRule, isFarBeyondRanges } from '../../engine/compare/change-rules.ts';
import { type DiffTree, framesOfFunction, type RunTimes, timesInside, timesOfRun } from './diff-tree.ts';

type Query = Omit<FlameQuery, 'leastShare'>;

/** The flamegraph of a diff, for any number of queries. It keeps the last pictures, so zooming is quick. */
export class DiffFlame {
  readonly #diff: Diff;
  readonly #owners: Owners;
  readonly #texts: () => readonly string[];
  readonly #pictures = new Recent<DiffPictures>(1);

  constructor(diff: Diff) {
    this.#diff = diff;
    this.#owners = ownersOf(diff.functions);
    this.#texts = once(() =>
      diff.functions.map(({ is, was, name, url }) => {
        const place = is ?? was;
        return searchedText(place?.label ?? name, place?.url ?? url);
      }),
    );
  }

  /** Never throws. An unknown zoom or function shows everything. */
  answer(asked: FlameQuery, testRegex = noRegex): FlameAnswer {
    const at = queryAtMatch(asked, this.#searchable(asked, testRegex));
    const query = at?.query ?? asked;
    const picture = pictureOf(this.#pictured(query), asked);
    return { ...picture, ...at?.about };
  }

  search(search: FlameSearch, testRegex = noRegex): FlameSearchAnswer {
    return searchIn(search, this.#searchable(search, testRegex));
  }

  #searchable(query: Query, testRegex: RegexTest): Searchable {
    return {
      texts: this.#texts(),
      testRegex,
      viewOf: (fold) => this.#pictured({ ...query, ...(fold === undefined ? {} : { fold }) }).view,
    };
  }

  #pictured(query: Query): FlamePicture {
    const { functions } = this.#diff;
    const { plain, folded } = this.#picturesOf(query);
    const plainSelf = selfOfSide(plain, query.side ?? 'now');
    const self = selfIn(folded, plainSelf);
    const times = { self, total: totals(folded.tree, self) };
    const plainTimes = { tree: plain.tree, self: plainSelf, total: totals(plain.tree, plainSelf) };
    const view = { ...folded, ...times, plain: plainTimes };
    const zoomed = zoomedFrame(view, query);
    const foldFacts = foldFactsOf(view, this.#owners);
    return {
      ...{ view, zoomed, functions, prefix: '' },
      factsOf: (frame) => ({ ...this.#factsOf(frame, folded), ...foldFacts(frame) }),
      about: () => ({ diff: this.#about(query, { plain, folded }, zoomed) }),
    };
  }

  #picturesOf({ fold, perOperationOf }: Query): DiffPictures {
    const of = this.#scopeOf(perOperationOf);
    const key = `${of ?? 'all'} ${foldKey(fold ?? null)}`;
    return this.#pictures.get(key, () => {
      const { tree, order } = this.#diff;
      const owners = this.#owners;
      const plain = diffViewOf(tree, order, { of, fold: null, owners });
      return { plain, folded: fold === undefined ? plain : diffViewOf(tree, order, { of, fold, owners }) };
    });
  }

  #scopeOf(functionId: number | undefined): number | null {
    return functionId !== undefined && this.#diff.functions[functionId] !== undefined ? functionId : null;
  }

  #factsOf(frame: number, picture: DiffPicture): DescribedFrame {
    const { tree, was, is } = picture;
    const functionId = tree.functionId[frame] ?? -1;
    const fn = this.#diff.functions[functionId];
    const category = categoryOfFrame(frame, tree);
    const times = { change: changeOf(picture, frame), was: sideTimes(was, frame), is: sideTimes(is, frame) };
    const place = fn?.is ?? fn?.was ?? null;
    if (fn === undefined || place === null) {
      const name = frame === 0 ? 'all' : nameOfCategory(category);
      return { name, category, functionId: -1, url: '', line: line1(0), diff: times };
    }
    const isRenamed = fn.was !== null && fn.was.label !== place.label;
    return {
      ...{ name: place.label, category, functionId, url: place.url, line: place.line },
      ...(fn.role === null ? {} : { role: fn.role }),
      diff: {
        ...times,
        ...(isRenamed ? { wasName: fn.was.label } : {}),
        ...(fn.is === null ? { onlyBefore: true } : {}),
      },
    };
  }

  #about({ side: view = 'now', perOperationOf }: Query, { plain, folded }: DiffPictures, zoomed: number): FlameDiff {
    const functionId = this.#scopeOf(perOperationOf);
    const fn = this.#diff.functions[functionId ?? -1];
    const { was, is, rule } = folded;
    const isBelow = framesBelow(folded.tree, zoomed);
    return {
      view,
      of: functionId === null ? null : { functionId, name: (fn?.is ?? fn?.was)?.label ?? '' },
      ...{ was: flameSide(was, zoomed), is: flameSide(is, zoomed), rule },
      differenceByChange: differencesIn(
        plain,
        folded.frameOf.map((frame) => isBelow[frame] ?? 0),
      ),
    };
  }
}

/** The frames before folding, whose changes the legend counts, and as drawn. */
interface DiffPictures {
  readonly plain: DiffPicture;
  readonly folded: DiffPicture;
}

function flameSide({ runs, count, estimated, total }: SidePicture, zoomed: number): FlameSide {
  return { runs: runs.length, count, estimated, totalUs: microseconds(total[zoomed] ?? 0) };
}

/** What a diff shows: its frames, folded or not, and the change of each. */
interface DiffPicture extends FoldedTree {
  readonly was: SidePicture;
  readonly is: SidePicture;
  readonly rule: DiffRule;
  /** Index into `frameChanges`, by frame. */
  readonly changes: Uint8Array;
}

/** The times of one side, in µs for each run or operation: all frames have the same divisor, so they add up. */
interface SidePicture {
  readonly self: Float64Array;
  readonly total: Float64Array;
  /** Times of each run, not divided. `count` is 0 for a run without an operation. */
  readonly runs: readonly RunPicture[];
  /** The divisor: runs, or operations. */
  readonly count: number;
  readonly estimated: boolean;
}

type RunPicture = Pick<SidePicture, 'self' | 'total' | 'count'>;

/** `of`: the function whose operations count; null for whole runs. */
function diffViewOf(
  diff: DiffTree,
  order: Order,
  { of, fold, owners }: Omit<FoldOptions, 'isSplit'> & { readonly of: number | null },
): DiffPicture {
  const cut = foldTree(diff.tree, { fold, owners, isSplit: false });
  const isInside = of === null ? null : framesOfFunction(diff.tree, of);
  const timesOf = (run: DiffTree['base'][number]): RunTimes =>
    isInside === null ? timesOfRun(run, diff.tree.size) : timesInside(run, isInside);
  const [was, is] = [sideOf(diff.base.map(timesOf), cut), sideOf(diff.head.map(timesOf), cut)];
  const rule = ruleFor(was, is, order);
  return { ...cut, was, is, rule, changes: changesIn(cut, was, is, rules[rule]) };
}

/** Report a change ≥ 20 % only with ≥ 3 interleaved runs per side. */
function ruleFor(was: SidePicture, is: SidePicture, order: Order): DiffRule {
  const runs = [was, is].map((side) => valued(side).length);
  return order === 'interleaved' && minOf(runs) >= MIN_RUNS ? 'apart' : 'twice';
}

const MIN_RUNS = 3;
const rules: Readonly<Record<DiffRule, ChangeRule>> = {
  apart: { ...firstRule, mayBeDisturbed: false },
  twice: blockRule,
};

function sideOf(runs: readonly RunTimes[], cut: FoldedTree): SidePicture {
  const pictures = runs.map(({ self, count }): RunPicture => {
    const sums = selfIn(cut, self);
    return { self: sums, total: totals(cut.tree, sums), count };
  });
  const count = pictures.reduce((sum, run) => sum + run.count, 0);
  const self = new Float64Array(cut.tree.size);
  for (const run of pictures) for (const [frame, time] of run.self.entries()) self[frame] = (self[frame] ?? 0) + time;
  const divided = self.map((time) => (count === 0 ? 0 : time / count));
  return {
    ...{ self: divided, total: totals(cut.tree, divided), runs: pictures, count },
    estimated: runs.some(({ estimated }) => estimated),
  };
}

/** Runs with a time: without an operation of the function a run has none. */
function valued({ runs }: SidePicture): readonly RunPicture[] {
  return runs.filter(({ count }) => count > 0);
}

/** Time of a frame in each run of a side, in µs for each run or operation; one 0 where no run has any operation. */
function valuesOf(side: SidePicture, of: 'self' | 'total', frame: number): readonly number[] {
  const values = valued(side).map((run) => (run[of][frame] ?? 0) / run.count);
  return values.length === 0 ? [0] : values;
}

/** The change of each frame. Callers come first, so all below a frame that is gone or new is the same. */
function changesIn({ tree }: FoldedTree, was: SidePicture, is: SidePicture, rule: ChangeRule): Uint8Array {
  const changes = new Uint8Array(tree.size).fill(changeNumber.none);
  for (let frame = 0; frame < tree.size; frame += 1) {
    const [before, now] = [was.total[frame] ?? 0, is.total[frame] ?? 0];
    const only = now === 0 && before > 0 ? 'gone' : before === 0 && now > 0 ? 'new' : null;
    const isBelow = only !== null && frame > 0 && changes[tree.parent[frame] ?? 0] === changeNumber[only];
    const direction = isBelow ? null : directionOf(rule, valuesOf(was, 'total', frame), valuesOf(is, 'total', frame));
    if (isBelow || direction !== null) changes[frame] = changeNumber[only ?? direction ?? 'none'];
  }
  return changes;
}

/**
 * A graph has hundreds of frames, and nothing confirms the change of one. In graphs of unchanged code the first rule of a
 * comparison colored 3 % of the frames over 2 ms. This rule colors 0.2 to 0.8 %, and still 91 to 96 % of those that take
 * half as long.
 */
function directionOf(rule: ChangeRule, was: readonly number[], is: readonly number[]): Direction | null {
  return isFarBeyondRanges(was, is) ? changeOfTimes(rule, was, is) : null;
}

const changeNumber: Readonly<Record<FrameChange, number>> = { slower: 0, new: 1, faster: 2, gone: 3, none: 4 };

function changeOf({ changes }: DiffPicture, frame: number): FrameChange {
  return frameChanges[changes[frame] ?? changeNumber.none] ?? 'none';
}

/** Self time by frame in a view: of one side, or only of frames that one side alone has. */
function selfOfSide(picture: DiffPicture, view: DiffView): Float64Array {
  const { was, is, changes } = picture;
  if (view === 'now') return is.self;
  if (view === 'before') return was.self;
  const { self } = view === 'gone' ? was : is;
  return self.map((time, frame) => (changes[frame] === changeNumber[view] ? time : 0));
}

/** Difference of self times, now less before, by the change of the frames for which `isBelow` has 1. */
function differencesIn(
  { was, is, changes }: DiffPicture,
  isBelow: Uint8Array | Int32Array,
): Readonly<Record<FrameChange, Microseconds>> {
  const sums = new Float64Array(frameChanges.length);
  for (const [frame, change] of changes.entries())
    if (isBelow[frame] === 1) sums[change] = (sums[change] ?? 0) + (is.self[frame] ?? 0) - (was.self[frame] ?? 0);
  const us = (change: FrameChange): Microseconds => microseconds(sums[changeNumber[change]] ?? 0);
  return { slower: us('slower'), new: us('new'), faster: us('faster'), gone: us('gone'), none: us('none') };
}

function sideTimes(side: SidePicture, frame: number): SideTimes {
  return {
    totalUs: microseconds(side.total[frame] ?? 0),
    selfUs: microseconds(side.self[frame] ?? 0),
    totalRange: rangeOf(valuesOf(side, 'total', frame)),
    selfRange: rangeOf(valuesOf(side, 'self', frame)),
  };
}

function rangeOf(values: readonly number[]): SideTimes['totalRange'] {
  return [microseconds(minOf(values)), microseconds(maxOf(values))];
}
