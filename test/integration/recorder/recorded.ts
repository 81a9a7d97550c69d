import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { TestContext } from 'node:test';
import { textOfDataUrl } from '../../../engine/read/sourcemap/script-maps.ts';
import { busyFor } from '../../helpers/busy-for.ts';
import { write } from '../../helpers/temporary-repository.ts';
import {
  clockMarker,
  eventsFile,
  mapsSuffix,
  requestsSuffix,
  turnsSuffix,
  v8LogSuffix,
} from '../../../protocol/recording.ts';
import type { RecordingEvent, RequestLine, TurnLine, WrittenMapLine } from '../../../protocol/recording-lines.ts';

/** How a program ended and what it said. */
export interface Ended {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The folder of a small program, removed with its test. Files beside `busy.js` can `require('./busy')`. */
export function program(t: TestContext, files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'hotspan-program-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  write(folder, { 'busy.js': busy, ...files });
  return folder;
}

const busy = `
const { performance } = require('perf_hooks');
/** For ms of processor time, however long that takes, in which a sampler sees it. */
exports.busyTarget = function busyTarget(ms) {
  ${busyFor('ms')}
};
`;

/** Runs it as it is. */
export async function bare(folder: string, command: readonly string[]): Promise<Ended> {
  const [file = '', ...args] = command;
  const child = spawn(file, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  return ended(child);
}

export type Outcome = Ended & { readonly unfinished?: string | null; readonly message?: string };

export interface Recording {
  readonly directory: string;
  /** How the command ended, as `record` reports it. */
  readonly ended: Promise<Outcome>;
  /** The process that runs `record`. */
  readonly recorder: ChildProcess;
}

export interface RecordingOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly kind?: 'profile' | 'tiers';
  /** In a process group of its own, as a terminal makes one. */
  readonly detached?: boolean;
}

/** Runs it under `record`, in `cwd`; the recording goes to `out` below the folder. */
export function recording(
  folder: string,
  command: readonly string[],
  { env = process.env, cwd = folder, kind = 'profile', detached = false }: RecordingOptions = {},
): Recording {
  const directory = path.join(folder, 'out');
  const args = [
    fileURLToPath(import.meta.resolve('./run-record.ts')),
    directory,
    path.join(folder, 'home'),
    kind,
    ...command,
  ];
  const recorder = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached });
  return { directory, ended: outcomeOf(recorder), recorder };
}

/** Records it to its end, which has to be that of a program that ends well. */
export async function recorded(folder: string, command: readonly string[], options?: RecordingOptions) {
  const { directory, ended } = recording(folder, command, options);
  const { exitCode, stdout, stderr } = await ended;
  assert.equal(exitCode, 0, stderr);
  return { directory, stdout, stderr };
}

/** Runs it as it is and records it: both have to end and to say the same. The recording's folder. */
export async function recordedAlike(folder: string, command: readonly string[], options?: RecordingOptions) {
  const without = await bare(folder, command);
  const { directory, ended } = recording(folder, command, options);
  const { exitCode, signal, stdout, stderr } = await ended;
  assert.deepEqual({ exitCode, signal, stdout, stderr }, without);
  return directory;
}

async function outcomeOf(recorder: ChildProcess): Promise<Outcome> {
  const { stdout, stderr } = await ended(recorder);
  const end = stderr.lastIndexOf('\n');
  const outcome: unknown = JSON.parse(stderr.slice(end));
  if (!isOutcome(outcome)) throw new Error(stderr);
  return { ...outcome, stdout, stderr: stderr.slice(0, end) };
}

async function ended(child: ChildProcess): Promise<Ended> {
  if (child.stdout === null || child.stderr === null) throw new Error('no pipes');
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { exitCode: child.exitCode, signal: child.signalCode, stdout, stderr };
}

/** Files of a recording whose name ends so. */
export function filesOf(directory: string, suffix: string): readonly string[] {
  return readdirSync(directory).filter((file) => file.endsWith(suffix));
}

/** What its processes have told. */
function eventsOf(directory: string): readonly RecordingEvent[] {
  return linesOf(directory, eventsFile).filter(isEvent);
}

/** The events of one type. */
export function eventsOfType<Type extends RecordingEvent['type']>(
  directory: string,
  type: Type,
): readonly Extract<RecordingEvent, { type: Type }>[] {
  const isWanted = (event: RecordingEvent): event is Extract<RecordingEvent, { type: Type }> => event.type === type;
  return eventsOf(directory).filter(isWanted);
}

/** Source maps as they were compiled, in plain text. */
export function mapsOf(directory: string): readonly WrittenMapLine[] {
  const lines = linesOf(directory, mapsSuffix).filter(isMap);
  const plain = (map: string): string => (map.startsWith('data:') ? (textOfDataUrl(map) ?? map) : map);
  return lines.map((line) => ('map' in line ? { ...line, map: plain(line.map) } : line));
}

/** Number of its threads that sampled a function of this name. A run that takes long has a profile in several parts. */
export function profilesWith(directory: string, functionName: string): number {
  const parts = filesOf(directory, '.cpuprofile').filter((file) =>
    readFileSync(path.join(directory, file), 'utf8').includes(`"functionName":"${functionName}"`),
  );
  return new Set(parts.map((file) => file.replace(/\.\d+\.cpuprofile$/, ''))).size;
}

/** Durations of its turns of at least `least` ms, longest first, in ms. */
export function turnsOf(directory: string, least: number): readonly number[] {
  return turnLinesOf(directory)
    .map(([, start, end]) => (end - start) / 1000)
    .filter((ms) => ms >= least)
    .toSorted((a, b) => b - a);
}

/** Its turns, as they were written. */
export function turnLinesOf(directory: string): readonly Extract<TurnLine, readonly ['turn', ...unknown[]]>[] {
  const isTurnLine = (line: TurnLine) => line[0] === 'turn';
  return linesOf(directory, turnsSuffix).filter(isTurn).filter(isTurnLine);
}

/** The recorder's own work of 0.2 ms and more: from when to when. */
export function ownLinesOf(directory: string): readonly Extract<TurnLine, readonly ['own', ...unknown[]]>[] {
  const isOwnLine = (line: TurnLine) => line[0] === 'own';
  return linesOf(directory, turnsSuffix).filter(isTurn).filter(isOwnLine);
}

/** The lines of its files whose name ends so, each as its JSON. */
export function linesOf(directory: string, suffix: string): readonly unknown[] {
  const texts = filesOf(directory, suffix).map((file) => readFileSync(path.join(directory, file), 'utf8'));
  const lines = texts.flatMap((content) => content.split('\n')).filter((line) => line !== '');
  return lines.map((line): unknown => JSON.parse(line));
}

/** What it has of requests. */
export function requestLinesOf(directory: string): readonly RequestLine[] {
  return linesOf(directory, requestsSuffix).filter(isRequestLine);
}

/** `GET /orders` of each route, in the order in which they were asked for. */
export function routesOf(directory: string): readonly string[] {
  return requestLinesOf(directory).flatMap((line) => (line[0] === 'route' ? [`${line[2]} ${line[3]}`] : []));
}

const has = (value: unknown, key: string): boolean => typeof value === 'object' && value !== null && key in value;
const isOutcome = (value: unknown): value is Outcome => has(value, 'type');
const isEvent = (value: unknown): value is RecordingEvent => has(value, 'type');
const isMap = (value: unknown): value is WrittenMapLine => has(value, 'url');
const isRequestLine = (value: unknown): value is RequestLine => Array.isArray(value);
const isTurn = (value: unknown): value is TurnLine => Array.isArray(value);

/** Options of a recording of tiers, in which `node` is this one. */
export function tiersWith(node: string): RecordingOptions {
  const PATH = `${path.dirname(node)}${path.delimiter}${process.env['PATH']}`;
  return { env: { ...process.env, PATH, NODE_TEST_CONTEXT: undefined }, kind: 'tiers' };
}

/** The logs in a recording: whose they are, and how many ticks there are in each. */
export function v8LogsOf(
  directory: string,
): readonly { readonly isolate: string; readonly ticks: number; readonly text: string }[] {
  return filesOf(directory, v8LogSuffix).map((file) => {
    const text = readFileSync(path.join(directory, file), 'utf8');
    const [, pid, thread] = new RegExp(String.raw`${clockMarker}(\d+):(\d+):`).exec(text) ?? [];
    return { isolate: `${pid}-${thread}`, ticks: text.split('\ntick,').length - 1, text };
  });
}

/** `<pid>-<threadId>` of those that have told their start. */
export function isolatesOf(directory: string): readonly string[] {
  return eventsOfType(directory, 'start').map(({ pid, threadId }) => `${pid}-${threadId}`);
}
