import { microseconds } from '../../../protocol/units.ts';
import type { JudgedRun } from './judged-run.ts';
import type { BridgedSamples, Doubt, Operation } from '../../cut/operations/operation.ts';
import { isBackground, type SampleStream } from '../../read/samples/sample-stream.ts';
import { metaNodes } from '../../read/samples/call-tree.ts';
import { waitersOf } from '../../cut/streams/tree-facts.ts';
import { type FunctionFlags, functionFlags } from '../../read/functions/function-table.ts';
import type { Warning } from '../../../words/warnings/warning-text.ts';

type Found = Pick<JudgedRun, 'operations' | 'streams' | 'bridged' | 'selfTimes' | 'functions' | 'thresholdUs'>;

/** How busy the machine was, and each reason to doubt long operations that were measured. */
export function doubtWarnings(found: Found): readonly Warning[] {
  const { operations, streams, thresholdUs } = found;
  const long = operations.filter((one) => one.held > thresholdUs && !isBackground(streams[one.stream]));
  const doubted = (doubt: Doubt): readonly Operation[] => long.filter((one) => one.doubt === doubt);
  return [
    ...busyMachine(streams),
    ...noProcessor(doubted('noProcessor'), long.length),
    ...slowedByRecorder(doubted('recorder'), long.length),
    ...lateSamples(found),
  ];
}

/** How much of the time in which it was ready to the program could run; only where that is clearly not all of it. */
function busyMachine(streams: JudgedRun['streams']): readonly Warning[] {
  let [ran, waited, wall] = [0, 0, 0];
  for (const { turns } of streams.filter((stream) => !isBackground(stream))) {
    for (const [turn, wait] of turns?.wait.entries() ?? []) {
      if (wait < 0) continue;
      waited += wait;
      ran += Math.max(0, turns?.run[turn] ?? 0);
      wall += (turns?.ends[turn] ?? 0) - (turns?.starts[turn] ?? 0);
    }
  }
  // A program that sleeps nearly always is woken late now and then.
  return waited <= leastWait * wall ? [] : [{ type: 'busyMachine', ran, waited }];
}

const leastWait = 0.1;

/** For systems that do not count how long a thread waited for a CPU (all but Linux). */
function noProcessor(operations: readonly Operation[], long: number): readonly Warning[] {
  const [worst] = operations.toSorted((a, b) => b.held - a.held);
  if (worst === undefined) return [];
  const ran = worst.thread.run ?? microseconds(0);
  const duration = microseconds(worst.end - worst.start);
  return [{ type: 'noProcessor', operations: operations.length, long, ran, duration }];
}

function slowedByRecorder({ length }: readonly Operation[], long: number): readonly Warning[] {
  return length === 0 ? [] : [{ type: 'slowedByRecorder', operations: length, long }];
}

/**
 * On a busy machine, samples of profiles without measured turns come late. That time is never subtracted: a call that
 * waits for a disk gives one sample, too.
 */
function lateSamples({
  streams,
  bridged,
  selfTimes,
  functions: { functions },
}: Pick<JudgedRun, 'streams' | 'bridged' | 'selfTimes' | 'functions'>): readonly Warning[] {
  const isForeign = ({ turns, tiered }: SampleStream): boolean => turns === null && tiered === null;
  // In a recording, its turns say it better.
  if (streams.length === 0 || !streams.every(isForeign)) return [];
  const flags = functionFlags(functions);
  const all = streams.flatMap((stream, index) => {
    const [samples, selfTime] = [bridged[index], selfTimes[index]];
    return samples === undefined || selfTime === undefined ? [] : [latenessOf(stream, samples, selfTime, flags)];
  });
  const working = all.reduce((sum, one) => sum + one.working, 0);
  const isMuch = (late: number): boolean => working >= leastTime && late > mostLate * working;
  // Nearly always this is enough to know, and there may be millions of samples.
  if (!isMuch(all.reduce((sum, one) => sum + one.mostLate, 0))) return [];
  const late = all.reduce((sum, one) => sum + one.late(), 0);
  return isMuch(late) ? [{ type: 'lateSamples', late, working }] : [];
}

/** In µs. */
interface Lateness {
  /** Time of samples that neither idle nor wait in a call. */
  readonly working: number;
  /** How much of that lies between two samples that are far apart, and the most that it can be. */
  readonly late: () => number;
  readonly mostLate: number;
}

function latenessOf(
  { tree, durations, times, end }: SampleStream,
  { nodes }: BridgedSamples,
  selfTime: Float64Array,
  flags: FunctionFlags,
): Lateness {
  if (durations === null || durations.late === 0) return { working: 0, late: () => 0, mostLate: 0 };
  const waiter = waitersOf(tree, flags);
  const works = (node: number): boolean => node !== metaNodes.idle && waiter[node] === -1;
  let working = 0;
  for (let node = 0; node < tree.size; node++) if (works(node)) working += selfTime[node] ?? 0;
  const late = (): number => {
    let sum = 0;
    times.lasts(end).eachAbove(durations.late, (sample, time) => {
      if (works(nodes[sample] ?? 0)) sum += time;
    });
    return sum;
  };
  return { working, late, mostLate: durations.sumOfLate };
}

/** Largest share of late time on a quiet machine: measured were 3 to 14 % there, and 38 to 88 % on a busy one. */
const mostLate = 0.25;
/** Minimum working time in µs for a warning. */
const leastTime = 200_000;
