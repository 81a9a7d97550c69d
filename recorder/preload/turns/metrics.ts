import { type TurnLine, turnClassBounds } from '../../../protocol/recording-lines.ts';

/** A figure as scrapers and registries know it. */
export interface Figure {
  /** Without the `_total` of a counter. */
  readonly name: string;
  readonly help: string;
  readonly type: 'histogram' | 'gauge' | 'counter';
  readonly unit: 'seconds' | 'bytes';
  /** Empty before the first value. */
  readonly samples: readonly Sample[];
}

interface Sample {
  readonly suffix: '' | '_bucket' | '_sum' | '_count' | '_total';
  readonly le?: string;
  readonly value: number;
}

/** Sums over the life of this process. */
export class Metrics {
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

  turns(): Figure {
    let below = 0;
    const buckets = this.counts.map((count, length): Sample => {
      below += count;
      return { suffix: '_bucket', le: boundNames[length] ?? '+Inf', value: below };
    });
    return {
      ...namesOf('turn', 'seconds', 'histogram', 'Time that turns of the event loop held it.'),
      samples: [...buckets, { suffix: '_sum', value: this.turnsUs / 1e6 }, { suffix: '_count', value: below }],
    };
  }

  longestTurn(): Figure {
    const value = Math.max(0, ...this.longest) / 1e6;
    return {
      ...namesOf('longest_turn', 'seconds', 'gauge', 'The longest turn of the last minute.'),
      samples: [{ suffix: '', value }],
    };
  }

  collections(): Figure {
    return {
      ...namesOf('gc', 'seconds', 'counter', 'Time of garbage collections.'),
      samples: [{ suffix: '_total', value: this.gcUs / 1e6 }],
    };
  }

  heapAfterCollection(): Figure {
    return {
      ...namesOf('heap_after_gc', 'bytes', 'gauge', 'The heap after collections.'),
      samples: this.heap === null ? [] : [{ suffix: '', value: this.heap }],
    };
  }

  /** OpenMetrics 1.0, under 1.5 kB. The label `pid` names the process. */
  text(): string {
    const figures = [this.turns(), this.longestTurn(), this.collections(), this.heapAfterCollection()];
    return [...figures.flatMap(openMetrics), '# EOF\n'].join('\n');
  }
}

/** Of 10 s: the longest turn is that of the last minute, so a scrape each minute misses none. */
const MAX_PERIODS = 6;

/** `turnClassBounds` in seconds, as Prometheus writes numbers. */
const boundNames = ['1e-05', '0.0001', '0.0005', '0.001', '0.01', '0.1', '1.0'] as const;

function namesOf(subject: string, unit: Figure['unit'], type: Figure['type'], help: string): Omit<Figure, 'samples'> {
  return { name: `hotspan_${subject}_${unit}`, help, type, unit };
}

function openMetrics({ name, help, type, unit, samples }: Figure): readonly string[] {
  if (samples.length === 0) return [];
  return [
    `# TYPE ${name} ${type}`,
    `# UNIT ${name} ${unit}`,
    `# HELP ${name} ${help}`,
    ...samples.map(({ suffix, le, value }) => {
      const bound = le === undefined ? '' : `,le="${le}"`;
      return `${name}${suffix}{pid="${process.pid}"${bound}} ${value}`;
    }),
  ];
}
