import { microseconds, type Microseconds, milliseconds } from '../../../protocol/units.ts';
import { type FunctionTable, type FunctionInfo, functionFlags } from '../../read/functions/function-table.ts';
import type { CallTree } from '../../read/samples/call-tree.ts';
import { firstFunctionNode, metaNodes, createTreeBuilder } from '../../read/samples/call-tree.ts';
import { joinParts } from '../../read/samples/profile-tree.ts';
import { noTimes, type Durations, type SampleTimes } from '../../read/samples/sample-times.ts';
import type { SampleStream, MeasuredTurns, TurnReadings } from '../../read/samples/sample-stream.ts';
import { withoutOwnWork } from '../../read/samples/own-work.ts';
import { graftTruncated } from './graft-truncated.ts';
import type { LoadedIsolate } from '../../read/isolates/load-isolate.ts';
import { isRecorder } from '../../read/files/file-path.ts';
import type { ThreadKind } from '../../../protocol/recording-lines.ts';
import { waitersOf } from './tree-facts.ts';
import { programPackage } from '../../../protocol/machine-path.ts';
import { isPoolPackage, isRunnerPackage } from '../../../protocol/test-files.ts';

const near = milliseconds(1000);

/** A run whose files are read and whose functions have names. */
export interface ReadRun {
  /** Absolute paths of the workspace folders that decided what own code is. */
  readonly roots: readonly string[];
  readonly functions: FunctionTable;
  readonly streams: readonly SampleStream[];
}

export function buildStreams(isolates: readonly LoadedIsolate[], table: FunctionTable): readonly SampleStream[] {
  const functionOfFrame = Int32Array.from(table.frames, (frame) => frame.functionId);
  const owners = Uint8Array.from(table.functions, ownerOf);
  return isolates.map((isolate) => buildStream(isolate, table, functionOfFrame, owners));
}

function buildStream(
  { source, parts, turns, ...beside }: LoadedIsolate,
  table: FunctionTable,
  functionOfFrame: Int32Array,
  owners: Uint8Array,
): SampleStream {
  const sampled = parts.length === 0 ? withoutSamples() : joinParts(parts, functionOfFrame);
  const clocked = { ...sampled, waits: beside.waits, tests: beside.tests, requests: beside.requests };
  const { waits, tests, requests, ...asGiven } = withoutOwnWork(clocked, turns?.shifts ?? []);
  const { pid, threadId, nodeVersion, command, isTestParent, ended } = source;
  const isByClock = turns === null || source.interval === null;
  const given = isByClock ? asGiven.times.durations(asGiven.end) : null;
  const known = given === null || turns !== null ? null : withoutGaps(asGiven, given, table.functions);
  const joined = known?.sampled ?? asGiven;
  const durations = joined === asGiven ? given : joined.times.durations(joined.end);
  const interval = source.interval ?? durations?.median ?? microseconds(0);
  return {
    ...joined,
    ...withoutRecorder(graftTruncated(joined), owners),
    lost: new Map(),
    isolate: {
      path: source.profiles[0] ?? '',
      parts: parts.length,
      pid,
      threadId,
      threadKind: threadKindOf(source, joined.tree, table),
      nodeVersion,
      command,
      isTestParent,
      ended,
    },
    interval,
    durations: turns === null ? durations : null,
    unsampled: known?.unsampled ?? microseconds(0),
    turns: turns === null ? null : { ...heldTurns(turns, joined.times, interval), waits },
    tests,
    requests,
  };
}

/** A process that ended too soon to have samples. */
function withoutSamples(): ReturnType<typeof joinParts> {
  const tree = createTreeBuilder().build();
  return { tree, times: noTimes, nodes: new Int32Array(0), end: microseconds(0), tiered: null };
}

/** What works in a pool of tasks belongs to the test runner with frames in it; without one, to the program. */
function threadKindOf(
  { threadKind, command, testsFile }: LoadedIsolate['source'],
  { functionId }: CallTree,
  { functions }: FunctionTable,
): ThreadKind {
  const isOfPool = threadKind === 'pool' || isPoolPackage(programPackage(command ?? '') ?? '');
  if (threadKind !== null && !isOfPool) return threadKind;
  const packages = [...new Set(Array.from(functionId, (id) => functions[id]?.packageName ?? ''))];
  const isRunners = testsFile !== null || packages.some((name) => isRunnerPackage(name) && !isPoolPackage(name));
  if (threadKind === null) return isRunners ? 'pool' : 'background';
  return !isRunners && packages.some(isPoolPackage) ? 'background' : threadKind;
}

/**
 * Turns samples of the recorder's own work into `(idle)`, in the given array, where only Node is on the stack with it.
 * A program's calls that pass through the recorder (`spawnSync`, `vm.createContext`) stay the program's. `owners`: by
 * function id.
 */
function withoutRecorder<T extends Pick<SampleStream, 'tree' | 'nodes'>>(sampled: T, owners: Uint8Array): T {
  if (!owners.includes(owner.recorder)) return sampled;
  const { tree, nodes } = sampled;
  const onStack = new Uint8Array(tree.size);
  for (let node = firstFunctionNode; node < tree.size; node++)
    onStack[node] = (onStack[tree.parent[node] ?? 0] ?? 0) | (owners[tree.functionId[node] ?? 0] ?? 0);
  const { length } = nodes;
  for (let sample = 0; sample < length; sample++)
    if (onStack[nodes[sample] ?? 0] === owner.recorder) nodes[sample] = metaNodes.idle;
  return sampled;
}

/** Bits for who owns a function. A stack has the bits of all its functions. */
const owner = { node: 0, recorder: 1, program: 2 } as const;

function ownerOf({ kind, path }: FunctionInfo): number {
  if (kind === 'node' || kind === 'native') return owner.node;
  return isRecorder(path) ? owner.recorder : owner.program;
}

/** Held time and sleep of each turn, by the counts of Linux's scheduler, else CPU time and samples, else the clock. */
export function heldTurns(
  readings: TurnReadings,
  times: SampleTimes,
  interval: Microseconds,
): Omit<MeasuredTurns, 'waits'> {
  const { starts, ends, wait, step } = readings;
  const run = readings.run.slice();
  const held = new Float64Array(starts.length);
  const slept = new Float64Array(starts.length).fill(-1);
  for (const [turn, start] of starts.entries()) {
    const end = ends[turn] ?? start;
    const wall = end - start;
    const counted = run[turn] ?? -1;
    const waited = wait[turn] ?? -1;
    const isByCpu = waited < 0 && counted >= 0;
    const sampled = isByCpu ? sampledTime(start, end, times, interval) : 0;
    const ran = isByCpu ? Math.max(0, Math.min(Math.max(sampled, counted - step), counted + step)) : counted;
    run[turn] = ran;
    if (isByCpu) held[turn] = Math.min(wall, withoutScheduler(ran, sampled));
    else held[turn] = wall - Math.min(Math.max(0, waited), Math.max(0, wall - Math.max(0, ran)));
    if (ran >= 0 && (waited >= 0 || isByCpu)) slept[turn] = Math.max(0, (held[turn] ?? 0) - ran);
  }
  return { ...readings, run, held, slept, isBusy: busyTurns(readings, held) };
}

/**
 * Held time without the scheduler's counts. Measured: samples are on time while a thread sleeps, and late while others
 * have the CPU. Clearly more samples than CPU time means sleep.
 */
function withoutScheduler(ran: number, sampled: number): number {
  return sampled > 1.3 * ran ? Math.max(ran, sampled) : ran;
}

/** Sum of the times between samples in a turn, each of at most one interval, in µs. */
function sampledTime(start: number, end: number, times: SampleTimes, interval: number): number {
  let sum = 0;
  let from = start;
  for (let sample = times.firstFrom(start) + 1; (times.at(sample) ?? end) < end; sample++) {
    const to = times.at(sample) ?? end;
    sum += Math.min(to - from, interval);
    from = to;
  }
  return sum + Math.min(end - from, interval);
}

/** Has 1 where the turns that ended within a second of this one waited for a CPU over a tenth of their time. */
function busyTurns({ starts, ends, wait }: TurnReadings, held: Float64Array): Uint8Array {
  const wallOf = (turn: number): number => (ends[turn] ?? 0) - (starts[turn] ?? 0);
  const waitOf = (turn: number): number => ((wait[turn] ?? -1) < 0 ? 0 : wallOf(turn) - (held[turn] ?? 0));
  const isBusy = new Uint8Array(ends.length);
  let [from, to, waited, time] = [0, 0, 0, 0];
  for (const [turn, end] of ends.entries()) {
    for (; (ends[to] ?? Infinity) <= end + near; to++) {
      waited += waitOf(to);
      time += wallOf(to);
    }
    for (; (ends[from] ?? end) < end - near; from++) {
      waited -= waitOf(from);
      time -= wallOf(from);
    }
    isBusy[turn] = Number(waited * 10 > time);
  }
  return isBusy;
}

/**
 * Takes the time in which the sampler itself did not run out of the clock: the machine slept, or the process was
 * stopped. What ran then is unknown, so the sample before such a gap lasts one usual interval. Not after `(idle)`, which
 * holds nothing, nor in a call that waits: a thread that waits for a disk gives one sample.
 */
function withoutGaps<T extends Pick<SampleStream, 'tree' | 'times' | 'nodes' | 'end'>>(
  sampled: T,
  { median, longest }: Durations,
  functions: readonly FunctionInfo[],
): { readonly sampled: T; readonly unsampled: Microseconds } {
  const limit = Math.max(MIN_GAP, 100 * median);
  if (longest <= limit) return { sampled, unsampled: microseconds(0) };
  const { tree, times, nodes, end } = sampled;
  const waiter = waitersOf(tree, functionFlags(functions));
  const gaps: { readonly sample: number; readonly time: number }[] = [];
  times.lasts(end).eachAbove(limit, (sample, time) => {
    const node = nodes[sample] ?? metaNodes.idle;
    if (node !== metaNodes.idle && waiter[node] === -1) gaps.push({ sample, time: time - median });
  });
  if (gaps.length === 0) return { sampled, unsampled: microseconds(0) };
  const unsampled = gaps.reduce((sum, { time }) => sum + time, 0);
  return {
    sampled: { ...sampled, times: times.withoutGaps(gaps), end: microseconds(end - unsampled) },
    unsampled: microseconds(unsampled),
  };
}

/** In µs. The longest gap on a machine with five busy threads per CPU was 0.53 s. */
const MIN_GAP = milliseconds(1000);
