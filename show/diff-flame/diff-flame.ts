import type { FlameDiff, FlameSide } from '../../protocol/diff.ts';
import type { FlameAnswer, FlameQuery, FlameSearch, FlameSearchAnswer } from '../../protocol/flame.ts';
import { line1, microseconds } from '../../protocol/units.ts';
import { pictureOf } from '../flame/flame-picture.ts';
import { noRegex, queryAtMatch, type RegexTest, type Searchable, searchIn, zoomedFrame } from '../flame/find-frames.ts';
import { type DescribedFrame, type FlamePicture, framesBelow, selfIn, totals } from '../flame/flame-view.ts';
import { foldFactsOf } from '../flame/fold-facts.ts';
import { foldKey, ownersOf, type Owners } from '../flame/fold-tree.ts';
import { categoryOfFrame, namesOfNoFunction } from '../flame/frame-facts.ts';
import {
  changeOf,
  differencesIn,
  type DiffPicture,
  diffViewOf,
  selfOfSide,
  type SidePicture,
  sideTimes,
} from './diff-view.ts';
import type { Diff } from './read-diff.ts';

type Query = Omit<FlameQuery, 'leastShare'>;

/** The flamegraph of a diff, for any number of questions. What was looked at last is kept, so zooming in it is quick. */
export class DiffFlame {
  readonly #diff: Diff;
  readonly #owners: Owners;
  #last: { readonly key: string; readonly pictures: DiffPictures } | null = null;

  constructor(diff: Diff) {
    this.#diff = diff;
    this.#owners = ownersOf(diff.functions);
  }

  /** Never throws. A zoom or a function that does not exist shows everything. */
  answer(asked: FlameQuery, testRegex = noRegex): FlameAnswer {
    const at = queryAtMatch(asked, this.#searchable(asked, testRegex));
    const query = at?.query ?? asked;
    const picture = pictureOf(this.#pictured(query), asked);
    return at === null ? picture : { ...picture, found: at.found };
  }

  search(search: FlameSearch, testRegex = noRegex): FlameSearchAnswer {
    return searchIn(search, this.#searchable(search, testRegex));
  }

  #searchable({ side, perOperationOf }: Query, testRegex: RegexTest): Searchable {
    const query = {
      ...(side === undefined ? {} : { side }),
      ...(perOperationOf === undefined ? {} : { perOperationOf }),
    };
    const texts = this.#diff.functions.map((fn) => {
      const place = fn.is ?? fn.was;
      return `${place?.label ?? fn.name}\n${place?.url ?? fn.url}`;
    });
    return {
      texts,
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
    if (this.#last?.key === key) return this.#last.pictures;
    const { tree, order } = this.#diff;
    const owners = this.#owners;
    const plain = diffViewOf(tree, order, { of, fold: null, owners });
    const pictures = { plain, folded: fold === undefined ? plain : diffViewOf(tree, order, { of, fold, owners }) };
    this.#last = { key, pictures };
    return pictures;
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
      const name = frame === 0 ? 'all' : namesOfNoFunction[category];
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

/** The frames as they are, whose changes the legend counts, and as they are drawn. */
interface DiffPictures {
  readonly plain: DiffPicture;
  readonly folded: DiffPicture;
}

function flameSide({ runs, count, estimated, total }: SidePicture, zoomed: number): FlameSide {
  return { runs: runs.length, count, estimated, totalUs: microseconds(total[zoomed] ?? 0) };
}
