import { type TurnLine, turnClassBounds } from '../../../protocol/recording-lines.ts';

/** Sums over the life of this process, and their text for scrapers (OpenMetrics 1.0). */
export class Metrics {
  private readonly pid = process.pid;
  private counts: readonly number[] = [...turnClassBounds.map(() => 0), 0];
  private turnsUs = 0;
  private gcUs = 0;
  /** The longest turns of the last periods, in µs. */
  private longest: readonly number[] = [];
  /** The smallest heap after a collection of the last period with one, in bytes; null before the first. */
  private heap: number | null = null;
  /** Whether `heap` is of this period. */
  private hasHeap = false;

  /** Adds a period of turns, or its collections. */
  add(line: TurnLine, longestUs: number): void {
    if (line[0] === 'histogram') {
      const [, , , counts, times] = line;
      this.counts = this.counts.map((count, length) => count + (counts[length] ?? 0));
      this.turnsUs += times.reduce((sum, time) => sum + time, 0);
      this.longest = [...this.longest.slice(1 - MAX_PERIODS), longestUs];
      this.hasHeap = false;
    }
    if (line[0] === 'gc') {
      const [, , , , , time, , , usedAfter] = line;
      this.gcUs += time;
      this.heap = this.hasHeap ? Math.min(this.heap ?? usedAfter, usedAfter) : usedAfter;
      this.hasHeap = true;
    }
  }

  /** Under 1.5 kB. Processes are told apart by their pid. */
  text(): string {
    const own = `{pid="${this.pid}"}`;
    let below = 0;
    const buckets = this.counts.map((count, length) => {
      below += count;
      return `hotspan_turn_seconds_bucket{pid="${this.pid}",le="${boundNames[length] ?? '+Inf'}"} ${below}`;
    });
    const gauge = (name: string, unit: string, value: number): readonly string[] => [
      `# TYPE ${name} gauge`,
      `# UNIT ${name} ${unit}`,
      `${name}${own} ${value}`,
    ];
    return [
      ...['# TYPE hotspan_turn_seconds histogram', '# UNIT hotspan_turn_seconds seconds'],
      '# HELP hotspan_turn_seconds Time that turns of the event loop held it.',
      ...buckets,
      `hotspan_turn_seconds_sum${own} ${this.turnsUs / 1e6}`,
      `hotspan_turn_seconds_count${own} ${below}`,
      ...gauge('hotspan_longest_turn_seconds', 'seconds', Math.max(0, ...this.longest) / 1e6),
      ...['# TYPE hotspan_gc_seconds counter', '# UNIT hotspan_gc_seconds seconds'],
      `hotspan_gc_seconds_total${own} ${this.gcUs / 1e6}`,
      ...(this.heap === null ? [] : gauge('hotspan_heap_after_gc_bytes', 'bytes', this.heap)),
      '# EOF\n',
    ].join('\n');
  }
}

/** Of 10 s: the longest turn is that of the last minute, so a scrape each minute misses none. */
const MAX_PERIODS = 6;

/** `turnClassBounds` in seconds, as Prometheus writes numbers. */
const boundNames = ['1e-05', '0.0001', '0.0005', '0.001', '0.01', '0.1', '1.0'] as const;
