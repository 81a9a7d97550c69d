import { metaNodes } from '../../engine/read/samples/call-tree.ts';
import { noTimes } from '../../engine/read/samples/sample-times.ts';
import type { Timeline, TimelineQuery } from '../../protocol/time.ts';
import { groupBy } from '../../engine/basics/lists.ts';
import { threadName } from '../../words/thread-names.ts';
import type { Analysis } from '../../engine/analysis.ts';
import { allLoops } from '../../engine/cut/event-loop/program-loops.ts';
import { isWaitedFor, type SampleStream } from '../../engine/read/samples/sample-stream.ts';
import { type RunClock, runClock } from './part-of-run.ts';

/** Maximum number of columns: a wider page draws each wider than a pixel. */
const MAX_COLUMNS = 4000;

/** The turns of a run over time, in columns. A column has its longest turn, and the delay where something waits. */
export function timelineOf(analysis: Analysis, query: TimelineQuery): Timeline {
  const { streams, operations } = analysis;
  const clock = runClock(analysis);
  const lane = query.lane !== null && streams[query.lane] !== undefined ? query.lane : null;
  const { waited, others } = threadsOf(streams);
  const shown = new Set(lane === null ? streams.keys() : [lane]);
  const delayed = new Set(lane === null && waited.length > 0 ? waited : shown);
  const count = Math.max(1, Math.min(MAX_COLUMNS, Math.floor(query.columns)));
  const width = Math.max(1, clock.durationUs / count);
  const each = columnsOf(clock, count, width);
  const loops = allLoops([...delayed].flatMap((stream) => streams[stream] ?? []));
  return {
    durationUs: clock.durationUs,
    lane,
    lanes: [...waited, ...others].map((number) => ({ number, name: threadName(streams, number) })),
    isOneClock: clock.isOne,
    estimated: operations.some(({ stream, measured }) => shown.has(stream) && !measured),
    ...operationsIn(analysis, { shown, delayed }, count, each),
    collecting: collectingIn(analysis, shown, { count, width }, each),
    delay: loops === null ? null : { p50: loops.delays.p50, p99: loops.delays.p99 },
  };
}

/** The numbers of the threads: those whose loop something waits on, and the others. */
function threadsOf(streams: readonly SampleStream[]): {
  readonly waited: readonly number[];
  readonly others: readonly number[];
} {
  const groups = groupBy(streams.keys(), (number) => isWaitedFor(streams[number]));
  return { waited: groups.get(true) ?? [], others: groups.get(false) ?? [] };
}

/** Calls back for each column of a time, with the part of it in that column: all by the thread's clock. */
type EachColumn = (
  stream: number,
  start: number,
  end: number,
  call: (column: number, from: number, until: number) => void,
) => void;

function columnsOf({ zeros }: RunClock, count: number, width: number): EachColumn {
  return (stream, start, end, call) => {
    const zero = zeros[stream] ?? 0;
    const last = Math.min(count, Math.max(1, Math.ceil((end - zero) / width)));
    const first = Math.max(0, Math.min(last - 1, Math.floor((start - zero) / width)));
    for (let column = first; column < last; column += 1) {
      const from = zero + column * width;
      call(column, Math.max(start, from), Math.min(end, from + width));
    }
  };
}

function operationsIn(
  { operations, thresholdUs }: Analysis,
  { shown, delayed }: Readonly<Record<'shown' | 'delayed', ReadonlySet<number>>>,
  count: number,
  each: EachColumn,
): Pick<Timeline, 'longest' | 'operations' | 'delays'> {
  const longest = new Float64Array(count);
  const delays = new Float64Array(count);
  const numbers = new Int32Array(count).fill(-1);
  for (const [number, { stream, start, end, held }] of operations.entries()) {
    if (!shown.has(stream)) continue;
    each(stream, start, end, (column, from) => {
      const rest = end > start ? (held * (end - from)) / (end - start) : held;
      if (delayed.has(stream)) delays[column] = Math.max(delays[column] ?? 0, rest);
      if (held <= (longest[column] ?? 0)) return;
      longest[column] = held;
      numbers[column] = held > thresholdUs ? number : -1;
    });
  }
  return { longest: Array.from(longest, Math.round), operations: [...numbers], delays: Array.from(delays, Math.round) };
}

/** Share of each column in which a thread collected garbage, 0 to 1: the largest of all threads. */
function collectingIn(
  { streams, bridged }: Analysis,
  shown: ReadonlySet<number>,
  { count, width }: { readonly count: number; readonly width: number },
  each: EachColumn,
): readonly number[] {
  const shares = new Float64Array(count);
  for (const stream of shown) {
    const { times, end } = streams[stream] ?? { times: noTimes, end: 0 };
    const time = new Float64Array(count);
    for (const [sample, node] of bridged[stream]?.sampled.entries() ?? []) {
      if (node !== metaNodes.gc) continue;
      each(stream, times.at(sample) ?? end, times.at(sample + 1) ?? end, (column, from, until) => {
        time[column] = (time[column] ?? 0) + until - from;
      });
    }
    for (const [column, us] of time.entries()) shares[column] = Math.max(shares[column] ?? 0, Math.min(1, us / width));
  }
  return Array.from(shares, (share) => Math.round(share * 1000) / 1000);
}
