import { type FlameFold, type FrameCategory, frameCategories } from '../../protocol/flame.ts';
import type { FunctionInfo } from '../functions/function-table.ts';
import { PairTable } from '../basics/pair-table.ts';
import { noFunction } from '../samples/call-tree.ts';
import { createTree, numberOf } from './flame-tree.ts';
import { type FlameTree, type TreeBuilder, unknownRun } from './frame-run.ts';

/** A tree in which some frames stand for several of the merged tree. */
export interface FoldedTree {
  /** A folded bar has as its function's id the number of its outermost owner, added to `owners.firstBar`. */
  readonly tree: FlameTree;
  /** Frame of the merged tree, by frame: the first of those that it stands for. It is the frame's id outside. */
  readonly ids: Int32Array;
  /** Frame of this tree, by frame of the merged tree. */
  readonly frameOf: Int32Array;
  /** Has 1 by frame of the merged tree where it is in a folded bar. */
  readonly isInBar: Uint8Array;
  /** By frame: id of the run that it was unfolded with; −1 where it is not in one. */
  readonly unfolded: Int32Array;
  /** By frame: on how many levels its function calls itself, where these are folded into it, else 1. */
  readonly levels: Int32Array;
}

/** Whose code functions are, as a folded bar says it: a package, `Node.js`, a test runner. */
export interface Owners {
  readonly names: readonly string[];
  /** Number of the owner, by function id. */
  readonly ofFunction: Int32Array;
  /** The id from which on the functions of a folded tree are bars. */
  readonly firstBar: number;
}

/** `functions`: by their ids. The first owners are those of code without a function, by category. */
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
  /** Null: every frame stands for itself. */
  readonly fold: FlameFold | null;
  /** True where a function has a frame for each way in which its code ran. */
  readonly isSplit: boolean;
  readonly owners: Owners;
}

/** A text that is equal for equal foldings. */
export function foldKey(fold: FlameFold | null): string {
  return fold === null ? 'plain' : `${fold.kinds.toSorted().join(' ')}; ${fold.open.toSorted().join(' ')}`;
}

/**
 * Folds a tree. Frames of folded kinds that call each other are one bar, and so are bars of one owner below one frame:
 * what they call is merged below. A function that calls itself is one frame. No time goes elsewhere: a bar has the time
 * of all that it stands for.
 */
export function foldTree(merged: FlameTree, options: FoldOptions): FoldedTree {
  return new Folding(merged, options).folded();
}

/** The state of folding one tree, caller by caller. */
class Folding {
  readonly #merged: FlameTree;
  readonly #options: FoldOptions;
  readonly #isKindFolded: readonly boolean[];
  readonly #open: ReadonlySet<number>;
  readonly #made: TreeBuilder = createTree();
  readonly #frameOf: Int32Array;
  readonly #isInBar: Uint8Array;
  /** Number of the run plus 1, by frame of the merged tree; 0 where it is in none. */
  readonly #runOf: Int32Array;
  /** On which level of a recursion a frame of the merged tree is, from 1 on. */
  readonly #level: Int32Array;
  /** Runs: frame of this tree above them, and their outermost owner. */
  readonly #runs = new PairTable(1024);
  /** By run: the first frame of the merged tree in it, which is its id. */
  readonly #runIds: number[] = [];
  readonly #ids: number[] = [0];
  readonly #unfolded: number[] = [-1];
  readonly #levels: number[] = [1];
  /** By frame of this tree, whether its recursion is unfolded. */
  readonly #isRecursionOpen: boolean[] = [false];

  constructor(merged: FlameTree, options: FoldOptions) {
    this.#merged = merged;
    this.#options = options;
    const kinds = options.fold?.kinds ?? [];
    this.#isKindFolded = frameCategories.map((kind) => kinds.includes(kind) && kind !== 'own' && kind !== 'test');
    this.#open = new Set((options.fold?.open ?? []).map(Number));
    this.#frameOf = new Int32Array(merged.size);
    this.#isInBar = new Uint8Array(merged.size);
    this.#runOf = new Int32Array(merged.size);
    this.#level = new Int32Array(merged.size).fill(1);
  }

  folded(): FoldedTree {
    for (let frame = 1; frame < this.#merged.size; frame += 1) this.#add(frame);
    return {
      tree: this.#made.finished(),
      ids: Int32Array.from(this.#ids),
      frameOf: this.#frameOf,
      isInBar: this.#isInBar,
      unfolded: Int32Array.from(this.#unfolded),
      levels: Int32Array.from(this.#levels),
    };
  }

  #add(frame: number): void {
    const caller = this.#merged.parent[frame] ?? 0;
    const above = this.#frameOf[caller] ?? 0;
    const run = this.#isFolded(frame, caller) ? this.#runWith(frame, caller) : 0;
    this.#runOf[frame] = run;
    if (run > 0 && !this.#open.has(this.#runIds[run - 1] ?? 0)) this.#addToBar(frame, caller, above);
    else if (this.#isFoldedRecursion(frame, caller, above)) this.#addToRecursion(frame, caller, above);
    else this.#addAlone(frame, above, run);
  }

  /** What native code and collections do inside of a run is in it, too. */
  #isFolded(frame: number, caller: number): boolean {
    const category = this.#merged.category[frame] ?? 0;
    if (this.#isKindFolded[category] === true) return true;
    return this.#runOf[caller] !== 0 && isWithinOthers[category] === true;
  }

  /** The run of a frame, as its number plus 1: that of its caller, else the one of its owner below its caller. */
  #runWith(frame: number, caller: number): number {
    const around = this.#runOf[caller] ?? 0;
    if (around !== 0) return around;
    const run = this.#runs.numberOf(this.#frameOf[caller] ?? 0, ownerOf(frame, this.#merged, this.#options.owners));
    if (run === this.#runIds.length) this.#runIds.push(frame);
    return run + 1;
  }

  #addToBar(frame: number, caller: number, above: number): void {
    this.#isInBar[frame] = 1;
    const isInside = this.#isInBar[caller] === 1;
    const { owners } = this.#options;
    const bar = owners.firstBar + ownerOf(frame, this.#merged, owners);
    const category = this.#merged.category[frame] ?? 0;
    this.#frameOf[frame] = isInside ? above : this.#made.child(above, bar, category, unknownRun);
    if (!isInside) this.#describe(frame, -1);
  }

  /** Whether a frame has the function of its caller, and goes into it. */
  #isFoldedRecursion(frame: number, caller: number, above: number): boolean {
    const { functionId, run } = this.#merged;
    if (this.#options.fold === null || functionId[frame] === noFunction) return false;
    if (functionId[frame] !== functionId[caller] || (this.#options.isSplit && run[frame] !== run[caller])) return false;
    return this.#isRecursionOpen[above] !== true;
  }

  #addToRecursion(frame: number, caller: number, above: number): void {
    this.#frameOf[frame] = above;
    this.#level[frame] = (this.#level[caller] ?? 1) + 1;
    this.#levels[above] = Math.max(this.#levels[above] ?? 1, this.#level[frame] ?? 1);
  }

  #addAlone(frame: number, above: number, run: number): void {
    const { functionId, category, run: ran } = this.#merged;
    const split = this.#options.isSplit ? (ran[frame] ?? unknownRun) : unknownRun;
    this.#frameOf[frame] = this.#made.child(above, functionId[frame] ?? noFunction, category[frame] ?? 0, split);
    this.#describe(frame, run === 0 ? -1 : (this.#runIds[run - 1] ?? -1));
  }

  /** Notes what a new frame of this tree is; one that is there already has been noted. */
  #describe(frame: number, unfolded: number): void {
    const made = this.#frameOf[frame] ?? 0;
    if (made !== this.#ids.length) return;
    const caller = this.#merged.parent[frame] ?? 0;
    const isAgain = this.#isRecursionOpen[this.#frameOf[caller] ?? 0] === true && this.#isSame(frame, caller);
    this.#ids.push(frame);
    this.#unfolded.push(unfolded);
    this.#levels.push(1);
    this.#isRecursionOpen.push(isAgain || this.#open.has(frame));
  }

  #isSame(frame: number, caller: number): boolean {
    return this.#merged.functionId[frame] === this.#merged.functionId[caller];
  }
}

const isWithinOthers = frameCategories.map((kind) => kind === 'native' || kind === 'gc' || kind === 'program');

/** Number of the owner of a frame of the merged tree. */
export function ownerOf(frame: number, { functionId, category }: FlameTree, { ofFunction }: Owners): number {
  return ofFunction[functionId[frame] ?? noFunction] ?? category[frame] ?? numberOf('program');
}
