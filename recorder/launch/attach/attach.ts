import { type RecordingManifest, recordingVersion } from '../../../protocol/recording.ts';
import { redactArguments } from '../../command-lines/redact.ts';
import type { Microseconds } from '../../../protocol/units.ts';
import { AttachedWorkers, startProfiler } from './attached-workers.ts';
import { answersStill, findInspector } from './find-inspector.ts';
import { connectInspector, evaluate, type EventFacts, type Inspector } from './inspector.ts';
import { writeParts, type AttachedProcess } from './write-parts.ts';
import { defaultRecordingFolder } from '../../../recordings/default-folder.ts';
import { begin, finishManifest, makeFolder } from '../run/recording-folder.ts';

export interface AttachOptions {
  /** `9229`, `host:9229`, `ws://…` or `pid:123`. */
  readonly address: string;
  readonly cwd: string;
  readonly intervalUs: Microseconds;
  /** The most bytes that all files of the recording may have together; null: no limit. */
  readonly mostBytes: number | null;
  /** Absolute path; without it, the default folder below `cwd`. */
  readonly out?: string;
  readonly hotspanVersion: string;
  readonly notes: readonly string[];
  readonly say: (sentence: string) => void;
  /** Aborted when the person wants to stop and see the result. */
  readonly isStopped: AbortSignal;
  /** Aborted when the person does not want to wait for the rest of the profile either. */
  readonly isGivenUp?: AbortSignal;
  /**
   * Length of a part of the profile in ms; the process holds a part in its memory. One minute where it is not given.
   */
  readonly partMs?: number;
}

export type AttachOutcome =
  | { readonly type: 'recorded'; readonly directory: string }
  /** One sentence. */
  | { readonly type: 'failed'; readonly message: string };

const inlinedNote =
  'Recorded by attaching to a running process: what V8 had inlined before counts for the caller, and turns of the event loop are inferred.';

/** Profiles a running process and its worker threads through its inspector until stopped; the process goes on. */
export async function attach(options: AttachOptions): Promise<AttachOutcome> {
  const found = await findInspector(options.address, options.isGivenUp);
  if (found.type === 'none') return failed(found.message);
  const workers = new AttachedWorkers();
  const state: { inspector: Inspector | null } = { inspector: null };
  const ending = new AbortController();
  const onEvent = (method: string, params: EventFacts): void => {
    if (method === 'NodeRuntime.waitingForDisconnect') ending.abort();
    if (state.inspector !== null) workers.hear(state.inspector, method, params, options.intervalUs);
  };
  const inspector = await connectInspector(found.url, onEvent);
  if (inspector === null) {
    const rest = found.isOurs ? ' It was opened for this, and listens until the process ends.' : '';
    return failed(`The inspector at ${options.address} takes no connection: is it in use?${rest}`);
  }
  state.inspector = inspector;
  const giveUp = (): void => {
    inspector.giveUp();
    workers.giveUp();
    // This is said at once: the person who gives up may end Hotspan before the inspector is closed.
    if (found.isOurs && !ending.signal.aborted) options.say(listensStillNote(options));
  };
  options.isGivenUp?.addEventListener('abort', giveUp, { once: true });
  try {
    if (options.isGivenUp?.aborted === true) giveUp();
    return await profile(inspector, workers, ending.signal, options);
  } finally {
    options.isGivenUp?.removeEventListener('abort', giveUp);
    // A process that has come to its end only waits for us to disconnect.
    await leave(inspector, found.isOurs && !ending.signal.aborted ? found.url : null, options);
  }
}

/** Disconnects. `opened` is the inspector's address where it was opened for us, so that we also close it. */
async function leave(inspector: Inspector, opened: string | null, options: AttachOptions): Promise<void> {
  const isOurs = opened !== null && !inspector.isOver.aborted;
  const isTaken = await inspector.close(isOurs ? closeIt : null, closing);
  if (!isOurs || !(await answersStill(opened))) return;
  if (!isTaken) options.say(`The inspector that was opened for ${options.address} listens until the process ends.`);
  else if (options.isGivenUp?.aborted !== true) options.say(listensStillNote(options));
}

function listensStillNote({ address }: AttachOptions): string {
  return `The inspector that was opened for ${address} still listens: it closes when the process is no longer held up, at the latest when it ends.`;
}

/** The program may have replaced its global `process`, or its global `require`. */
const closeIt = 'try { require("inspector").close() } catch { process._debugEnd() }';

/** Longest wait in ms for the inspector to close. A process whose event loop is blocked closes it later. */
const closing = 2000;

async function profile(
  inspector: Inspector,
  workers: AttachedWorkers,
  isEnding: AbortSignal,
  options: AttachOptions,
): Promise<AttachOutcome> {
  const facts = await factsOf(inspector);
  if (facts === null) return failed(silentNote(inspector, options));
  const startedAt = new Date();
  const directory = options.out ?? (await defaultRecordingFolder(options.cwd, startedAt));
  const manifest = manifestOf(options, facts, startedAt);
  const obstacle = (await makeFolder(directory)) ?? (await begin(directory, manifest));
  if (obstacle !== null) return failed(obstacle);
  const problem = await startProfiler(inspector.send, options.intervalUs);
  if (problem !== null) return failed(`The profiler of process ${facts.pid} did not start: ${problem}.`);
  // A process that has come to its end waits for us to disconnect: with this it tells us, so that it need not wait
  // long.
  await inspector.send('NodeRuntime.notifyWhenWaitingForDisconnect', { enabled: true });
  await inspector.send('NodeWorker.enable', { waitForDebuggerOnStart: false });
  options.say(
    `Attached to process ${facts.pid} (Node.js ${facts.version}). Press Ctrl+C to stop and see what blocked.`,
  );
  const { notes: ends, isRecorded } = await writeParts(inspector, workers, facts, {
    ...options,
    directory,
    isStopped: AbortSignal.any([options.isStopped, isEnding]),
  });
  const notes = options.isGivenUp?.aborted === true ? [givenUpNote] : ends;
  for (const note of notes) options.say(note);
  const unfinished = await finishManifest(directory, {
    ...manifest,
    notes: [...manifest.notes, ...notes],
    endedAt: new Date().toISOString(),
  });
  if (unfinished !== null) options.say(unfinished);
  return isRecorded ? { type: 'recorded', directory } : failed(nothingNote(inspector, options, facts));
}

function nothingNote(inspector: Inspector, options: AttachOptions, { pid }: Facts): string {
  return options.isGivenUp?.aborted === true
    ? silentNote(inspector, options)
    : `Process ${pid} ended before its profile could be taken: record it from its start instead.`;
}

function silentNote({ isOver }: Inspector, { address, isGivenUp }: AttachOptions): string {
  if (isGivenUp?.aborted === true)
    return `The process at ${address} had told nothing yet: wait for it after the first Ctrl+C.`;
  return isOver.aborted
    ? `The process at ${address} ended, or was left by its inspector, before it told anything.`
    : `What listens at ${address} is no Node.js process.`;
}

const givenUpNote = 'The last part of the profile was not waited for, and is missing.';

interface Facts extends AttachedProcess {
  /** Working folder of the process; null where it was deleted and its path is not known. */
  readonly cwd: string | null;
  readonly environment: string | null;
}

/**
 * Evaluated in the process. The program may have replaced its global `process`, and `cwd()` throws where the working
 * folder was deleted.
 */
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
    notes: [...options.notes, inlinedNote],
    environment: { NODE_ENV: facts.environment, coverage: false },
  };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function failed(message: string): AttachOutcome {
  return { type: 'failed', message };
}
