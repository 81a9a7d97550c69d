import assert from 'node:assert/strict';
import type { Analysis } from '../../engine/analysis.ts';
import { reportOf } from '../../show/report/report.ts';
import { recordingVersion } from '../../protocol/recording.ts';
import type { Report, ReportOperation } from '../../protocol/report.ts';
import { type Microseconds, microseconds, milliseconds } from '../../protocol/units.ts';
import { type DrawnProfile, drawProfile, drawnStart } from './drawn-profile.ts';
import { memoryWorld } from './memory-world.ts';
import type { RecordingEvent, RequestLine, TestLine, TurnLine, WaitLine } from '../../protocol/recording-lines.ts';
import type { ReportCulprit, ReportFunction } from '../../protocol/report-code.ts';
import { analyzedIn } from './analyzed.ts';

export const ms = milliseconds;

/**
 * Start and end of each measured turn, in ms from the first sample, as pairs or as a text: `0-3 4-7.5`. Without turns,
 * operations are inferred.
 */
export type DrawnTurns = string | readonly (readonly [start: number, end: number])[];

export interface DrawnOptions {
  /** The threshold in ms. It is 2 by default, to keep drawings small. */
  readonly threshold?: number;
  readonly turns?: DrawnTurns;
  /** More lines for the file of turns. */
  readonly turnLines?: readonly TurnLine[];
  /** What the recorder read from outside: time (from the first sample) and the thread's waits until then, in ms. */
  readonly waits?: readonly WaitLine[];
  /** Lines of the file of tests, their times in ms from the first sample. */
  readonly tests?: readonly TestLine[];
  /** Requests to `GET /` and `GET /slow`, times in ms from the first sample; `since` −1: the first of its connection. */
  readonly requests?: readonly DrawnRequest[];
  /** The process was killed: it has no end. */
  readonly isKilled?: boolean;
  /** The drawn thread is a worker of this kind. */
  readonly worker?: 'pool' | 'background';
  readonly roots?: readonly string[];
  readonly manifest?: Readonly<Record<string, unknown>>;
  readonly nodeVersion?: string;
  /** Texts of files on the disk, by path; without one a drawn file cannot be read. */
  readonly sources?: Readonly<Record<string, string>>;
}

export interface DrawnRequest {
  readonly slow?: boolean;
  readonly since?: number;
  readonly start: number;
  readonly end: number;
}

/** What Hotspan says of a drawn profile, with ways to ask for one function by its name. */
export interface DrawnHotspots {
  readonly analysis: Analysis;
  readonly report: Report;
  readonly operations: readonly ReportOperation[];
  readonly fn: (name: string) => ReportFunction;
  readonly worst: (name: string) => Microseconds;
  readonly culprit: (name: string) => ReportCulprit | null;
  /** Names of all culprits, largest first. */
  readonly culprits: readonly string[];
}

export async function hotspotsOf(drawing: string, options: DrawnOptions = {}): Promise<DrawnHotspots> {
  return hotspotsOfProfiles([drawProfile(drawing)], options);
}

/** The line of an isolate's start in `events.jsonl`, by its name such as `7-0-x`; `more` is what else it tells. */
export function startLine(isolate: string, argv: readonly string[] = [], more: object = {}): string {
  const [pid, threadId] = isolate.split('-').map(Number);
  return JSON.stringify({ type: 'start', isolate, pid, threadId, argv, execArgv: [], ...more });
}

/** Analyzes the rotated parts of one isolate. */
export async function hotspotsOfProfiles(
  parts: readonly DrawnProfile[],
  options: DrawnOptions = {},
): Promise<DrawnHotspots> {
  const thread = options.worker === undefined ? 0 : 1;
  const profiles = parts.map(
    (part, number) => [`/rec/7-${thread}-x.${number}.cpuprofile`, JSON.stringify(part)] as const,
  );
  const { turns, worker, manifest } = options;
  const isPlain = parts.length === 1 && turns === undefined && worker === undefined && manifest === undefined;
  const files = isPlain ? [] : Object.entries(recordingOf(thread, options));
  return hotspotsIn({ ...Object.fromEntries([...profiles, ...files]), ...options.sources }, options);
}

/** Analyzes everything in the folder `/rec`. */
export async function hotspotsIn(
  files: Readonly<Record<string, string>>,
  { threshold = 2, roots = ['/app'] }: DrawnOptions = {},
): Promise<DrawnHotspots> {
  const { analysis } = await analyzedIn(memoryWorld(files), { thresholdUs: ms(threshold), roots });
  const report = reportOf(analysis, 'all');
  const fn = (name: string): ReportFunction => {
    const found = report.functions.find((candidate) => candidate.name === name);
    return found ?? assert.fail(`no function ${name}`);
  };
  const worstPart = (one: ReportFunction): number => one.culprit?.worstUs ?? 0;
  return {
    analysis,
    report,
    operations: report.operations,
    fn,
    worst: (name) => fn(name).worstUs,
    culprit: (name) => fn(name).culprit,
    culprits: report.functions
      .filter((one) => one.culprit !== null)
      .toSorted((a, b) => worstPart(b) - worstPart(a))
      .map(({ name }) => name),
  };
}

/** The files of a recording in a folder, with one drawn profile. */
export function drawnRecording(folder: string, drawing: string | DrawnProfile, options: DrawnOptions = {}): Files {
  const files = Object.entries(recordingOf(0, options));
  const drawn = typeof drawing === 'string' ? drawProfile(drawing) : drawing;
  const profile = ['/rec/7-0-x.0.cpuprofile', JSON.stringify(drawn)] as const;
  return Object.fromEntries(
    [...files, profile].map(([path, text]): [string, string] => [path.replace('/rec', folder), text]),
  );
}

type Files = Readonly<Record<string, string>>;

function recordingOf(thread: number, options: DrawnOptions): Files {
  const isolate = `7-${thread}-x`;
  const { turns, turnLines = [], waits, tests, requests, isKilled = false, worker } = options;
  const at = (time: number): Microseconds => microseconds(drawnStart + time * 1000);
  const lines = pairsOf(turns ?? []).map(([start = 0, end = 0]): TurnLine => ['turn', at(start), at(end), -1]);
  const start: RecordingEvent = {
    type: 'start',
    isolate,
    pid: 7,
    threadId: thread,
    ppid: 1,
    argv: ['node', 'app.js'],
    execArgv: [],
    nodeVersion: options.nodeVersion ?? 'v20.0.0',
    at: microseconds(2_000_000),
  };
  const events: readonly RecordingEvent[] = [
    ...(worker === undefined ? [] : [{ type: 'worker', pid: 7, threadId: thread, kind: worker } as const]),
    start,
    ...(isKilled ? [] : [{ type: 'end', isolate, at: at(1000), reason: 'exit' } as const]),
  ];
  const manifest = {
    version: recordingVersion,
    command: ['node', 'app.js'],
    cwd: '/app',
    intervalUs: 1000,
    notes: [],
    ...options.manifest,
  };
  return {
    '/rec/recording.json': JSON.stringify(manifest),
    '/rec/events.jsonl': jsonLines(events),
    ...(turns === undefined ? {} : { [`/rec/${isolate}.turns.jsonl`]: jsonLines([...lines, ...turnLines]) }),
    ...(waits === undefined ? {} : { [`/rec/${isolate}.waits.jsonl`]: jsonLines(waits.map(readingOf)) }),
    ...(requests === undefined ? {} : { [`/rec/${isolate}.requests.jsonl`]: jsonLines(requestLines(requests)) }),
    ...(tests === undefined ? {} : { [`/rec/${isolate}.tests.jsonl`]: jsonLines(tests.map(onClock)) }),
  };
}

function pairsOf(turns: DrawnTurns): readonly (readonly number[])[] {
  return typeof turns === 'string' ? turns.split(' ').map((turn) => turn.split('-').map(Number)) : turns;
}

function requestLines(requests: readonly DrawnRequest[]): readonly RequestLine[] {
  const at = (time: number): number => (time < 0 ? -1 : Math.round(drawnStart + time * 1000));
  return [
    ['route', 0, 'GET', '/'],
    ['route', 1, 'GET', '/slow'],
    ...requests.map(({ slow = false, since = -1, start, end }) => {
      return ['request', slow ? 1 : 0, at(since), at(start), at(end)] as const;
    }),
  ];
}

function readingOf([before, at, wait]: WaitLine): WaitLine {
  return [drawnStart + before * 1000, drawnStart + at * 1000, wait * 1000];
}

function onClock([kind, time, ...rest]: TestLine): readonly unknown[] {
  return [kind, drawnStart + time * 1000, ...rest];
}

function jsonLines(values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('');
}
