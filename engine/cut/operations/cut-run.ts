import { lowestCommonNode, type TreeFacts, treeFacts } from '../streams/tree-facts.ts';
import type { BridgedSamples, Doubt, Operation, SampleRange, TurnPiece } from './operation.ts';
import { MIN_TURN, noSpans, unknownTimes } from './operation.ts';
import { functionFlags, type FunctionFlags } from '../../read/functions/function-table.ts';
import type { ReadRun } from '../streams/build-streams.ts';
import { microseconds, milliseconds, type Microseconds } from '../../../protocol/units.ts';
import {
  type MeasuredTurns,
  type SampleStream,
  type TestTimeline,
  isBackground,
} from '../../read/samples/sample-stream.ts';
import { type HeldPiece, HeldTime, type HeldTurn, type SampledPiece } from './held-time.ts';
import { firstFunctionNode, metaNodes } from '../../read/samples/call-tree.ts';
import type { SampledNodes } from '../../read/samples/cpu-profile.ts';

/** A run that is cut into operations. It is the same at any threshold. */
export interface CutRun extends ReadRun {
  /** Of its functions, by id. */
  readonly flags: FunctionFlags;
  /** Bridged samples, one for each stream. */
  readonly bridged: readonly BridgedSamples[];
  /** Operations by start on the profile's clock, background threads included (`Isolate.threadKind`). */
  readonly operations: readonly Operation[];
}

/** A cut run with what only the next stage needs. */
export interface CutWithFacts extends CutRun {
  /** Facts about the tree, one for each stream. */
  readonly facts: readonly TreeFacts[];
}

export function cutRun(run: ReadRun): CutWithFacts {
  const flags = functionFlags(run.functions.functions);
  const cut = run.streams.map((stream, index) => {
    const facts = treeFacts(stream.tree, flags);
    return { facts, ...findOperations(stream, facts, index) };
  });
  return {
    ...run,
    flags,
    bridged: cut.map(({ bridged }) => bridged),
    operations: cut.flatMap(({ operations }) => operations).toSorted(byStart),
    facts: cut.map(({ facts }) => facts),
  };
}

/** There may be hundreds of thousands of them, so it makes no list of differences. */
function byStart(a: Operation, b: Operation): number {
  return a.start === b.start ? a.stream - b.stream : a.start - b.start;
}

/**
 * Cuts one isolate into operations: by measured turns as long as there are any, then inferred from samples. It bridges
 * collections and native samples, and weighs all samples in held time.
 */
function findOperations(stream: SampleStream, facts: TreeFacts, streamIndex: number) {
  const { turns, times, end } = stream;
  const bridge = new Bridge(stream);
  const time = turns === null ? null : new HeldTime(stream, turns);
  const operations =
    turns === null || time === null ? [] : measuredOperations(stream, turns, { bridge, time, facts, streamIndex });
  const weights = time?.weights ?? times.lasts(end);
  inferOperations(stream, facts, times.firstFrom(turns?.knownUntil ?? -Infinity), (run) => {
    bridge.bridge(run);
    const range = bridge.trimmed(run);
    if (range.first < range.last)
      operations.push(inferredOperation(stream, streamIndex, { range, held: time?.holdInferred(range) }));
  });
  return { operations, bridged: { ...bridge.samples, weights, spans: time?.spans ?? noSpans } };
}

interface Cutting {
  readonly bridge: Bridge;
  readonly time: HeldTime;
  readonly facts: TreeFacts;
  readonly streamIndex: number;
}

function measuredOperations(
  { tests, times }: SampleStream,
  turns: MeasuredTurns,
  { bridge, time, facts, streamIndex }: Cutting,
): Operation[] {
  const { nodes } = bridge.samples;
  const isWaiting = (sample: number): boolean => (facts.waiter[nodes[sample] ?? 0] ?? -1) !== -1;
  return cutTurns(turns, tests).flatMap((cut, turn) => {
    const pieces = cut.map((piece): SampledPiece => ({
      ...piece,
      first: times.firstFrom(piece.start),
      last: times.firstFrom(piece.end),
    }));
    const isWhole = pieces.length === 1;
    for (const piece of pieces) if (isWhole || piece.end - piece.start >= MIN_TURN) bridge.bridge(piece);
    const held = time.hold(turn, pieces, isWaiting);
    const doubt = doubtOf(turn, turns, held);
    return pieces.flatMap((piece, index) => {
      const part = held.pieces[index];
      // A piece shorter than a turn is not an operation. A whole turn that did not wait for a CPU always is.
      const isWholeTurn = isWhole && part?.held === piece.end - piece.start;
      if (part === undefined || (part.held < MIN_TURN && !isWholeTurn)) return [];
      return [measuredOperation(streamIndex, turns, { piece, part, doubt, asleep: held.asleep })];
    });
  });
}

/** Cuts turns where a test began or ended, because runners chain tests in one turn. Gives the pieces of each turn. */
function cutTurns(
  { starts, ends }: Pick<MeasuredTurns, 'starts' | 'ends'>,
  tests: TestTimeline | null,
): readonly (readonly TurnPiece[])[] {
  const changes = tests?.changes ?? new Float64Array(0);
  let next = 0;
  return Array.from(starts, (turnStart, turn) => {
    const turnEnd = ends[turn] ?? turnStart;
    const pieces: TurnPiece[] = [];
    while ((changes[next] ?? Infinity) <= turnStart) next++;
    let start = turnStart;
    for (; (changes[next] ?? Infinity) < turnEnd; next++) {
      const end = changes[next] ?? turnEnd;
      if (end > start) pieces.push({ turn, start, end, test: tests?.running[next - 1] ?? null });
      start = end;
    }
    pieces.push({ turn, start, end: turnEnd, test: tests?.running[next - 1] ?? null });
    return pieces;
  });
}

interface Cut {
  readonly piece: SampledPiece;
  readonly part: HeldPiece;
  readonly doubt: Doubt | null;
  readonly asleep: number;
}

/** The operation of a piece of a turn. */
function measuredOperation(stream: number, turns: MeasuredTurns, { piece, part, doubt, asleep }: Cut): Operation {
  const { turn, start, end, first, last, test } = piece;
  const { held, run } = part;
  const isWaitKnown = (turns.wait[turn] ?? -1) >= 0;
  const inUs = (time: number | null): Operation['thread']['run'] => (time === null ? null : microseconds(time));
  return {
    stream,
    start: microseconds(start),
    end: microseconds(end),
    held: microseconds(held),
    firstSample: first,
    lastSample: last,
    measured: true,
    thread: {
      run: inUs(run),
      wait: isWaitKnown ? microseconds(end - start - held) : null,
      slept: isWaitKnown && (turns.slept[turn] ?? -1) >= 0 && run !== null ? inUs(Math.max(0, held - run)) : null,
    },
    asleep: (turns.slept[turn] ?? -1) < 0 ? null : asleep,
    doubt,
    test,
  };
}

function doubtOf(turn: number, turns: MeasuredTurns, { waiting }: HeldTurn): Doubt | null {
  const wall = (turns.ends[turn] ?? 0) - (turns.starts[turn] ?? 0);
  const own = turns.own[turn] ?? 0;
  const run = turns.run[turn] ?? -1;
  const slept = turns.slept[turn] ?? -1;
  if (own * 10 > (turns.held[turn] ?? wall) + own) return 'recorder';
  if ((turns.wait[turn] ?? -1) < 0) return run >= 0 && run + waiting < MIN_RUN_SHARE * wall ? 'noProcessor' : null;
  const isLongSleep = slept > MIN_SLEEP && slept * 20 > ((turns.held[turn] ?? 0) - slept) * 3;
  return isLongSleep && turns.isBusy[turn] === 1 ? 'slept' : null;
}

/** Minimum share of run time in a turn without counts of waits. */
const MIN_RUN_SHARE = 0.7;
/** Minimum sleep in µs: shorter ones may come from reading memory pages, or from other processes. */
const MIN_SLEEP = milliseconds(3);

/**
 * Infers operations from sample `from` on (rule 5): runs of non-idle samples, cut where two neighbouring samples with
 * user frames share none. Samples without user frames or without known outer frames stay with the earlier side. A
 * callback, because a list of tens of thousands would outlive most collections.
 */
function inferOperations(
  stream: SampleStream,
  facts: TreeFacts,
  from: number,
  call: (range: SampleRange) => void,
): void {
  const { nodes, truncated } = stream;
  const { outermostUser } = facts;
  const shareUserFrame = userFrameComparison(stream, facts);
  const { unplaced } = truncated;
  let first = from;
  /** Outermost user frame of the last sample that has one; −1 where there is none since the thread idled. */
  let outermost = -1;
  const { length } = nodes;
  for (let sample = from; sample < length; sample++) {
    const node = nodes[sample] ?? metaNodes.idle;
    const isIdle = node === metaNodes.idle;
    const outer = outermostUser[node] ?? -1;
    // Nearly all samples end here, and there may be millions.
    if (!isIdle && (outer === outermost || outer === -1)) continue;
    if (!isIdle && unplaced.has(sample)) continue;
    const isCut = isIdle || (outermost !== -1 && !shareUserFrame(lastUser(sample, outermost), node));
    if (isCut && first < sample) call({ first, last: sample });
    if (isCut) first = isIdle ? sample + 1 : sample;
    outermost = isIdle ? -1 : outer;
  }
  if (first < length) call({ first, last: length });

  /** Node of the last sample before this one that has this outermost user frame, and all its outer frames. */
  function lastUser(sample: number, outer: number): number {
    let before = sample - 1;
    while (outermostUser[nodes[before] ?? 0] !== outer || unplaced.has(before)) before--;
    return nodes[before] ?? metaNodes.root;
  }
}

/** Whether two stacks share a user function. It is nearly always the outermost, which is compared first. */
function userFrameComparison({ tree }: SampleStream, facts: TreeFacts): (a: number, b: number) => boolean {
  const { parent, functionId } = tree;
  const { outermostUser, userFunctions } = facts;
  const seen = new Int32Array(userFunctions.length);
  let round = 0;
  return (a, b) => {
    if (functionId[outermostUser[a] ?? 0] === functionId[outermostUser[b] ?? 0]) return true;
    round++;
    for (let node = a; node > 0; node = parent[node] ?? 0) seen[functionId[node] ?? 0] = round;
    for (let node = b; node > 0; node = parent[node] ?? 0) {
      const fn = functionId[node] ?? 0;
      if (userFunctions[fn] === 1 && seen[fn] === round) return true;
    }
    return false;
  };
}

interface Inferred {
  readonly range: SampleRange;
  /** In µs; undefined where no wait is known. */
  readonly held: number | undefined;
}

function inferredOperation(
  { times, end }: SampleStream,
  stream: number,
  { range: { first, last }, held }: Inferred,
): Operation {
  const [from, to] = [times.at(first) ?? end, times.at(last) ?? end];
  return {
    stream,
    start: microseconds(from),
    end: microseconds(to),
    held: microseconds(held ?? to - from),
    firstSample: first,
    lastSample: last,
    measured: false,
    thread: unknownTimes,
    asleep: null,
    doubt: null,
    test: null,
  };
}

/** Gives samples without a stack to the code that they interrupted (rule 6), in a copy of the stream's nodes. */
class Bridge {
  readonly #nodes: SampledNodes;
  readonly #sampled: SampledNodes;
  readonly #parent: Int32Array;

  constructor({ nodes, tree }: SampleStream) {
    this.#nodes = nodes.slice();
    this.#sampled = nodes;
    this.#parent = tree.parent;
  }

  /** All samples so far. Outside of the ranges that were bridged they are as sampled. */
  get samples(): Pick<BridgedSamples, 'nodes' | 'sampled'> {
    return { nodes: this.#nodes, sampled: this.#sampled };
  }

  /**
   * Bridges one operation. A collection takes the stack of the last sample before it that is not a collection. Then
   * each run of samples without a stack takes the frames that its two neighbours share; none at the edges. Idle counts
   * as `(program)`.
   */
  bridge({ first, last }: SampleRange): void {
    const nodes = this.#nodes;
    let interrupted: number = metaNodes.gc;
    for (let sample = first; sample < last; sample++) {
      const node = nodes[sample] ?? 0;
      if (node >= firstFunctionNode) interrupted = node;
      else if (node === metaNodes.gc && interrupted >= firstFunctionNode) nodes[sample] = interrupted;
      else sample = this.#bridgeBare(sample, first, last) - 1;
    }
  }

  /** The range without the samples at both ends whose stack is still empty. */
  trimmed({ first, last }: SampleRange): SampleRange {
    let from = first;
    let to = last;
    while (from < to && (this.#nodes[from] ?? 0) < firstFunctionNode) from++;
    while (to > from && (this.#nodes[to - 1] ?? 0) < firstFunctionNode) to--;
    return { first: from, last: to };
  }

  /** Bridges the run of samples without a stack that begins at `start`, and gives where it ends. */
  #bridgeBare(start: number, first: number, last: number): number {
    const nodes = this.#nodes;
    let end = start;
    for (; end < last && (nodes[end] ?? 0) < firstFunctionNode; end++) {
      if (nodes[end] === metaNodes.idle) nodes[end] = metaNodes.program;
    }
    const isAtEdge = start === first || end === last;
    const common = isAtEdge ? metaNodes.root : lowestCommonNode(nodes[start - 1] ?? 0, nodes[end] ?? 0, this.#parent);
    if (common >= firstFunctionNode) nodes.fill(common, start, end);
    return end;
  }
}

/** A run of samples between two idle ones without any JavaScript. Rule 6 makes no operation of it. */
interface BareRun {
  readonly us: Microseconds;
  /** Whether most of it was garbage collection; else V8's `(program)`: native code. */
  readonly isGc: boolean;
}

/** All of them on event loops whose turns were not measured; of the others, measured operations tell more. */
export function bareRuns({ streams, bridged }: Pick<CutRun, 'streams' | 'bridged'>): readonly BareRun[] {
  return streams.flatMap((stream, index) => {
    const samples = bridged[index];
    return samples === undefined || stream.turns !== null || isBackground(stream) ? [] : bareRunsOf(stream, samples);
  });
}

function bareRunsOf({ nodes }: SampleStream, { weights }: CutRun['bridged'][number]): readonly BareRun[] {
  const runs: BareRun[] = [];
  let [us, gcUs, isBare] = [0, 0, true];
  for (let sample = 0; sample <= nodes.length; sample++) {
    const node = nodes[sample] ?? metaNodes.idle;
    if (node === metaNodes.idle) {
      if (isBare && us > 0) runs.push({ us: microseconds(us), isGc: gcUs * 2 > us });
      [us, gcUs, isBare] = [0, 0, true];
      continue;
    }
    isBare &&= node < firstFunctionNode;
    us += weights.at(sample);
    if (node === metaNodes.gc) gcUs += weights.at(sample);
  }
  return runs;
}
