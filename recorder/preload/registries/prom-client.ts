import { internal, isFunction, isObject } from '../host/host.ts';
import type { Figure, Metrics } from '../turns/metrics.ts';

/** A metric of prom-client 14 and 15, whose registry calls these and reads and writes `name`. */
interface Metric {
  name: string;
  readonly help: string;
  readonly type: Figure['type'];
  /** How several processes become one (`AggregatorRegistry`). */
  readonly aggregator: 'sum' | 'max';
  readonly get: () => {
    readonly name: string;
    readonly values: readonly {
      readonly metricName?: string;
      readonly labels: { readonly le?: string };
      readonly value: number;
    }[];
  };
  readonly reset: () => void;
}

/** The figures as metrics of prom-client: a registry that has one of them may be given it again. */
export function promMetrics(metrics: Metrics): readonly Metric[] {
  return [
    metricOf(() => metrics.turns(), 'sum'),
    metricOf(() => metrics.longestTurn(), 'max'),
    metricOf(() => metrics.collections(), 'sum'),
    metricOf(() => metrics.heapAfterCollection(), 'sum'),
  ];
}

/** Whether this is a registry of prom-client. */
export function isRegistry(value: unknown): value is Registry {
  return isObject(value) && isFunction(internal(value, 'registerMetric'));
}

interface Registry {
  registerMetric(metric: Metric): void;
}

/**
 * prom-client's own histogram can only observe one value after the other; a server has ten thousand turns a second. As
 * OpenMetrics prom-client drops `_total` of a counter's name and writes it itself.
 */
function metricOf(figure: () => Figure, aggregator: Metric['aggregator']): Metric {
  const { name, help, type } = figure();
  const metric: Metric = {
    name: type === 'counter' ? `${name}_total` : name,
    help,
    type,
    aggregator,
    get: () => {
      const values = figure().samples.map(({ suffix, le, value }) => ({
        ...(type === 'histogram' ? { metricName: name + suffix } : {}),
        labels: le === undefined ? {} : { le },
        value,
      }));
      return { name: metric.name, help, type, aggregator, values };
    },
    // The sums count from the start of the process.
    reset: () => {},
  };
  return metric;
}
