import { listOf } from '../../../protocol/json-value.ts';
import { failed, type Failure } from '../../../protocol/failure.ts';
import { type RecordingManifest, recordingVersion, stopFile } from '../../../protocol/recording.ts';
import { type AttachedProcess, type AttachedThread, beginThread, type ThreadOptions } from './attached-thread.ts';
import type { EventFacts, Inspector, ThreadInspector } from './inspector.ts';
import { connectInspector, evaluate, ThreadEvents } from './inspector.ts';
import { answersStill, type FoundInspector, findInspector, hasOtherClients } from './find-inspector.ts';
import { defaultRecordingFolder } from '../../../recordings/default-folder.ts';
import { begin, finishManifest, makeFolder, type RecordingOptions } from '../run/recording-folder.ts';
import { reasonOf } from '../../../recordings/private-files.ts';
import { redactArguments } from '../../command-lines/redact.ts';
import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { watchingWaits } from '../run/watch-waits.ts';

export interface AttachOptions extends RecordingOptions {
  /** `9229`, `host:9229`, `ws://…` or `pid:123`. */
  readonly address: string;
  /** The bundled `dist/attached.cjs`, which is loaded into the process; null: nothing is. */
  readonly recorderFile: string | null;
  readonly say: (sentence: string) => void;
  /** Aborted when the user wants to stop and see the result. */
  readonly isStopped: AbortSignal;
  /** Aborted when the user does not want to wait for the rest of the profile either. */
  readonly isGivenUp?: AbortSignal;
  /** Length of a part of the profile in ms; the process holds a part in its memory. Default: one minute. */
  readonly partMs?: number;
}

export type AttachOutcome =
  | { readonly type: 'recorded'; readonly directory: string }
  /** One sentence. */
  | Failure;

const inlinedNote = 'Recorded by attaching to a running process: what V8 had inlined before counts for the caller.';

const inferredNote =
  'Nothing could be loaded into the process, so its turns of the event loop are inferred: calls of several requests may count as one operation.';

/** Profiles a running process and its worker threads through its inspector until stopped; the process goes on. */
export async function attach(options: AttachOptions): Promise<AttachOutcome> {
  const found = await findInspector(options.address, options.isGivenUp);
  if (found.type === 'none') return failed(found.message);
  const ending = new AbortController();
  const threads = new AttachedThreads();
  const state: { inspector: Inspector | null } = { inspector: null };
  const onEvent = (method: string, params: EventFacts): void => {
    if (method === 'NodeRuntime.waitingForDisconnect') ending.abort();
    if (state.inspector !== null) threads.events.hear(state.inspector, method, params);
  };
  const inspector = await connectInspector(found.url, onEvent);
  if (inspector === null) {
    const rest = found.openedIn !== null ? ' It was opened for this, and listens until the process ends.' : '';
    return failed(`The inspector at ${options.address} takes no connection: is it in use?${rest}`);
  }
  state.inspector = inspector;
  const giveUp = (): void => {
    threads.leave();
    inspector.giveUp();
    threads.events.giveUp();
    // At once: the user who gives up may end Hotspan before the inspector is closed.
    if (found.openedIn !== null && !ending.signal.aborted) options.say(listensStillNote(options));
  };
  options.isGivenUp?.addEventListener('abort', giveUp, { once: true });
  try {
    if (options.isGivenUp?.aborted === true) giveUp();
    return await profile(inspector, threads, ending.signal, options);
  } finally {
    options.isGivenUp?.removeEventListener('abort', giveUp);
    // Where the end was not regular, and in workers whose last part was not asked for.
    threads.leave();
    // A process at its end only waits for the disconnection.
    await leave(inspector, { ...found, openedIn: ending.signal.aborted ? null : found.openedIn }, options);
  }
}

/** Disconnects, and closes the inspector where it was opened for the attachment, unless others use it. */
async function leave(
  inspector: Inspector,
  { url, openedIn }: Pick<Extract<FoundInspector, { type: 'found' }>, 'url' | 'openedIn'>,
  options: AttachOptions,
): Promise<void> {
  const isOurs = openedIn !== null && !inspector.isOver.aborted;
  const isShared = isOurs && (await hasOtherClients(url, openedIn));
  const isTaken = await inspector.close(isOurs && !isShared ? closeInspector : null, MAX_CLOSING_MS);
  if (!isOurs || !(await answersStill(url))) return;
  const opened = `The inspector that was opened for ${options.address}`;
  if (isShared) options.say(`${opened} listens until the process ends, as another client is connected to it.`);
  else if (!isTaken) options.say(`${opened} listens until the process ends.`);
  else if (options.isGivenUp?.aborted !== true) options.say(listensStillNote(options));
}

function listensStillNote({ address }: AttachOptions): string {
  return `The inspector that was opened for ${address} still listens: it closes when the process is no longer held up, at the latest when it ends.`;
}

/** The program may have replaced its global `process`, or its global `require`. */
const closeInspector = 'try { require("inspector").close() } catch { process._debugEnd() }';

/** Limit for the wait until the inspector closes. A process whose event loop is blocked closes it later. */
const MAX_CLOSING_MS = 2000;

async function profile(
  inspector: Inspector,
  threads: AttachedThreads,
  isEnding: AbortSignal,
  options: AttachOptions,
): Promise<AttachOutcome> {
  const facts = await factsOf(inspector);
  if (facts === null) return failed(await silentNote(inspector, options));
  const startedAt = new Date();
  const directory = options.out ?? (await defaultRecordingFolder(options.cwd, startedAt));
  const manifest = manifestOf(options, facts, startedAt);
  const obstacle = (await makeFolder(directory)) ?? (await begin(directory, manifest));
  if (obstacle !== null) return failed(obstacle);
  const recorderText = options.recorderFile === null ? null : await readFile(options.recorderFile, 'utf8');
  const { problem, isMeasured } = await threads.begin(inspector, facts, {
    ...{ directory, recorderText, intervalUs: options.intervalUs },
  });
  if (problem !== null) return failed(`The profiler of process ${facts.pid} did not start: ${problem}.`);
  // A process at its end waits for the disconnection, and with this announces that.
  await inspector.send('NodeRuntime.notifyWhenWaitingForDisconnect', { enabled: true });
  await inspector.send('NodeWorker.enable', { waitForDebuggerOnStart: false });
  options.say(
    `Attached to process ${facts.pid} (Node.js ${facts.version}). Press Ctrl+C to stop and see what blocked.`,
  );
  const isStopped = AbortSignal.any([options.isStopped, isEnding, inspector.isOver]);
  const written = await watchingWaits(directory, async () =>
    writeParts(threads, facts, { ...options, directory, isStopped }),
  );
  const notes = [
    ...(isMeasured ? [] : [inferredNote]),
    ...(options.isGivenUp?.aborted === true ? [givenUpNote] : written.notes),
  ];
  for (const note of notes) options.say(note);
  const unfinished = await finishManifest(directory, {
    ...manifest,
    notes: [...manifest.notes, ...notes],
    endedAt: new Date().toISOString(),
  });
  if (unfinished !== null) options.say(unfinished);
  return written.isRecorded ? { type: 'recorded', directory } : failed(nothingNote(options, facts, written));
}

function nothingNote({ address, isGivenUp }: AttachOptions, { pid }: Facts, { isGone }: WrittenParts): string {
  if (isGivenUp?.aborted === true) return unansweredNote(address);
  return isGone
    ? `Process ${pid} ended, or its inspector was closed, before its profile could be taken: attach again, or record it from its start.`
    : `Nothing of process ${pid} was recorded.`;
}

function unansweredNote(address: string): string {
  return `The process at ${address} has not answered yet: wait for it after the first Ctrl+C.`;
}

async function silentNote({ send, isOver }: Inspector, { address, isGivenUp }: AttachOptions): Promise<string> {
  // Node has its version before it can load modules.
  const isNode = /^v\d/.test(String(await evaluate(send, 'process.version')));
  if (isGivenUp?.aborted === true) return unansweredNote(address);
  if (isOver.aborted) return `The process at ${address} ended, or closed its inspector, before it answered.`;
  return isNode
    ? `The process at ${address} waits for a debugger (--inspect-brk, --inspect-wait): start it with --inspect.`
    : `What listens at ${address} is not a Node.js process.`;
}

const givenUpNote = 'The last part of the profile was not waited for, and is missing.';

interface Facts extends AttachedProcess {
  /** Working folder of the process; null where it was deleted and its path is not known. */
  readonly cwd: string | null;
  readonly environment: string | null;
}

/** The program may have replaced its global `process`, and `cwd()` throws where the working folder was deleted. */
const askFacts = `(() => {
  const own = typeof require === 'function' ? require('process') : process;
  const folder = () => { try { return own.cwd(); } catch { return own.env.PWD ?? null; } };
  return [own.pid, own.version, folder(), own.argv, own.env.NODE_ENV ?? null];
})()`;

async function factsOf({ send }: Inspector): Promise<Facts | null> {
  const [pid, version, cwd, argv, environment] = listOf(await evaluate(send, askFacts));
  if (typeof version !== 'string') return null;
  return {
    pid: Number(pid),
    version,
    cwd: typeof cwd === 'string' ? cwd : null,
    argv: listOf(argv).map(String),
    environment: typeof environment === 'string' ? environment : null,
  };
}

function manifestOf(options: AttachOptions, facts: Facts, startedAt: Date): RecordingManifest {
  return {
    version: recordingVersion,
    hotspanVersion: options.hotspanVersion,
    command: redactArguments(['node', ...facts.argv.slice(1)]),
    cwd: facts.cwd ?? options.cwd,
    startedAt: startedAt.toISOString(),
    endedAt: null,
    exitCode: null,
    signal: null,
    intervalUs: options.intervalUs,
    mostBytes: options.mostBytes,
    evaluated: facts.argv.length < 2,
    attached: true,
    notes: [...options.notes, inlinedNote],
    environment: { NODE_ENV: facts.environment, coverage: false },
  };
}

/** The recorded threads of a process: its main thread, and each worker from the moment that it is reported. */
export class AttachedThreads {
  readonly events = new ThreadEvents(
    (id, worker) => this.add(id, worker),
    (id) => this.remove(id),
  );
  /** Number of workers that have ended since the attachment. */
  ended = 0;
  private main: AttachedThread | null = null;
  private readonly workers = new Map<string, Promise<AttachedThread>>();
  private readonly known: Promise<AttachedThread>[] = [];
  private add: (id: string, worker: ThreadInspector) => void = () => {};

  async begin(
    { send }: Pick<Inspector, 'send'>,
    process: AttachedProcess,
    options: ThreadOptions,
  ): Promise<AttachedThread> {
    this.add = (id, worker) => {
      const thread = beginThread(worker, id, process, options);
      // The next part reports why a worker cannot be recorded.
      thread.catch(() => {});
      this.workers.set(id, thread);
      this.known.push(thread);
    };
    this.main = await beginThread({ send, onBinding: this.events.onBinding }, null, process, options);
    return this.main;
  }

  /** Writes a part of each thread, of workers up to a number of bytes. */
  async write(goesOn: boolean, mostBytes: number): Promise<{ readonly bytes: number; readonly isGone: boolean }> {
    let bytes = 0;
    // A copy of the list: new workers would prolong the loop.
    for (const thread of [...this.workers.values()]) {
      if (bytes >= mostBytes) break;
      bytes += (await (await thread).write(goesOn)) ?? 0;
    }
    const written = (await this.main?.write(goesOn)) ?? null;
    return { bytes: bytes + (written ?? 0), isGone: written === null };
  }

  async end(): Promise<void> {
    await this.main?.end();
    for (const thread of this.known) await (await thread).end();
  }

  beat(): void {
    this.main?.beat();
    this.toWorkers((worker) => worker.beat());
  }

  leave(): void {
    this.main?.leave();
    this.toWorkers((worker) => worker.leave());
  }

  private toWorkers(call: (worker: AttachedThread) => void): void {
    for (const thread of this.workers.values()) void thread.then(call, () => {});
  }

  private remove(id: string): void {
    if (this.workers.delete(id)) this.ended += 1;
  }
}

export interface PartsOptions extends Pick<AttachOptions, 'mostBytes' | 'isStopped' | 'partMs'> {
  readonly directory: string;
}

interface WrittenParts {
  /** Sentences for the user about what is missing. */
  readonly notes: readonly string[];
  /** Whether any part was written. */
  readonly isRecorded: boolean;
  /** The process ended, or its inspector was closed: these look alike from here. */
  readonly isGone: boolean;
}

/**
 * Writes the running profiles of a process and its workers, part by part, until it is stopped, the process ends, the
 * limit is reached, or nothing more can be written.
 */
export async function writeParts(
  threads: Pick<AttachedThreads, 'beat' | 'write' | 'end' | 'ended'>,
  process: AttachedProcess,
  { directory, mostBytes, isStopped, partMs = 60_000 }: PartsOptions,
): Promise<WrittenParts> {
  const state = { bytes: 0, isGone: false };
  const notes: string[] = [];
  const beating = setInterval(() => threads.beat(), BEAT_MS);
  try {
    while (notes.length === 0) {
      const goesOn = !(await isOverIn(partMs, isStopped, directory));
      const { bytes, isGone } = await threads.write(goesOn, (mostBytes ?? Infinity) - state.bytes);
      state.bytes += bytes;
      state.isGone = isGone;
      if (isGone && state.bytes > 0) notes.push(endedNote(process, partMs));
      else if (goesOn && mostBytes !== null && state.bytes >= mostBytes) notes.push(fullNote(mostBytes));
      if (isGone || !goesOn) break;
    }
    await threads.end();
  } catch (error) {
    notes.push(unwrittenNote(directory, error));
  } finally {
    clearInterval(beating);
  }
  if (threads.ended > 0) notes.push(endedWorkersNote(threads.ended, partMs));
  return { notes, isRecorded: state.bytes > 0, isGone: state.isGone };
}

/** The recorder in the process leaves after half a minute without one. */
const BEAT_MS = 5000;

/** V8 gives a thread's profile only while the thread runs. */
function endedWorkersNote(ended: number, partMs: number): string {
  const [threads, whose] = ended === 1 ? ['1 worker thread', 'its'] : [`${ended} worker threads`, 'their'];
  return `${threads} ended meanwhile: what ran in ${whose} last ${Math.ceil(partMs / 1000)} s is missing. Record the process from its start instead: then nothing is.`;
}

function unwrittenNote(directory: string, error: unknown): string {
  return `A part of the profile could not be written to ${directory} (${reasonOf(error)}), so the recording ends before it: make room there, or choose another folder with --out.`;
}

function endedNote({ pid }: AttachedProcess, partMs: number): string {
  return `Process ${pid} ended, or its inspector was closed: what it did in its last ${Math.ceil(partMs / 1000)} s may be missing.`;
}

function fullNote(mostBytes: number): string {
  return `The recording reached its limit of ${mostBytes / 1e6} MB and was stopped, the process goes on: record a shorter time, or raise --max-size.`;
}

/** Waits `limit` ms; resolves earlier with true where the process has ended, the user stops, or the `stop` file appears. */
async function isOverIn(limit: number, isEnded: AbortSignal, directory: string): Promise<boolean> {
  const since = performance.now();
  while (performance.now() - since < limit) {
    if (isEnded.aborted || existsSync(path.join(directory, stopFile))) return true;
    await delay(100);
  }
  return false;
}
