import { boundedText } from '../files/file-path.ts';
import { groupBy } from '../../basics/lists.ts';
import type { Ended } from '../../../protocol/recording.ts';
import type { RecordingEvent, ThreadKind } from '../../../protocol/recording-lines.ts';

/** The events of a recording, by isolate. */
export interface RecordingEvents {
  readonly starts: ReadonlyMap<string, StartedIsolate>;
  /** Isolates that started with one pair of process and thread ids, in the order of `starts`, by `<pid>-<threadId>`. */
  readonly byThread: ReadonlyMap<string, readonly string[]>;
  readonly ends: ReadonlyMap<string, 'exit' | 'signal'>;
  readonly outliving: ReadonlySet<string>;
  /** By `<pid>-<threadId>`. */
  readonly threadKinds: ReadonlyMap<string, ThreadKind>;
  readonly unprofiled: ReadonlyMap<string, string>;
  /** Flags of V8 that a program set while it ran. */
  readonly flags: ReadonlyMap<string, readonly string[]>;
  /** The code of the system's error. */
  readonly lost: ReadonlyMap<string, string>;
  /** Isolates in which an error has reached a handler of the program's own. */
  readonly uncaught: ReadonlySet<string>;
  /** Folder of a recording that the command has made itself; null where it made none. */
  readonly inside: string | null;
  /** Limit in bytes that the recording had reached when the isolate stopped. */
  readonly full: ReadonlyMap<string, number>;
  /** Isolates that went on as a user who may not write here, with the function of `process` that changed the user. */
  readonly leaving: ReadonlyMap<string, string>;
  readonly otherUsers: ReadonlyMap<string, number>;
}

interface StartedIsolate {
  readonly pid: number;
  readonly threadId: number;
  readonly nodeVersion: string;
  /** Time in µs on the recorder's clock. */
  readonly at: number;
  /** The script of the process, or `node` where there is none. */
  readonly command: string;
  readonly args: readonly string[];
  /** True where it only starts processes and threads that run tests. Node cannot profile that of `node --test`. */
  readonly isTestParent: boolean;
}

export function readEvents(events: readonly RecordingEvent[]): RecordingEvents {
  const starts = startsIn(events);
  const ends = new Map<string, 'exit' | 'signal'>();
  const outliving = new Set<string>();
  const threadKinds = new Map<string, ThreadKind>();
  const unprofiled = new Map<string, string>();
  const flags = new Map<string, string[]>();
  const lost = new Map<string, string>();
  const full = new Map<string, number>();
  const uncaught = new Set<string>();
  for (const event of events) {
    if (event.type === 'worker') threadKinds.set(`${event.pid}-${event.threadId}`, event.kind);
    if (event.type === 'worker' || event.type === 'recordedInside') continue;
    const isolate = boundedText(event.isolate);
    if (event.type === 'start' && event.threadId === 0)
      threadKinds.set(`${event.pid}-0`, event.kind === 'background' ? 'background' : 'main');
    const server = event.type === 'serves' ? starts.get(isolate) : undefined;
    if (server !== undefined)
      threadKinds.set(`${server.pid}-${server.threadId}`, server.threadId === 0 ? 'main' : 'pool');
    if (event.type === 'end') ends.set(isolate, event.reason);
    if (event.type === 'outlives') outliving.add(isolate);
    if (event.type === 'unprofiled') unprofiled.set(isolate, event.reason);
    if (event.type === 'flag') flags.set(isolate, [...(flags.get(isolate) ?? []), event.flag]);
    if (event.type === 'lost') lost.set(isolate, event.reason);
    if (event.type === 'uncaught') uncaught.add(isolate);
    if (event.type === 'full') full.set(isolate, event.mostBytes);
  }
  const byThread = groupBy(starts.keys(), (isolate) => {
    const { pid, threadId } = starts.get(isolate) ?? {};
    return `${pid}-${threadId}`;
  });
  const [inside = null] = events.flatMap((event) => (event.type === 'recordedInside' ? [event.directory] : []));
  return {
    ...{ starts, byThread, ends, outliving, threadKinds, unprofiled, flags, lost, full, uncaught },
    ...readUsers(events),
    inside: inside === null ? null : boundedText(inside),
  };
}

function readUsers(events: readonly RecordingEvent[]): Pick<RecordingEvents, 'leaving' | 'otherUsers'> {
  const leaving = new Map<string, string>();
  const otherUsers = new Map<string, number>();
  for (const event of events) {
    if (event.type === 'leaves') leaving.set(boundedText(event.isolate), event.by);
    if (event.type === 'stays') leaving.delete(boundedText(event.isolate));
    if (event.type === 'otherUser') otherUsers.set(boundedText(event.isolate), event.uid);
  }
  return { leaving, otherUsers };
}

/** The isolate of a thread whose profile Node wrote itself; of several with the same ids, the last to start. */
export function isolateOf(
  { byThread }: RecordingEvents,
  { pid, threadId }: { readonly pid: number; readonly threadId: number },
): string | undefined {
  return byThread.get(`${pid}-${threadId}`)?.at(-1);
}

/** The isolate of a thread that had begun by a time in µs, because ids of a process may be used twice. */
export function isolateAt(
  { starts, byThread }: RecordingEvents,
  { pid, threadId, clock }: { readonly pid: number; readonly threadId: number; readonly clock: number },
): string | undefined {
  const own = (byThread.get(`${pid}-${threadId}`) ?? []).flatMap((isolate) => {
    const start = starts.get(isolate);
    return start === undefined ? [] : [[isolate, start] as const];
  });
  const begun = own.filter(([, { at }]) => at <= clock).toSorted(([, a], [, b]) => b.at - a.at);
  return (begun[0] ?? own[0])?.[0];
}

/** Kind of a thread. A thread without a known kind counts as started by the program. */
export function threadKindOf({ threadKinds }: RecordingEvents, pid: number, threadId: number): ThreadKind {
  return threadKinds.get(`${pid}-${threadId}`) ?? (threadId === 0 ? 'main' : 'background');
}

/** How an isolate ended. A thread without an end of its own ended when its process did. */
export function endOf(events: RecordingEvents, isolate: string): Ended {
  const start = events.starts.get(isolate);
  const own = events.ends.get(isolate);
  if (own !== undefined) return own;
  if (start === undefined) return 'unknown';
  const main = start.threadId === 0 ? isolate : (isolateOf(events, { pid: start.pid, threadId: 0 }) ?? isolate);
  if (events.leaving.has(main) && !events.ends.has(main)) return 'unknown';
  return events.ends.get(main) ?? (events.outliving.has(main) ? 'outlived' : 'killed');
}

function startsIn(events: readonly RecordingEvent[]): ReadonlyMap<string, StartedIsolate> {
  const starts = new Map<string, StartedIsolate>();
  /** By process id: a worker thread does not know its script. */
  const scripts = new Map<number, string>();
  for (const event of events) {
    if (event.type !== 'start') continue;
    const start = startOf(event, scripts.get(event.pid));
    if (event.threadId === 0) scripts.set(event.pid, start.command);
    starts.set(boundedText(event.isolate), start);
  }
  return starts;
}

function startOf(event: Extract<RecordingEvent, { type: 'start' }>, script = 'node'): StartedIsolate {
  const { pid, threadId, nodeVersion, at, argv, execArgv } = event;
  const command = argv[1] ?? script;
  const isRunner = execArgv.includes('--test') || testParents.test(command.replaceAll('\\', '/'));
  const args = argv.slice(2);
  return { pid, threadId, nodeVersion, at, command, args, isTestParent: threadId === 0 && isRunner };
}

/** Commands of runners that never run a test in their first process; mocha and jest may. */
const testParents = /\/node_modules\/(\.bin\/(vitest|ava)|vitest\/vitest\.mjs|ava\/entrypoints\/cli\.mjs)$/;
