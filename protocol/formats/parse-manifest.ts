import { isList, isRecord, numberOf, parseJson, textOf, textOrNull } from '../json-value.ts';
import { type LoadFigures, type RecordedLoad, recordingVersion, type SeenAgain } from '../recording.ts';
import { type Microseconds, microseconds } from '../units.ts';

/** Content of a `recording.json`. A missing field is null. */
export interface Manifest {
  /** Our own version where the file has none. A larger one is from a newer Hotspan. */
  readonly version: number;
  readonly isOfTiers: boolean;
  readonly command: readonly string[] | null;
  readonly cwd: string | null;
  /** ISO 8601, as `endedAt`. */
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  /** The end of the recording was not noted. */
  readonly isOpen: boolean;
  readonly exitCode: number | null;
  /** The signal that ended the command. */
  readonly signal: string | null;
  readonly interval: Microseconds | null;
  readonly evaluated: boolean;
  readonly notes: readonly string[];
  /** Null where Hotspan sent no requests. */
  readonly load: RecordedLoad | null;
}

/**
 * Parses a `recording.json`; null where it is not a JSON object. Only the preload reads it itself, with functions that the
 * program cannot replace (recorder/preload/host/run.ts).
 */
export function parseManifest(text: string): Manifest | null {
  const json = parseJson(text);
  if (!isRecord(json)) return null;
  const { command, endedAt, exitCode, notes } = json;
  const interval = numberOf(json['intervalUs'], 0);
  return {
    version: numberOf(json['version'], recordingVersion),
    isOfTiers: json['kind'] === 'tiers',
    command: isList(command) ? command.map(textOf) : null,
    cwd: textOrNull(json['cwd']),
    startedAt: textOrNull(json['startedAt']),
    endedAt: textOrNull(endedAt),
    isOpen: endedAt === null,
    exitCode: typeof exitCode === 'number' ? exitCode : null,
    signal: textOrNull(json['signal']),
    interval: interval > 0 ? microseconds(interval) : null,
    evaluated: json['evaluated'] === true,
    notes: isList(notes) ? notes.filter((note) => typeof note === 'string') : [],
    load: loadOf(json['load']),
  };
}

/** Null where it is missing or damaged. */
function loadOf(value: unknown): RecordedLoad | null {
  if (!isRecord(value)) return null;
  const { headers } = value;
  const baseline = figuresOf(value['baseline']);
  const recorded = figuresOf(value['recorded']);
  if (baseline === null || recorded === null) return null;
  return {
    url: textOf(value['url']),
    method: textOf(value['method']),
    connections: amountOf(value['connections']),
    headers: isList(headers) ? headers.map(textOf) : [],
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

/** Parses a `seen-again.json`; null where it is invalid. */
export function parseSeenAgain(text: string): SeenAgain | null {
  const json = parseJson(text);
  if (!isRecord(json)) return null;
  const { findings } = json;
  const runs = numberOf(json['runs'], 0);
  if (!isList(findings) || runs < 1) return null;
  return {
    runs,
    findings: findings
      .filter(isRecord)
      .map((one) => ({ key: textOf(one['key']), seenIn: Math.max(0, Math.min(runs, numberOf(one['seenIn'], 0))) })),
  };
}
