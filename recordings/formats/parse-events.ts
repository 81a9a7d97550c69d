import { isList, isRecord, numberOf, textOf } from '../../protocol/json-value.ts';
import type { RecordingEvent, ThreadKind } from '../../protocol/recording.ts';
import { type Microseconds, microseconds } from '../../protocol/units.ts';
import { mostLines, readJsonLines } from './json-lines.ts';

export interface ParsedEvents {
  readonly events: readonly RecordingEvent[];
  /** There are as many lines as are read of a file at most: what comes behind them is unknown. */
  readonly isCut: boolean;
}

/**
 * The text of `events.jsonl`, or some whole lines of it. What is no event is left out: the last line may be half written,
 * and a newer Hotspan may tell more. In an event, texts that are none are empty, numbers −1 and times 0.
 */
export function parseEvents(text: string): ParsedEvents {
  const lines = readJsonLines(text, eventOf);
  return { events: lines.filter((event) => event !== null), isCut: lines.length === mostLines };
}

type Fields = Readonly<Record<string, unknown>>;

/** Null for what is no event that this version knows. */
function eventOf(json: unknown): RecordingEvent | null {
  if (!isRecord(json)) return null;
  if (json['type'] === 'start') return startOf(json);
  if (json['type'] === 'worker')
    return { type: 'worker', ...threadOf(json), kind: threadKindOf(json['kind']) ?? 'background' };
  return eventOfIsolate(json, { isolate: textOf(json['isolate']) });
}

function startOf(json: Fields): RecordingEvent {
  const { tid } = json;
  const kind = threadKindOf(json['kind']);
  return {
    type: 'start',
    isolate: textOf(json['isolate']),
    ...threadOf(json),
    ...(typeof tid === 'number' ? { tid } : {}),
    ppid: numberOf(json['ppid'], -1),
    argv: textsOf(json['argv']),
    execArgv: textsOf(json['execArgv']),
    nodeVersion: textOf(json['nodeVersion']),
    at: timeOf(json['at']),
    ...(kind === null ? {} : { kind }),
  };
}

function eventOfIsolate(json: Fields, own: { readonly isolate: string }): RecordingEvent | null {
  const { type } = json;
  switch (type) {
    case 'end':
      return { type, ...own, at: timeOf(json['at']), reason: json['reason'] === 'signal' ? 'signal' : 'exit' };
    case 'outlives':
      return { type, ...own, at: timeOf(json['at']) };
    case 'signal':
      return { type, ...own, at: timeOf(json['at']), signal: textOf(json['signal']) };
    case 'handles':
      return { type, ...own, signal: textOf(json['signal']) };
    case 'leaves':
      return { type, ...own, by: textOf(json['by']) };
    case 'otherUser':
      return { type, ...own, uid: numberOf(json['uid'], -1) };
    case 'flag':
      return { type, ...own, flag: textOf(json['flag']) };
    case 'full':
      return { type, ...own, at: timeOf(json['at']), mostBytes: numberOf(json['mostBytes'], 0) };
    case 'stays':
    case 'serves':
      return { type, ...own };
    case 'unprofiled':
    case 'failed':
    case 'lost':
      return { type, ...own, reason: textOf(json['reason']) };
    default:
      return null;
  }
}

function threadOf(json: Fields): { readonly pid: number; readonly threadId: number } {
  return { pid: numberOf(json['pid'], -1), threadId: numberOf(json['threadId'], -1) };
}

function threadKindOf(value: unknown): ThreadKind | null {
  return value === 'main' || value === 'pool' || value === 'background' ? value : null;
}

function textsOf(value: unknown): readonly string[] {
  return isList(value) ? value.map(textOf) : [];
}

function timeOf(value: unknown): Microseconds {
  return microseconds(numberOf(value, 0));
}
