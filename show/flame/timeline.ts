import { metaNodes } from '../../engine/read/samples/call-tree.ts';
import { noTimes } from '../../engine/read/samples/sample-times.ts';
import type { Timeline, TimelineQuery } from '../../protocol/time.ts';
import { groupBy } from '../../engine/basics/lists.ts';
import { threadName } from '../../words/thread-names.ts';
import type { Analysis } from '../../engine/analysis.ts';
import { allLoops } from '../../engine/cut/event-loop/program-loops.ts';
import { isBackground, type SampleStream } from '../../engine/read/samples/sample-stream.ts';
import { type RunClock, runClock } from './part-of-run.ts';

/** Maximum number of columns: a wider page draws each wider than a pixel. */
const MAX_COLUMNS = 4000;

/** The turns of a run over time, in columns. A column has its longest turn. */
export function timelineOf(analysis: Analysis, query: TimelineQuery): Timeline {
  const { streams, operations } = analysis;
  const clock = runClock(analysis);
  const lane = query.lane !== null && streams[query.lane] !== undefined ? query.lane : null;
  const { waited, others } = threadsOf(streams);
  const shown = new Set(lane !== null ? [lane] : waited.length > 0 ? waited : others);
  const columns = new Columns(Math.max(1, Math.min(MAX_COLUMNS, Math.floor(query.columns))), clock);
  for (const number of operations.keys()) columns.addOperation(analysis, number, shown);
  for (const stream of shown) columns.addCollections(analysis, stream);
  const loops = allLoops([...shown].flatMap((stream) => streams[stream] ?? []));
  return {
    durationUs: clock.durationUs,
    lane,
    lanes: [...waited, ...others].map((number) => ({ number, name: threadName(streams, number) })),
    isOneClock: clock.isOne,
    estimated: operations.some(({ stream, measured }) => shown.has(stream) && !measured),
    ...columns.values(),
    delay: loops === null ? null : { p50: loops.delays.p50, p99: loops.delays.p99 },
  };
}

/** The numbers of the threads: those whose loop something waits on, and the others. */
function threadsOf(streams: readonly SampleStream[]): {
  readonly waited: readonly number[];
  readonly others: readonly number[];
} {
  const groups = groupBy(streams.keys(), (number) => {
    const stream = streams[number];
    return stream !== undefined && !isBackground(stream) && !stream.isolate.isTestParent;
  });
  return { waited: groups.get(true) ?? [], others: groups.get(false) ?? [] };
}

class Columns {
  readonly #clock: RunClock;
  readonly #width: number;
  readonly #longest: Float64Array;
  readonly #operations: Int32Array;
  readonly #collecting: Float64Array;
  readonly #delays: Float64Array;

  constructor(count: number, clock: RunClock) {
    this.#clock = clock;
    this.#width = Math.max(1, clock.durationUs / count);
    this.#longest = new Float64Array(count);
    this.#operations = new Int32Array(count).fill(-1);
    this.#collecting = new Float64Array(count);
    this.#delays = new Float64Array(count);
  }

  addOperation({ operations, thresholdUs }: Analysis, number: number, shown: ReadonlySet<number>): void {
    const operation = operations[number];
    if (operation === undefined || !shown.has(operation.stream)) return;
    const { stream, start, end, held } = operation;
    this.#over(stream, start, end, (column, from) => {
      const rest = end > start ? (held * (end - from)) / (end - start) : held;
      this.#delays[column] = Math.max(this.#delays[column] ?? 0, rest);
      if (held <= (this.#longest[column] ?? 0)) return;
      this.#longest[column] = held;
      this.#operations[column] = held > thresholdUs ? number : -1;
    });
  }

  addCollections({ streams, bridged }: Analysis, stream: number): void {
    const { times, end } = streams[stream] ?? { times: noTimes, end: 0 };
    const sampled = bridged[stream]?.sampled ?? [];
    const time = new Float64Array(this.#collecting.length);
    for (const [sample, node] of sampled.entries()) {
      if (node !== metaNodes.gc) continue;
      this.#over(stream, times.at(sample) ?? end, times.at(sample + 1) ?? end, (column, from, until) => {
        time[column] = (time[column] ?? 0) + until - from;
      });
    }
    for (const [column, us] of time.entries())
      this.#collecting[column] = Math.max(this.#collecting[column] ?? 0, Math.min(1, us / this.#width));
  }

  values(): Pick<Timeline, 'longest' | 'operations' | 'collecting' | 'delays'> {
    return {
      longest: Array.from(this.#longest, (us) => Math.round(us)),
      operations: [...this.#operations],
      collecting: Array.from(this.#collecting, (share) => Math.round(share * 1000) / 1000),
      delays: Array.from(this.#delays, (us) => Math.round(us)),
    };
  }

  /** Calls `call` for each column of a time, with the part of it in that column: all by the thread's clock. */
  #over(stream: number, start: number, end: number, call: (column: number, from: number, until: number) => void): void {
    const zero = this.#clock.zeros[stream] ?? 0;
    const last = Math.min(this.#longest.length, Math.max(1, Math.ceil((end - zero) / this.#width)));
    const first = Math.max(0, Math.min(last - 1, Math.floor((start - zero) / this.#width)));
    for (let column = first; column < last; column += 1) {
      const from = zero + column * this.#width;
      call(column, Math.max(start, from), Math.min(end, from + this.#width));
    }
  }
}
