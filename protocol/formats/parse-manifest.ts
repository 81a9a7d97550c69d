import type { Fields } from '../json-value.ts';
import {
  dateOrNull,
  isList,
  isRecord,
  numberOf,
  parseJson,
  textOf,
  textOrNull,
  amountOf,
  fieldsOf,
} from '../json-value.ts';
import type { AnswerFigures, LoadFigures, LoadSource, RecordedLoad, RecordedRequest, SeenAgain } from '../recording.ts';
import { recordingVersion } from '../recording.ts';
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
  readonly isAttached: boolean;
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
    startedAt: dateOrNull(json['startedAt']),
    endedAt: textOrNull(endedAt),
    isOpen: endedAt === null,
    exitCode: typeof exitCode === 'number' ? exitCode : null,
    signal: textOrNull(json['signal']),
    interval: interval > 0 ? microseconds(interval) : null,
    evaluated: json['evaluated'] === true,
    isAttached: json['attached'] === true,
    notes: isList(notes) ? notes.filter((note) => typeof note === 'string') : [],
    load: loadOf(json['load']),
  };
}

/** Null where it is missing or damaged. */
function loadOf(value: unknown): RecordedLoad | null {
  if (!isRecord(value)) return null;
  const { requests, baseline } = value;
  const recorded = figuresOf(value['recorded']);
  if (recorded === null || !isList(requests)) return null;
  return {
    source: sourceOf(value['source']),
    requests: requests.filter(isRecord).map(requestOf),
    connections: amountOf(value['connections']),
    rate: amountOrNull(value['rate']),
    amount: amountOrNull(value['amount']),
    durationS: amountOrNull(value['durationS']),
    warmUpS: amountOf(value['warmUpS']),
    baseline: figuresOf(baseline),
    recorded,
  };
}

function sourceOf(value: unknown): LoadSource {
  const source = fieldsOf(value);
  return source['type'] === 'file'
    ? { type: 'file', file: textOf(source['file']), environment: textOrNull(source['environment']) }
    : { type: 'words', words: textOrNull(source['words']) };
}

function requestOf(value: Fields): RecordedRequest {
  const { headers } = value;
  return {
    title: textOf(value['title']),
    method: textOf(value['method']),
    url: textOf(value['url']),
    headers: isList(headers) ? headers.map(textOf) : [],
    bodyBytes: amountOf(value['bodyBytes']),
  };
}

function figuresOf(value: unknown): LoadFigures | null {
  if (!isRecord(value)) return null;
  const { byRequest } = value;
  const latencyOf = latenciesIn(value);
  const cpuShare = numberOf(value['cpuShare'], 0);
  return {
    ...answersOf(value),
    timeouts: amountOf(value['timeouts']),
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
    ...(cpuShare > 0 ? { cpuShare: Math.min(1, cpuShare) } : {}),
    byRequest: isList(byRequest) ? byRequest.filter(isRecord).map(answersOf) : [],
  };
}

function answersOf(value: Fields): AnswerFigures {
  const latencyOf = latenciesIn(value);
  return {
    requests: amountOf(value['requests']),
    errors: amountOf(value['errors']),
    refused: amountOf(value['refused']),
    latencyUs: { p50: latencyOf('p50'), p99: latencyOf('p99') },
  };
}

function latenciesIn({ latencyUs }: Fields): (name: string) => Microseconds {
  const latency = fieldsOf(latencyUs);
  return (name) => microseconds(amountOf(latency[name]));
}

/** Null where it is not a number above 0. */
function amountOrNull(value: unknown): number | null {
  const number = amountOf(value);
  return number > 0 ? number : null;
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
