import { type FlameFold, type FrameCategory, frameCategories, outsideId } from '../../protocol/flame.ts';
import type { FunctionInfo } from '../../engine/read/functions/function-table.ts';
import { NumberList } from '../../engine/basics/number-list.ts';
import { PairTable } from '../../engine/basics/pair-table.ts';
import { noFunction } from '../../engine/read/samples/call-tree.ts';
import { keyOf } from './flame-tree.ts';
import { type FlameTree, program, unknownRun } from './frame-run.ts';

/** Whose code each function is: a package, `Node.js`, a test runner. */
export interface Owners {
  readonly names: readonly string[];
  /** Number of the owner, by function id. */
  readonly ofFunction: Int32Array;
  /** Function ids of a folded tree ≥ this are bars. */
  readonly firstBar: number;
}

/** `functions`: by id. The first owners are those of code without a function, by category. */
export function ownersOf(
  functions: readonly (Pick<FunctionInfo, 'packageName'> & { readonly category: FrameCategory })[],
): Owners {
  const names: string[] = frameCategories.map((category) => kindNames[category]);
  const numbers = new Map(frameCategories.map((category, number) => [`${category} `, number]));
  const ofFunction = Int32Array.from(functions, ({ category, packageName }) => {
    const name = category === 'dependency' || category === 'runner' ? (packageName ?? '') : '';
    const key = `${category} ${name}`;
    const known = numbers.get(key);
    if (known !== undefined) return known;
    numbers.set(key, names.length);
    return names.push(name) - 1;
  });
  return { names, ofFunction, firstBar: functions.length };
}

const kindNames: Readonly<Record<FrameCategory, string>> = {
  own: 'Your code',
  test: 'Tests',
  dependency: 'Other code',
  runner: 'Test runner',
  node: 'Node.js',
  native: 'Native',
  gc: 'GC',
  program: '(program)',
};

export interface FoldOptions {
  /** Null: no folding. */
  readonly fold: FlameFold | null;
  /** True where a function has a frame for each way in which its code ran. */
  readonly isSplit: boolean;
  readonly owners: Owners;
}

/** Equal for equal foldings. */
export function foldKey(fold: FlameFold | null): string {
  if (fold === null) return 'plain';
  return `${fold.kinds.toSorted().join(' ')}; ${fold.open.toSorted().join(' ')}; ${fold.apart === true}`;
}

/**
 * Folds a tree. Frames of folded kinds that call each other become one bar, and so do bars of one owner below one frame:
 * their callees are merged below. A function that calls itself becomes one frame. A bar has the time of all its frames.
 */
export function foldTree(merged: FlameTree, options: FoldOptions): FoldedTree {
  return new Folding(merged, options).folded();
}

/**
 * The state of folding one tree, caller by caller. Most frames represent one frame of the merged tree, and so do their
 * callees: only below frames that represent several it looks frames up, because a million look-ups take longer than all
 * the rest.
 */
class Folding {
  readonly #merged: FlameTree;
  readonly #options: FoldOptions;
  readonly #isKindFolded: readonly boolean[];
  readonly #open: ReadonlySet<number>;
  /** Whether code outside of own code is drawn beside it. */
  readonly #isApart: boolean;
  readonly #made: ReturnType<typeof createRows>;
  readonly #frameOf: Int32Array;
  readonly #isInBar: Uint8Array;
  /** Number of the run plus 1, by frame of the merged tree; 0 where it is in none. */
  readonly #runOf: Int32Array;
  /** Level of recursion by frame of the merged tree, from 1; 0 for those that were not folded. */
  readonly #level: Int32Array;
  /** Has 1 by frame of the merged tree that is not own code and has none above it. */
  readonly #isOutside: Uint8Array;
  /** The frame for all of those; −1 before the first. */
  #outside = -1;
  /** Has 1 by frame of the merged tree that calls its own function. */
  readonly #callsItself: Uint8Array;
  /** Number of the last run below each frame of this tree, plus 1; 0 without one. */
  readonly #lastRun: Int32Array;
  /**
   * `before`: number of the previous run below the same frame, plus 1. `id`: its first frame of the merged tree. `bar`: −1
   * before it has one.
   */
  readonly #runs: { readonly before: number; readonly owner: number; readonly id: number; bar: number }[] = [];
  /** Frames below those that represent several, by `keyOf`. */
  readonly #callees: Callees;

  constructor(merged: FlameTree, options: FoldOptions) {
    this.#merged = merged;
    this.#options = options;
    const kinds = options.fold?.kinds ?? [];
    this.#isKindFolded = frameCategories.map((kind) => kinds.includes(kind) && kind !== 'own' && kind !== 'test');
    this.#open = new Set((options.fold?.open ?? []).map(Number));
    const canBeApart = options.fold?.apart === true;
    this.#isApart = canBeApart && !this.#open.has(Number(outsideId));
    this.#isOutside = new Uint8Array(merged.size);
    this.#isOutside[0] = Number(canBeApart); // Where it is unfolded, a bar offers to fold it again.
    this.#frameOf = new Int32Array(merged.size);
    this.#isInBar = new Uint8Array(merged.size);
    this.#runOf = new Int32Array(merged.size);
    this.#level = new Int32Array(merged.size);
    this.#callsItself = callersOfThemselves(merged);
    this.#lastRun = new Int32Array(merged.size);
    this.#made = createRows(merged.size);
    this.#callees = new Callees(merged.size);
  }

  folded(): FoldedTree {
    const { parent } = this.#merged;
    this.#made.add({ frame: 0, above: -1, functionId: noFunction, category: program });
    this.#made.isOne[0] = Number(this.#isOneAlone(0));
    for (let frame = 1; frame < this.#merged.size; frame += 1) this.#add(frame, parent[frame] ?? 0);
    return { ...this.#made.finished(), frameOf: this.#frameOf, isInBar: this.#isInBar, outside: this.#outside };
  }

  #add(frame: number, caller: number): void {
    const category = this.#merged.category[frame] ?? 0;
    const isOutside =
      this.#isOutside[caller] === 1 && (this.#isKindFolded[category] === true || isWithinOthers[category] === true);
    this.#isOutside[frame] = Number(isOutside);
    if (isOutside && this.#isApart) this.#addOutside(frame, category);
    else this.#addInside(frame, caller);
  }

  /** Adds a frame to the one beside own code. Its callees are not below that: own code begins at the root. */
  #addOutside(frame: number, category: number): void {
    if (this.#outside === -1) {
      const functionId = this.#options.owners.firstBar + ownerOf(frame, this.#merged, this.#options.owners);
      this.#outside = this.#made.add({ frame: Number(outsideId), above: 0, functionId, category });
    }
    this.#isInBar[frame] = 1;
    this.#frameOf[frame] = this.#outside;
  }

  /** The frame of this tree that gets the callees of a frame of the merged tree. */
  #aboveOf(caller: number): number {
    const above = this.#frameOf[caller] ?? 0;
    return above === this.#outside ? 0 : above;
  }

  #addInside(frame: number, caller: number): void {
    const above = this.#aboveOf(caller);
    const run = this.#isFolded(frame, caller) ? this.#runWith(frame, caller, above) : 0;
    this.#runOf[frame] = run;
    if (run > 0 && !this.#open.has(this.#runs[run - 1]?.id ?? 0)) this.#addToBar(frame, above, run - 1);
    else if (this.#callsItself[caller] === 1 && this.#isFoldedRecursion(frame, caller, above))
      this.#addToRecursion(frame, caller, above);
    else this.#addAlone(frame, caller, run);
  }

  /** A run also contains the native code and the collections inside of it. */
  #isFolded(frame: number, caller: number): boolean {
    const category = this.#merged.category[frame] ?? 0;
    if (this.#isKindFolded[category] === true) return true;
    return this.#runOf[caller] !== 0 && isWithinOthers[category] === true;
  }

  /** The number of a frame's run plus 1: that of its caller, else that of its owner below its caller. */
  #runWith(frame: number, caller: number, above: number): number {
    const around = this.#runOf[caller] ?? 0;
    if (around !== 0) return around;
    const owner = ownerOf(frame, this.#merged, this.#options.owners);
    const last = this.#lastRun[above] ?? 0;
    let run = last;
    while (run > 0 && this.#runs[run - 1]?.owner !== owner) run = this.#runs[run - 1]?.before ?? 0;
    if (run === 0) run = this.#runs.push({ before: last, owner, id: frame, bar: -1 });
    this.#lastRun[above] = Math.max(last, run);
    return run;
  }

  #addToBar(frame: number, above: number, number: number): void {
    this.#isInBar[frame] = 1;
    const run = this.#runs[number];
    if (run === undefined) return;
    if (run.bar < 0) {
      const functionId = this.#options.owners.firstBar + run.owner;
      run.bar = this.#made.add({ frame, above, functionId, category: this.#merged.category[frame] ?? 0 });
      this.#made.unfolded[run.bar] = this.#unfoldedOutside(frame);
    }
    this.#frameOf[frame] = run.bar;
  }

  /** The id that moves a frame outside of own code beside it again; −1 for others. */
  #unfoldedOutside(frame: number): number {
    return this.#isOutside[frame] === 1 ? Number(outsideId) : -1;
  }

  /** Whether a frame has the function of its caller, and becomes a part of it. */
  #isFoldedRecursion(frame: number, caller: number, above: number): boolean {
    if (this.#options.fold === null || !this.#isSame(frame, caller)) return false;
    const { run } = this.#merged;
    return (!this.#options.isSplit || run[frame] === run[caller]) && (this.#made.recursion[above] ?? -1) < 0;
  }

  #addToRecursion(frame: number, caller: number, above: number): void {
    const level = Math.max(1, this.#level[caller] ?? 0) + 1;
    const { levels } = this.#made;
    this.#frameOf[frame] = above;
    this.#level[frame] = level;
    levels[above] = Math.max(levels[above] ?? 1, level);
  }

  #addAlone(frame: number, caller: number, run: number): void {
    const above = this.#aboveOf(caller);
    const { functionId: functionIds, category: categories, run: ran } = this.#merged;
    const functionId = functionIds[frame] ?? noFunction;
    const category = categories[frame] ?? 0;
    const split = this.#options.isSplit ? (ran[frame] ?? unknownRun) : unknownRun;
    const isBelowOne = this.#made.isOne[above] === 1 && !(above === 0 && this.#isApart);
    const next = this.#made.size();
    const made = isBelowOne ? next : this.#callees.of(above, keyOf(functionId, category, split), next);
    this.#frameOf[frame] = made;
    if (made !== next) return;
    this.#made.add({ frame, above, functionId, category });
    this.#made.run[made] = split;
    this.#made.unfolded[made] = run === 0 ? this.#unfoldedOutside(frame) : (this.#runs[run - 1]?.id ?? -1);
    this.#made.isOne[made] = Number(isBelowOne && this.#isOneAlone(frame));
    const recursion = this.#isSame(frame, caller) ? (this.#made.recursion[above] ?? -1) : -1;
    this.#made.recursion[made] = recursion < 0 && this.#open.has(frame) ? frame : recursion;
    if (recursion >= 0) for (const one of [above, made]) this.#made.unfolded[one] = recursion;
  }

  /** Whether the frame itself requires no merging below it. */
  #isOneAlone(frame: number): boolean {
    return (this.#options.isSplit || this.#merged.isOfOneRun === true) && this.#callsItself[frame] !== 1;
  }

  #isSame(frame: number, caller: number): boolean {
    const { functionId } = this.#merged;
    return functionId[frame] !== noFunction && functionId[frame] === functionId[caller];
  }
}

/**
 * Callees of frames by key. A caller's first ones are in a list, which is quicker than a table: most callers have few, and
 * were made a moment ago, so that their memory is near.
 */
class Callees {
  /** The first callee of each frame, and the next one of the same caller; 0 where there is none. */
  readonly #first: Int32Array;
  readonly #next: Int32Array;
  readonly #keys: Int32Array;
  /** The others: (caller, key), and the callee by number of the pair. */
  readonly #others = new PairTable(1024);
  readonly #otherFrames = new NumberList();

  /** `most`: number of frames. */
  constructor(most: number) {
    this.#first = new Int32Array(most);
    this.#next = new Int32Array(most);
    this.#keys = new Int32Array(most);
  }

  /** The callee of a key; a new one gets the number `frame`. */
  of(caller: number, key: number, frame: number): number {
    let last = 0;
    let one = this.#first[caller] ?? 0;
    for (let listed = 0; listed < MAX_LISTED; listed += 1) {
      if (one === 0) {
        this.#keys[frame] = key;
        if (last === 0) this.#first[caller] = frame;
        else this.#next[last] = frame;
        return frame;
      }
      if (this.#keys[one] === key) return one;
      last = one;
      one = this.#next[one] ?? 0;
    }
    const pair = this.#others.numberOf(caller, key);
    if (pair === this.#otherFrames.size) this.#otherFrames.push(frame);
    return this.#otherFrames.at(pair);
  }
}

const MAX_LISTED = 8;

/** Categories that belong to the code around them. */
const isWithinOthers = frameCategories.map((kind) => kind === 'native' || kind === 'gc' || kind === 'program');

/** Marks with 1 the frames that call their own function. */
function callersOfThemselves({ size, parent, functionId }: FlameTree): Uint8Array {
  const marks = new Uint8Array(size);
  for (let frame = 1; frame < size; frame += 1) {
    const caller = parent[frame] ?? 0;
    if (functionId[frame] !== noFunction && functionId[frame] === functionId[caller]) marks[caller] = 1;
  }
  return marks;
}

/** Number of the owner of a frame of the merged tree. */
export function ownerOf(frame: number, { functionId, category }: FlameTree, { ofFunction }: Owners): number {
  return ofFunction[functionId[frame] ?? noFunction] ?? category[frame] ?? program;
}

/** A tree in which a frame may represent several frames of the merged tree. */
export interface FoldedTree {
  /** The function id of a folded bar is `owners.firstBar` plus the number of its outermost owner. */
  readonly tree: FlameTree;
  /** First frame of the merged tree that each frame represents: the id that the page uses. */
  readonly ids: Int32Array;
  /** Frame of this tree, by frame of the merged tree. */
  readonly frameOf: Int32Array;
  /** Has 1 by frame of the merged tree where it is in a folded bar. */
  readonly isInBar: Uint8Array;
  /** Id of the unfolded run or recursion of each frame; −1 for others. */
  readonly unfolded: Int32Array;
  /** Number of levels of recursion folded into each frame; else 1. */
  readonly levels: Int32Array;
  /** The frame that represents everything outside of own code; −1 where there is none. */
  readonly outside: number;
}

/** The columns of a folded tree under construction, for at most `most` frames. */
function createRows(most: number) {
  const parent = new Int32Array(most);
  const functionId = new Int32Array(most);
  const category = new Uint8Array(most);
  const run = new Uint8Array(most).fill(unknownRun);
  const ids = new Int32Array(most);
  const unfolded = new Int32Array(most).fill(-1);
  const levels = new Int32Array(most).fill(1);
  let size = 0;
  return {
    ...{ run, unfolded, levels },
    /** Id of the outermost call of the unfolded recursion of each frame; −1 for others. */
    recursion: new Int32Array(most).fill(-1),
    /** Has 1 by frame that represents one frame alone, as do all below it that are not folded. */
    isOne: new Uint8Array(most),
    size: () => size,
    /** `frame`: of the merged tree; `above`: the caller in this tree, −1 for the root. */
    add: (row: Readonly<Record<'frame' | 'above' | 'functionId' | 'category', number>>): number => {
      parent[size] = row.above;
      functionId[size] = row.functionId;
      category[size] = row.category;
      ids[size] = row.frame;
      return size++;
    },
    finished: () => ({
      tree: {
        ...{ size, parent: parent.slice(0, size), functionId: functionId.slice(0, size) },
        ...{ category: category.slice(0, size), run: run.slice(0, size) },
      },
      ids: ids.slice(0, size),
      unfolded: unfolded.slice(0, size),
      levels: levels.slice(0, size),
    }),
  };
}
