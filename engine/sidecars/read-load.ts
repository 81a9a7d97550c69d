import type { LoadFigures, RecordedLoad } from '../../protocol/recording.ts';
import { microseconds } from '../../protocol/units.ts';
import { isRecord, numberOf, textOf } from '../basics/json-value.ts';

/** Reads `load` of a `recording.json`; null where Hotspan sent no requests, or the file was damaged. */
export function readLoad(value: unknown): RecordedLoad | null {
  if (!isRecord(value)) return null;
  const { headers } = value;
  const baseline = figuresOf(value['baseline']);
  const recorded = figuresOf(value['recorded']);
  if (baseline === null || recorded === null) return null;
  return {
    url: textOf(value['url']),
    method: textOf(value['method']),
    connections: amountOf(value['connections']),
    headers: Array.isArray(headers) ? headers.map(textOf) : [],
    bodyBytes: amountOf(value['bodyBytes']),
    baseline,
    recorded,
  };
}

function figuresOf(value: unknown): LoadFigures | null {
  if (!isRecord(value)) return null;
  const latency = isRecord(value['latencyUs']) ? value['latencyUs'] : {};
  const latencyOf = (name: string) => microseconds(amountOf(latency[name]));
  return {
    requests: amountOf(value['requests']),
    errors: amountOf(value['errors']),
    timeouts: amountOf(value['timeouts']),
    non2xx: amountOf(value['non2xx']),
    durationUs: microseconds(amountOf(value['durationUs'])),
    requestsPerSecond: Math.max(0, numberOf(value['requestsPerSecond'], 0)),
    bytesPerSecond: amountOf(value['bytesPerSecond']),
    latencyUs: {
      mean: latencyOf('mean'),
      p50: latencyOf('p50'),
      p90: latencyOf('p90'),
      p99: latencyOf('p99'),
      max: latencyOf('max'),
    },
  };
}

function amountOf(value: unknown): number {
  return Math.max(0, Math.round(numberOf(value, 0)));
}
