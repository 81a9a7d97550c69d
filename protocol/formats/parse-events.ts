import { isList, isRecord, numberOf, textOf, mostLines, readJsonLines, type Fields } from '../json-value.ts';
import { type Microseconds, microseconds } from '../units.ts';
import { type ListeningServer, type RecordingEvent, serverProtocols, type ThreadKind } from '../recording-lines.ts';

export interface ParsedEvents {
  readonly events: readonly RecordingEvent[];
  /** The file has more lines than are read. */
  readonly isCut: boolean;
}

/**
 * Parses `events.jsonl`, or whole lines of it. Lines that are not known events are left out: the last may be half
 * written, and a newer Hotspan writes more kinds. Missing fields become `''`, −1 or the time 0.
 */
export function parseEvents(text: string): ParsedEvents {
  const lines = readJsonLines(text, eventOf);
  return { events: lines.filter((event) => event !== null), isCut: lines.length === mostLines };
}

/** Null for an unknown event. */
function eventOf(json: unknown): RecordingEvent | null {
  if (!isRecord(json)) return null;
  const { type } = json;
  const [isolate, signal, reason] = [textOf(json['isolate']), textOf(json['signal']), textOf(json['reason'])];
  const at = microseconds(numberOf(json['at'], 0));
  switch (type) {
    case 'start':
      return { type, isolate, at, ...processOf(json) };
    case 'worker':
      return { type, ...threadOf(json), kind: kindOf(json) ?? 'background' };
    case 'end':
      return { type, isolate, at, reason: reason === 'signal' ? 'signal' : 'exit' };
    case 'outlives':
      return { type, isolate, at };
    case 'signal':
      return { type, isolate, at, signal };
    case 'handles':
      return { type, isolate, signal };
    case 'leaves':
      return { type, isolate, by: textOf(json['by']) };
    case 'otherUser':
      return { type, isolate, uid: numberOf(json['uid'], -1) };
    case 'flag':
      return { type, isolate, flag: textOf(json['flag']) };
    case 'full':
      return { type, isolate, at, mostBytes: numberOf(json['mostBytes'], 0) };
    case 'recordedInside':
      return { type, directory: textOf(json['directory']) };
    case 'stays':
    case 'uncaught':
    case 'serves':
      return { type, isolate };
    case 'unprofiled':
    case 'failed':
    case 'lost':
      return { type, isolate, reason };
    default:
      return serverEventOf(json, isolate, at);
  }
}

/** Null for an unknown event. */
function serverEventOf(json: Fields, isolate: string, at: Microseconds): RecordingEvent | null {
  const { type } = json;
  if (type === 'closes') return { type, isolate, at, server: numberOf(json['server'], -1) };
  return type === 'listens' ? { type, isolate, at, ...serverOf(json) } : null;
}

function serverOf(json: Fields): ListeningServer {
  return {
    server: numberOf(json['server'], -1),
    protocol: serverProtocols.find((one) => one === json['protocol']) ?? 'other',
    host: textOf(json['host']),
    port: numberOf(json['port'], -1),
    path: textOf(json['path']),
  };
}

function processOf(json: Fields): Omit<Extract<RecordingEvent, { type: 'start' }>, 'type' | 'isolate' | 'at'> {
  const { tid } = json;
  const kind = kindOf(json);
  return {
    ...threadOf(json),
    ...(typeof tid === 'number' ? { tid } : {}),
    ppid: numberOf(json['ppid'], -1),
    argv: textsOf(json['argv']),
    execArgv: textsOf(json['execArgv']),
    nodeVersion: textOf(json['nodeVersion']),
    ...(kind === null ? {} : { kind }),
  };
}

function threadOf(json: Fields): { readonly pid: number; readonly threadId: number } {
  return { pid: numberOf(json['pid'], -1), threadId: numberOf(json['threadId'], -1) };
}

function kindOf({ kind }: Fields): ThreadKind | null {
  return kind === 'main' || kind === 'pool' || kind === 'background' ? kind : null;
}

function textsOf(value: unknown): readonly string[] {
  return isList(value) ? value.map(textOf) : [];
}
