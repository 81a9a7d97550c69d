import {
  type RecordingManifest,
  eventsFile,
  profileSuffix,
  recordingFile,
  testsSuffix,
  turnsSuffix,
  waitsSuffix,
} from '../../protocol/recording.ts';
import { type PlainTurn, possibleWait, soundReadings } from './plain-held.ts';
import type { PlainTurns } from './plain-operations.ts';
import type { PlainProfile } from './plain-profile.ts';
import type { PlainIsolate } from './plain-thread.ts';
import { isPoolPackage, isRunnerPackage } from '../../protocol/test-files.ts';
import type { RecordingEvent, TestLine, TurnLine, WaitLine } from '../../protocol/recording-lines.ts';

/** The isolates of a recording's folder, or of one profile: texts by their file names. */
export function plainRecording(
  files: Readonly<Record<string, string>>,
  parse: (text: string) => PlainProfile,
): { readonly isolates: readonly PlainIsolate[]; readonly evaluated: boolean } {
  const given: unknown = JSON.parse(files[recordingFile] ?? '{}');
  const manifest = isManifest(given) ? given : {};
  const events = jsonLines(files[eventsFile] ?? '').filter(isEvent);
  const names = Object.keys(files).filter((name) => name.endsWith(profileSuffix));
  const isolates = new Set(names.map(isolateName));
  return {
    evaluated: manifest.evaluated ?? false,
    isolates: [...isolates].map((name) => {
      const parts = names.filter((part) => isolateName(part) === name);
      const { isolate, pid, threadId } = identify(name, events);
      const turns = files[`${isolate}${turnsSuffix}`] ?? '';
      const tests = files[`${isolate}${testsSuffix}`] ?? '';
      const waits = jsonLines(files[`${isolate}${waitsSuffix}`] ?? '').filter(isWaitLine);
      const lines = jsonLines(turns).filter(isTurnLine);
      const moved = movedIn(lines);
      const profiles = parts.toSorted((a, b) => partOf(a) - partOf(b)).map((part) => parse(files[part] ?? ''));
      // A foreign profile has no file of turns, and an empty file has lost its lines; a thread may end in its first turn.
      return {
        parts: profiles,
        turns: turns === '' && waits.length === 0 ? null : turnsOf(lines, turns !== '' && hasEnded(isolate, events)),
        moved,
        readings: soundReadings(waits.map(([before, at, wait]) => ({ before, at, wait }))).map(
          ({ before, at, wait }) => ({
            before: moved(before),
            at: moved(at),
            wait,
          }),
        ),
        testChanges: testChangesOf(jsonLines(tests).filter(isTestLine)).map(moved),
        background: isBackground(pid, threadId, events) || (threadId !== 0 && tests === '' && isProgramsPool(profiles)),
        testParent: isTestParent(isolate, events),
        intervalUs: manifest.intervalUs ?? 1000,
      };
    }),
  };
}

/** Node writes the profiles of workers, and names them in its own way. */
function identify(
  name: string,
  events: readonly RecordingEvent[],
): { readonly isolate: string; readonly pid: number; readonly threadId: number } {
  const [, pid = '', threadId = ''] = /^CPU\.\d+\.\d+\.(\d+)\.(\d+)/.exec(name) ?? /^(\d+)-(\d+)-/.exec(name) ?? [];
  const started = events.find(
    (event) => event.type === 'start' && event.pid === Number(pid) && event.threadId === Number(threadId),
  );
  const isolate = name.startsWith('CPU.') && started?.type === 'start' ? started.isolate : name;
  return { isolate, pid: Number(pid), threadId: Number(threadId) };
}

/** Rotated parts have one name but for their number. */
function isolateName(name: string): string {
  return name.startsWith('CPU.') ? name : name.replace(/(\.\d+)?\.cpuprofile$/, '');
}

function partOf(name: string): number {
  return Number(/\.(\d+)\.cpuprofile$/.exec(name)?.[1] ?? 0);
}

/** Rule 4: sorted, none reaching into the next; the recorder's own turns are none, nor are those without any time. */
function turnsOf(lines: readonly TurnLine[], hasEnd: boolean): PlainTurns {
  const inTime = measuredTurns(lines);
  const ends = inTime.map(({ end }, index) => Math.min(end, inTime[index + 1]?.start ?? Infinity));
  const marks = lines.flatMap((line) => (line[0] === 'mark' ? [line[1]] : []));
  const step = lines.flatMap((line) => (line[0] === 'clock' ? [line[1]] : [])).at(-1) ?? 0;
  return {
    turns: inTime.map((turn, index) => ({
      ...turnOf(withoutWorks(turn, lines, inTime[index + 1]), ends[index] ?? turn.end),
      step,
    })),
    knownUntil: hasEnd ? Infinity : Math.max(-Infinity, ...(marks.length > 0 ? marks : ends).map(Math.round)),
  };
}

function measuredTurns(lines: readonly TurnLine[]): readonly MeasuredTurn[] {
  const measured = lines.flatMap((line) => (line[0] === 'turn' ? measuredTurn(line) : []));
  return measured.filter(({ start, end }) => end > start).toSorted((a, b) => a.start - b.start);
}

/** How long the recorder had worked in a turn before a time, as far as it says when. */
function workedBefore(time: number, { start, own }: MeasuredTurn, lines: readonly TurnLine[]): number {
  const works = lines.flatMap((line) => (line[0] === 'own' && line[1] >= start && line[1] < time ? [line] : []));
  return Math.min(
    Math.floor(own),
    works.reduce((sum, [, begin, end]) => sum + Math.min(end, time) - begin, 0),
  );
}

function withoutWorks(turn: MeasuredTurn, lines: readonly TurnLine[], next: MeasuredTurn | undefined): MeasuredTurn {
  const end = Math.min(turn.end + turn.own, next?.start ?? Infinity);
  const until = lines.reduce(
    (last, line) => (line[0] === 'own' && line[1] < end ? Math.max(last, line[2]) : last),
    end,
  );
  const works = lines.filter((line) => line[0] !== 'own' || line[1] < end);
  return { ...turn, own: turn.own - workedBefore(until, turn, works) };
}

/** The recorder's works are taken out of the clock of their turns. */
function movedIn(lines: readonly TurnLine[]): (time: number) => number {
  const turns = measuredTurns(lines);
  return (time) => {
    const turn = turns.findLast(({ start }) => start <= time);
    return turn === undefined || time >= turn.end + turn.own ? time : time - workedBefore(time, turn, lines);
  };
}

type MeasuredTurn = Readonly<Record<'start' | 'end' | 'own' | 'run' | 'wait', number>>;

/** In whole µs; −1: not known. */
function measuredTurn([, start, end, run, own = 0, wait = -1]: Extract<
  TurnLine,
  readonly ['turn', ...unknown[]]
>): MeasuredTurn {
  const taken = Math.max(0, own);
  return {
    start: Math.round(start),
    end: Math.round(end - taken),
    own: taken,
    run: Math.round(run),
    wait: Math.round(wait),
  };
}

/** Version 1 knows of no wait. */
function turnOf({ start, own, run: measured, wait }: MeasuredTurn, end: number): Omit<PlainTurn, 'step'> {
  const run = measured < 0 ? null : measured;
  const isWaitKnown = wait >= 0;
  return { start, end, own, run, wait: isWaitKnown ? possibleWait(wait, end - start, run) : null };
}

/** In whole µs, ascending. */
function testChangesOf(lines: readonly TestLine[]): readonly number[] {
  const changes: number[] = [];
  for (const [kind, at] of lines)
    if (kind === 'begin' || kind === 'end') changes.push(Math.max(Math.round(at), changes.at(-1) ?? -Infinity));
  return changes;
}

function hasEnded(isolate: string, events: readonly RecordingEvent[]): boolean {
  return events.some((event) => event.type === 'end' && event.isolate === isolate);
}

/** Rule 15: a thread that nobody called a runner's was started by the program. */
function isBackground(pid: number, threadId: number, events: readonly RecordingEvent[]): boolean {
  if (threadId === 0 || Number.isNaN(threadId) || events.length === 0) return false;
  const worker = events.find(
    (event) => event.type === 'worker' && event.pid === pid && event.threadId === threadId && event.kind === 'pool',
  );
  return worker === undefined;
}

/** Rule 15: only a test runner with frames in it makes a pool of tasks its own. */
function isProgramsPool(profiles: readonly PlainProfile[]): boolean {
  const urls = profiles.flatMap(({ nodes }) => nodes.map(({ callFrame }) => callFrame.url));
  const packages = urls.flatMap((url) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1] ?? []);
  return packages.some(isPoolPackage) && !packages.some((name) => isRunnerPackage(name) && !isPoolPackage(name));
}

/** Rule 14: the first process of vitest or ava, whose parent is not recorded. */
function isTestParent(isolate: string, events: readonly RecordingEvent[]): boolean {
  const started = events.find((event) => event.type === 'start' && event.isolate === isolate);
  if (started?.type !== 'start') return false;
  const isChild = events.some((event) => event.type === 'start' && event.pid === started.ppid);
  return !isChild && /(^|\/)(node_modules\/(vitest|ava)\/|\.bin\/(vitest|ava)$)/.test(started.argv[1] ?? '');
}

function jsonLines(text: string): readonly unknown[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line): unknown => JSON.parse(line));
}

// Recordings here are sound: what a damaged one leaves is tested elsewhere.

function isManifest(json: unknown): json is Partial<RecordingManifest> {
  return typeof json === 'object' && json !== null;
}

function isEvent(json: unknown): json is RecordingEvent {
  return typeof json === 'object' && json !== null && 'type' in json;
}

function isTestLine(json: unknown): json is TestLine {
  return Array.isArray(json);
}

function isWaitLine(json: unknown): json is WaitLine {
  return Array.isArray(json);
}

function isTurnLine(json: unknown): json is TurnLine {
  return Array.isArray(json);
}
