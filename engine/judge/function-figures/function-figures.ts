import type { DurationClass, FigureRuns } from '../../../protocol/figures.ts';
import type { Test } from '../../read/samples/sample-stream.ts';
import { type Microseconds, microseconds } from '../../../protocol/units.ts';
import { NumberList } from '../../basics/number-list.ts';

export interface FunctionFigures {
  /** Self time over the whole recording, each sample once, background threads included. */
  readonly self: Microseconds;
  readonly total: Microseconds;
  /** Garbage collection within `self`. */
  readonly gc: Microseconds;
  /** Time within `total` that was under a loader frame deeper than the function. */
  readonly load: Microseconds;
  /** Presence on event loops, without background threads. */
  readonly presence: PresenceFigures;
  /** Presence in the program's own workers and children. It is shown grey, and is in no other figure. */
  readonly background: PresenceFigures;
  /** Figures of the own parts on event loops; null where the function is not a culprit there. */
  readonly culprit: CulpritFigures | null;
  readonly backgroundCulprit: CulpritFigures | null;
}

/** Figures of presences, and of own parts. */
interface LongFigures {
  readonly worst: Microseconds;
  /** The worst without cold ones, which are the first of the function in its thread. */
  readonly worstWarm: Microseconds;
  readonly estimated: boolean;
  readonly longCount: number;
  readonly distinctStacks: number;
  /** Only where several runs are shown together. */
  readonly runs?: FigureRuns;
}

export interface PresenceFigures extends LongFigures {
  /** Number of samples behind the worst. */
  readonly worstSamples: number;
  /** Tests that ran in the long operations, each once, in the order of time by isolate. */
  readonly tests: readonly Test[];
  readonly byClass: Readonly<Record<DurationClass, number>>;
}

export interface CulpritFigures extends LongFigures {
  readonly samples: number;
  /** How the thread slept within the worst; null where that is next to nothing, or unknown. */
  readonly waited: Waited | null;
  /** The module that was loaded (`OwnPart.loaded`), where all long parts were first-time loading; else null. */
  readonly loaded: number | null;
}

/** What one culprit took of one operation, added up over its nodes there. It is always over the threshold. */
export interface OwnPart {
  /** Index into `Analysis.operations`. */
  readonly operation: number;
  readonly functionId: number;
  readonly weight: Microseconds;
  /** How long its samples last by the clock; 0 where turns were not measured. */
  readonly clock: Microseconds;
  readonly samples: number;
  /** The most that it can have been, by its margin. */
  readonly most: Microseconds;
  /** The least that it will have been, by its samples; 0 where they do not tell. */
  readonly least: Microseconds;
  /** True where it is an estimate by its operation, its samples or its margin (`isEstimated`). */
  readonly estimated: boolean;
  /** True if the thread's first sample of the function is here, and it warmed up or loaded modules. */
  readonly cold: boolean;
  /** Time within `weight` that was under a loader frame. */
  readonly load: Microseconds;
  /** If the part is only loading: function id of the module body that took most, −1 if none was seen. Else null. */
  readonly loaded: number | null;
  /** How the thread slept in it; null where that is next to nothing, or unknown. */
  readonly waited: Waited | null;
  readonly places: readonly OwnPlace[];
}

/** One node of the call tree where the culprit took its rest. */
export interface OwnPlace {
  readonly node: number;
  /** Weight of this place. It is always over the threshold. */
  readonly weight: Microseconds;
  /** The part of `weight` at the node itself, native and `RegExp:` callees included. */
  readonly self: Microseconds;
  /** The part of `weight` in the node's callees, by the id of the function that the node calls directly. */
  readonly callees: readonly { readonly functionId: number; readonly weight: Microseconds }[];
  /** Number of the cut path to the function's outermost frame. Equal paths have equal numbers, over all isolates. */
  readonly path: number;
}

/** What a thread slept while a function held its loop, waiting for a disk, another process or another thread. */
export interface Waited {
  readonly us: Microseconds;
  /**
   * The outermost function that waited, such as `execSync`; null where no function on the stack is known to wait. `stop`:
   * the process was stopped.
   */
  readonly in: number | 'stop' | null;
}

/**
 * Own parts in columns: as objects, tens of thousands took half a kilobyte each. Those of one operation are adjacent.
 */
export class OwnParts implements Iterable<OwnPart> {
  readonly places: OwnPlaces;
  readonly #operations = new NumberList();
  readonly #functions = new NumberList();
  readonly #weights = new NumberList();
  readonly #clocks = new NumberList();
  readonly #samples = new NumberList();
  readonly #most = new NumberList();
  readonly #least = new NumberList();
  readonly #loads = new NumberList();
  /** 0 for null, else 2 more than `OwnPart.loaded`. */
  readonly #loaded = new NumberList();
  /** `isEstimated` and `isCold`, a bit each. */
  readonly #flags = new NumberList();
  readonly #firstPlaces = new NumberList();
  readonly #placeCounts = new NumberList();
  /** Waits by number of the part, because few parts have one. */
  readonly #waited = new Map<number, Waited>();

  constructor(places: OwnPlaces = new OwnPlaces()) {
    this.places = places;
  }

  get size(): number {
    return this.#operations.size;
  }

  /** Adds a part. Its places are the `placeCount` from `firstPlace` on: the ones added last. */
  add(part: Omit<OwnPart, 'places'>, placeCount: number, firstPlace = this.places.size - placeCount): void {
    if (part.waited !== null) this.#waited.set(this.size, part.waited);
    this.#operations.push(part.operation);
    this.#functions.push(part.functionId);
    this.#weights.push(part.weight);
    this.#clocks.push(part.clock);
    this.#samples.push(part.samples);
    this.#most.push(part.most);
    this.#least.push(part.least);
    this.#loads.push(part.load);
    this.#loaded.push(part.loaded === null ? 0 : part.loaded + 2);
    this.#flags.push(Number(part.estimated) + 2 * Number(part.cold));
    this.#firstPlaces.push(firstPlace);
    this.#placeCounts.push(placeCount);
  }

  /** Index into `Analysis.operations`; −1 for an unknown number. */
  operationOf(number: number): number {
    return number >= 0 && number < this.size ? this.#operations.at(number) : -1;
  }

  functionOf(number: number): number {
    return this.#functions.at(number);
  }

  weightOf(number: number): Microseconds {
    return microseconds(this.#weights.at(number));
  }

  samplesOf(number: number): number {
    return this.#samples.at(number);
  }

  mostOf(number: number): Microseconds {
    return microseconds(this.#most.at(number));
  }

  loadOf(number: number): Microseconds {
    return microseconds(this.#loads.at(number));
  }

  leastOf(number: number): Microseconds {
    return microseconds(this.#least.at(number));
  }

  loadedOf(number: number): number | null {
    const loaded = this.#loaded.at(number);
    return loaded === 0 ? null : loaded - 2;
  }

  isEstimated(number: number): boolean {
    return (this.#flags.at(number) & 1) !== 0;
  }

  isCold(number: number): boolean {
    return (this.#flags.at(number) & 2) !== 0;
  }

  waitedOf(number: number): Waited | null {
    return this.#waited.get(number) ?? null;
  }

  /** Sleep of unknown cause in a part, in µs. */
  pauseOf(number: number): number {
    const waited = this.waitedOf(number);
    return waited === null || typeof waited.in === 'number' ? 0 : waited.us;
  }

  /** Most parts have one place, and `Array.from` takes ten times as long as a list. */
  placesOf(number: number): readonly number[] {
    const first = this.#firstPlaces.at(number);
    const places = [first];
    const count = this.#placeCounts.at(number);
    if (count === 0) return [];
    for (let place = 1; place < count; place++) places.push(first + place);
    return places;
  }

  /** Numbers of the wanted parts, ascending. */
  numbersOf(isWanted: (number: number) => boolean): Int32Array {
    const found = new Int32Array(this.size);
    let count = 0;
    for (let number = 0; number < this.size; number++) if (isWanted(number)) found[count++] = number;
    return found.subarray(0, count);
  }

  /** These parts, ascending by operation. */
  inOrder(): OwnParts {
    const operations = this.#operations.values();
    if (operations.every((operation, number) => operation >= (operations[number - 1] ?? 0))) return this;
    const numbers = this.numbersOf(() => true);
    return this.picked(numbers.toSorted((a, b) => (operations[a] ?? 0) - (operations[b] ?? 0)));
  }

  /** The parts of these numbers, in their order. They share their places with all others. */
  picked(numbers: Int32Array): OwnParts {
    const found = new OwnParts(this.places);
    for (const number of numbers)
      found.add(this.#withoutPlaces(number), this.#placeCounts.at(number), this.#firstPlaces.at(number));
    return found;
  }

  /** The same parts, some of them cut to a time in whole µs without sleep. Lines and callees keep their shares. */
  cutTo(rests: ReadonlyMap<number, Microseconds>): OwnParts {
    if (rests.size === 0) return this;
    const found = new OwnParts(this.places);
    for (let number = 0; number < this.size; number++) {
      const part = this.#withoutPlaces(number);
      const weight = rests.get(number);
      if (weight === undefined) {
        found.add(part, this.#placeCounts.at(number), this.#firstPlaces.at(number));
        continue;
      }
      const places = this.placesOf(number);
      const cut = wholeShares(weight / Math.max(1, part.weight));
      for (const place of places) this.places.addCut(place, cut);
      const [least, most] = [Math.min(part.least, weight), Math.min(part.most, weight)].map(microseconds);
      const clock = microseconds(Math.max(0, part.clock - part.weight + weight));
      found.add(
        { ...part, weight, clock, least: least ?? weight, most: most ?? weight, estimated: true, waited: null },
        places.length,
      );
    }
    return found;
  }

  at(number: number): OwnPart {
    return { ...this.#withoutPlaces(number), places: this.placesOf(number).map((place) => this.places.at(place)) };
  }

  #withoutPlaces(number: number): Omit<OwnPart, 'places'> {
    return {
      operation: this.operationOf(number),
      functionId: this.functionOf(number),
      weight: this.weightOf(number),
      clock: microseconds(this.#clocks.at(number)),
      samples: this.samplesOf(number),
      most: this.mostOf(number),
      least: this.leastOf(number),
      estimated: this.isEstimated(number),
      cold: this.isCold(number),
      load: this.loadOf(number),
      loaded: this.loadedOf(number),
      waited: this.waitedOf(number),
    };
  }

  *[Symbol.iterator](): Generator<OwnPart, void> {
    for (let number = 0; number < this.size; number++) yield this.at(number);
  }
}

/** Returns a function that gives a share of each time in whole µs, so that the sum of all is rounded once. */
function wholeShares(share: number): (us: number) => number {
  let [all, given] = [0, 0];
  return (us) => {
    all += us * share;
    const whole = Math.round(all) - given;
    given += whole;
    return whole;
  };
}

/** Places of own parts in columns, by their number, and what their callees took. */
export class OwnPlaces {
  readonly #nodes = new NumberList();
  readonly #weights = new NumberList();
  readonly #selves = new NumberList();
  readonly #paths = new NumberList();
  readonly #firstCallees = new NumberList();
  readonly #callees = new NumberList();
  readonly #calleeWeights = new NumberList();

  get size(): number {
    return this.#nodes.size;
  }

  get calleeCount(): number {
    return this.#callees.size;
  }

  add({ node, weight, self, path }: Omit<OwnPlace, 'callees'>): void {
    this.#nodes.push(node);
    this.#weights.push(weight);
    this.#selves.push(self);
    this.#paths.push(path);
    this.#firstCallees.push(this.#callees.size);
  }

  /** Adds a callee to the place that was added last. */
  addCallee(functionId: number, weight: number): void {
    this.#callees.push(functionId);
    this.#calleeWeights.push(weight);
  }

  /** Adds a place again, with a part of its time. */
  addCut(place: number, cut: (us: number) => number): void {
    const callees = Array.from({ length: this.firstCalleeOf(place + 1) - this.firstCalleeOf(place) }, (_, at) => {
      const callee = this.firstCalleeOf(place) + at;
      return { functionId: this.functionOf(callee), us: cut(this.calleeWeightOf(callee)) };
    });
    const self = cut(this.selfOf(place));
    const weight = callees.reduce((sum, { us }) => sum + us, self);
    const [node, path] = [this.nodeOf(place), this.pathOf(place)];
    this.add({ node, weight: microseconds(weight), self: microseconds(self), path });
    for (const { functionId, us } of callees) this.addCallee(functionId, us);
  }

  addToCallee(callee: number, weight: number): void {
    this.#calleeWeights.set(callee, this.calleeWeightOf(callee) + weight);
  }

  nodeOf(place: number): number {
    return this.#nodes.at(place);
  }

  weightOf(place: number): number {
    return this.#weights.at(place);
  }

  selfOf(place: number): number {
    return this.#selves.at(place);
  }

  pathOf(place: number): number {
    return this.#paths.at(place);
  }

  /** Number of the first callee of a place; they end where those of the next one begin. */
  firstCalleeOf(place: number): number {
    return place < this.size ? this.#firstCallees.at(place) : this.calleeCount;
  }

  functionOf(callee: number): number {
    return this.#callees.at(callee);
  }

  calleeWeightOf(callee: number): number {
    return this.#calleeWeights.at(callee);
  }

  at(place: number): OwnPlace {
    const first = this.firstCalleeOf(place);
    return {
      node: this.nodeOf(place),
      weight: microseconds(this.weightOf(place)),
      self: microseconds(this.selfOf(place)),
      callees: Array.from({ length: this.firstCalleeOf(place + 1) - first }, (_, at) => ({
        functionId: this.functionOf(first + at),
        weight: microseconds(this.calleeWeightOf(first + at)),
      })),
      path: this.pathOf(place),
    };
  }
}
