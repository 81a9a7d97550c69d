import { turnClassBounds } from '../../../protocol/recording-lines.ts';
import { attempt, call, host, pathIn } from '../host/host.ts';
import type { Figure, Metrics } from '../turns/metrics.ts';
import type { Period } from '../turns/periods.ts';

/** Records the turns of a period soon. `own` runs the recorder's own work. */
export type Recorder = (period: Period, own: (work: () => void) => void) => void;

/**
 * Makes the instruments. Null while the API (the module `@opentelemetry/api`) has no provider of meters: instruments that
 * are made before it comes stay without one.
 */
export function recorderOf(api: unknown, metrics: Metrics): Recorder | null {
  const meters = pathIn(api, 'metrics');
  const meter = call(pathIn(meters, 'getMeter'), meters, ['hotspan']);
  const none = call(pathIn(api, 'createNoopMeter'), api, []);
  if (meter === undefined || none === undefined || meter === none) return null;
  observe(meter, 'createObservableGauge', () => metrics.longestTurn());
  observe(meter, 'createObservableCounter', () => metrics.collections());
  observe(meter, 'createObservableGauge', () => metrics.heapAfterCollection());
  const { name, help: description } = metrics.turns();
  const advice = { explicitBucketBoundaries: turnClassBounds.map((us) => us / 1e6) };
  const histogram = call(pathIn(meter, 'createHistogram'), meter, [name, { description, unit: 's', advice }]);
  const record = pathIn(histogram, 'record');
  return inParts((seconds) => void call(record, histogram, [seconds]));
}

function observe(meter: unknown, make: string, figure: () => Figure): void {
  const { name, help: description, unit } = figure();
  const options = { description, unit: unit === 'bytes' ? 'By' : 's' };
  const instrument = call(pathIn(meter, make), meter, [name, options]);
  const onCollect = (result: unknown): void => {
    for (const { value } of figure().samples) call(pathIn(result, 'observe'), result, [value]);
  };
  call(pathIn(instrument, 'addCallback'), instrument, [onCollect]);
}

/** So many turns, each of which counts as so long. */
interface EqualTurns {
  readonly seconds: number;
  count: number;
}

/** A histogram of OpenTelemetry takes one value after the other: 0.1 µs each, for up to 10⁵ turns in 10 s. */
function inParts(record: (seconds: number) => void): Recorder {
  const state: { waiting: EqualTurns[]; isOn: boolean } = { waiting: [], isOn: false };
  const recordPart = (): void => {
    let left = MAX_PART;
    for (let next = state.waiting[0]; next !== undefined && left > 0; next = state.waiting[0]) {
      for (; next.count > 0 && left > 0; next.count -= 1, left -= 1) record(next.seconds);
      if (next.count === 0) state.waiting.shift();
    }
  };
  const goOn = (own: (work: () => void) => void): void => {
    state.isOn = state.waiting.length > 0;
    if (!state.isOn) return;
    host.setImmediate(() => {
      attempt(() => own(recordPart));
      goOn(own);
    });
  };
  return (period, own) => {
    state.waiting.push(...equalTurns(period));
    if (!state.isOn) goOn(own);
  };
}

/** Takes half a ms. */
const MAX_PART = 5000;

/**
 * Turns of the same number, sum and longest one as those of the period, class by class: the longest, and all others as
 * long as their mean.
 */
export function equalTurns({ line: [, , , counts, times], longestUs }: Period): readonly EqualTurns[] {
  return counts.flatMap((count, length) => {
    const [from, below] = [turnClassBounds[length - 1] ?? 0, turnClassBounds[length] ?? Infinity];
    // OpenTelemetry counts a bound in the class below it. Sums are rounded: a mean may be just outside.
    const inClass = (us: number): number => Math.min(Math.max(us, from * 1.000_001), below) / 1e6;
    const longest = count > 0 && longestUs > 0 && longestUs >= from && longestUs < below ? [longestUs] : [];
    const others = count - longest.length;
    const sum = (times[length] ?? 0) - (longest[0] ?? 0);
    return [
      ...longest.map((us) => ({ seconds: inClass(us), count: 1 })),
      ...(others > 0 ? [{ seconds: inClass(sum / others), count: others }] : []),
    ];
  });
}
