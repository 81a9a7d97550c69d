import assert from 'node:assert/strict';
import { test } from 'node:test';
import { turnClassBounds } from '../../protocol/recording-lines.ts';
import { equalTurns, recorderOf } from '../../recorder/preload/registries/open-telemetry.ts';
import { isRegistry, promMetrics } from '../../recorder/preload/registries/prom-client.ts';
import { Metrics } from '../../recorder/preload/turns/metrics.ts';
import type { Period } from '../../recorder/preload/turns/periods.ts';

/** Two of 10 µs and more, one of 1 ms and more, and two above 10 ms, one of which took 31.2 ms; the loop held 43.5 ms. */
const period: Period = {
  line: ['histogram', 0, 10_000_000, [0, 2, 0, 0, 1, 2, 0, 0], [0, 100, 0, 0, 1200, 42_200, 0, 0]],
  longestUs: 31_200,
};

function measured(): Metrics {
  const metrics = new Metrics();
  metrics.add(period.line, period.longestUs);
  metrics.add(['gc', 0, 10_000_000, 'Scavenge', 3, 2500, 1000, 9e6, 5e6], 0);
  return metrics;
}

test('a registry of prom-client gets what the file of OpenMetrics says', () => {
  const metrics = measured();
  const registered = new Map(promMetrics(metrics).map((metric) => [metric.name, metric.get()]));
  assert.deepEqual(
    [...registered.keys()],
    ['hotspan_turn_seconds', 'hotspan_longest_turn_seconds', 'hotspan_gc_seconds_total', 'hotspan_heap_after_gc_bytes'],
  );
  const values = [...registered].flatMap(([name, figure]) =>
    figure.values.map(({ metricName = name, labels: { le }, value }) => `${metricName} ${le ?? ''} ${value}`),
  );
  const samples = metrics.text().matchAll(/^(\w+)\{pid="\d+"(?:,le="([^"]+)")?\} (.+)$/gm);
  assert.deepEqual(
    values,
    [...samples].map(([, name, le = '', value]) => `${name} ${le} ${value}`),
  );
  assert.ok(values.includes('hotspan_turn_seconds_bucket 0.01 3'));
  assert.ok(!isRegistry({}) && !isRegistry(undefined) && isRegistry({ registerMetric: () => {} }));
});

test('a histogram of OpenTelemetry gets as many turns in each class, as long together, and the longest as it was', () => {
  const turns = equalTurns(period).flatMap(({ seconds, count }) => Array.from({ length: count }, () => seconds * 1e6));
  const bounds = [0, ...turnClassBounds, Infinity];
  const counts = bounds.slice(1).map((to, at) => turns.filter((us) => us > (bounds[at] ?? 0) && us <= to).length);
  assert.deepEqual(counts, period.line[3]);
  assert.equal(Math.round(turns.reduce((sum, us) => sum + us, 0)), 43_500);
  assert.equal(Math.round(Math.max(...turns)), 31_200);
});

test('instruments of OpenTelemetry are made once the program has a provider, and record outside of its turns', async () => {
  const noop = {};
  const made = new Map<string, unknown>();
  const observed: number[] = [];
  const recorded: number[] = [];
  const observable = (name: string, { unit }: { readonly unit: string }) => {
    made.set(name, unit);
    return {
      addCallback: (collect: (result: object) => void) =>
        collect({ observe: (value: number) => void observed.push(value) }),
    };
  };
  const meter = {
    createObservableGauge: observable,
    createObservableCounter: observable,
    createHistogram: (name: string, options: object) => {
      made.set(name, options);
      return { record: (seconds: number) => void recorded.push(seconds) };
    },
  };
  const api = (given: object) => ({ createNoopMeter: () => noop, metrics: { getMeter: () => given } });
  assert.equal(recorderOf(api(noop), measured()), null);
  assert.equal(recorderOf(undefined, measured()), null);

  const record = recorderOf(api(meter), measured());
  assert.deepEqual([...made.keys()].toSorted(), [
    'hotspan_gc_seconds',
    'hotspan_heap_after_gc_bytes',
    'hotspan_longest_turn_seconds',
    'hotspan_turn_seconds',
  ]);
  assert.deepEqual(observed, [0.0312, 0.0025, 5e6]);
  await new Promise<void>((resolve) => {
    record?.(period, (work) => {
      assert.deepEqual(recorded, []);
      work();
      resolve();
    });
  });
  assert.equal(recorded.length, 5);
});
