import { metaNodes } from '../../engine/read/samples/call-tree.ts';
import { noTimes } from '../../engine/read/samples/sample-times.ts';
import type { TimeLane, Timeline, TimelineQuery } from '../../protocol/time.ts';
import { threadName } from '../../words/thread-names.ts';
import type { Analysis } from '../../engine/analysis.ts';
import { allLoops } from '../../engine/cut/event-loop/program-loops.ts';
import { isBackground, type SampleStream } from '../../engine/read/samples/sample-stream.ts';
import { type RunClock, runClock } from './part-of-run.ts';

/** Most columns: a wider page draws each over more than a pixel. */
const mostColumns = 4000;

/** The turns of a run over time, in columns. However many turns there are, a column has the longest of those in it. */
export function timelineOf(analysis: Analysis, query: TimelineQuery): Timeline {
  const { streams, operations } = analysis;
  const clock = runClock(analysis);
  const lane = query.lane !== null && streams[query.lane] !== undefined ? query.lane : null;
  const shown = shownStreams(streams, lane);
  const columns = new Columns(Math.max(1, Math.min(mostColumns, Math.floor(query.columns))), clock);
  for (const number of operations.keys()) columns.addOperation(analysis, number, shown);
  for (const stream of shown) columns.addCollections(analysis, stream);
  const loops = allLoops([...shown].flatMap((stream) => streams[stream] ?? []));
  return {
    durationUs: clock.durationUs,
    lane,
    lanes: lanesOf(streams),
    isOneClock: clock.isOne,
    estimated: operations.some(({ stream, measured }) => shown.has(stream) && !measured),
    ...columns.values(),
    delay: loops === null ? null : { p50: loops.delays.p50, p99: loops.delays.p99 },
  };
}

function isWaited(stream: SampleStream | undefined): boolean {
  return stream !== undefined && !isBackground(stream) && !stream.isolate.isTestParent;
}

/** The one that is asked for, else those that somebody waits for, else all. */
function shownStreams(streams: readonly SampleStream[], lane: number | null): ReadonlySet<number> {
  if (lane !== null) return new Set([lane]);
  const waited = [...streams.keys()].filter((stream) => isWaited(streams[stream]));
  return new Set(waited.length > 0 ? waited : streams.keys());
}

function lanesOf(streams: readonly SampleStream[]): readonly TimeLane[] {
  const lanes = streams.map((_, number) => ({ number, name: threadName(streams, number) }));
  return [
    ...lanes.filter(({ number }) => isWaited(streams[number])),
    ...lanes.filter(({ number }) => !isWaited(streams[number])),
  ];
}

/** The columns, while turns and collections are added. */
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

  /** Calls for each column with the part of a time by a thread's clock that is in it, on the same clock. */
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
