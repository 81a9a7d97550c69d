import { type RecordingManifest, recordingVersion } from '../../protocol/recording.ts';
import { redactArguments } from '../../protocol/redact.ts';
import type { Microseconds } from '../../protocol/units.ts';
import type { AttachedProcess } from './attached-parts.ts';
import { findInspector } from './find-inspector.ts';
import { connectInspector, evaluate, type Fields, fieldsOf, type Inspector } from './inspector.ts';
import { finishManifest, makeFolder, writeManifest } from './record.ts';
import { defaultRecordingFolder } from './recording-folder.ts';
import { writeParts } from './write-parts.ts';

export interface AttachOptions {
  /** `9229`, `host:9229`, `ws://…` or `pid:123`. */
  readonly address: string;
  readonly cwd: string;
  readonly intervalUs: Microseconds;
  /** What all files of the recording may have together; null: no limit. */
  readonly mostBytes: number | null;
  /** Absolute; without it the default folder below `cwd`. */
  readonly out?: string;
  readonly hotspanVersion: string;
  readonly notes: readonly string[];
  readonly say: (sentence: string) => void;
  /** The person wants to see what there is. */
  readonly isStopped: AbortSignal;
  /** How long a part of the profile is, which the process holds in its memory; in ms, else one minute. */
  readonly partMs?: number;
}

export type AttachOutcome =
  | { readonly type: 'recorded'; readonly directory: string }
  /** One sentence. */
  | { readonly type: 'failed'; readonly message: string };

const inlinedNote =
  'Recorded by attaching to a running process: what V8 had inlined before counts for the caller, and turns of the event loop are inferred.';

/** Profiles a running process and its worker threads until stopped, by its inspector; the process goes on. */
export async function attach(options: AttachOptions): Promise<AttachOutcome> {
  const found = await findInspector(options.address);
  if (found.type === 'none') return failed(found.message);
  const workers = new Map<string, Profiled>();
  const state: { inspector: Inspector | null } = { inspector: null };
  const ending = new AbortController();
  const onEvent = (method: string, params: Fields): void => {
    if (method === 'NodeRuntime.waitingForDisconnect') ending.abort();
    if (state.inspector !== null) watchWorker(state.inspector, workers, method, params, options.intervalUs);
  };
  const inspector = await connectInspector(found.url, onEvent);
  if (inspector === null) return failed(`The inspector at ${options.address} takes no connection: is it in use?`);
  state.inspector = inspector;
  try {
    return await profile(inspector, workers, ending.signal, options);
  } finally {
    inspector.close();
  }
}

/** Something that answers to inspector commands: the main thread, or a worker through it. */
interface Profiled {
  readonly send: Inspector['send'];
  readonly answers: Map<number, (answer: Fields) => void>;
}

async function profile(
  inspector: Inspector,
  workers: ReadonlyMap<string, Profiled>,
  isEnding: AbortSignal,
  options: AttachOptions,
): Promise<AttachOutcome> {
  const facts = await factsOf(inspector);
  if (facts === null) return failed(`What listens at ${options.address} is no Node.js process.`);
  const startedAt = new Date();
  const directory = options.out ?? (await defaultRecordingFolder(options.cwd, startedAt));
  const manifest = manifestOf(options, facts, startedAt);
  const obstacle = (await makeFolder(directory)) ?? (await writeManifest(directory, manifest));
  if (obstacle !== null) return failed(obstacle);
  const problem = await start(inspector.send, options.intervalUs);
  if (problem !== null) return failed(`The profiler of process ${facts.pid} did not start: ${problem}.`);
  // A process that has come to its end waits for us to go: it tells, so that it has not to wait for long.
  await inspector.send('NodeRuntime.notifyWhenWaitingForDisconnect', { enabled: true });
  await inspector.send('NodeWorker.enable', { waitForDebuggerOnStart: false });
  options.say(
    `Attached to process ${facts.pid} (Node.js ${facts.version}). Press Ctrl+C to stop and see what blocked.`,
  );
  const { notes, isRecorded } = await writeParts(inspector, workers, facts, {
    ...options,
    directory,
    isStopped: AbortSignal.any([options.isStopped, isEnding]),
  });
  for (const note of notes) options.say(note);
  const unfinished = await finishManifest(directory, {
    ...manifest,
    notes: [...manifest.notes, ...notes],
    endedAt: new Date().toISOString(),
  });
  if (unfinished !== null) options.say(unfinished);
  return isRecorded
    ? { type: 'recorded', directory }
    : failed(`Process ${facts.pid} ended before its profile could be taken: record it from its start instead.`);
}

interface Facts extends AttachedProcess {
  readonly cwd: string;
  readonly environment: string | null;
}

async function factsOf({ send }: Inspector): Promise<Facts | null> {
  const value = await evaluate(
    send,
    'JSON.stringify([process.pid, process.version, process.cwd(), process.argv, process.env.NODE_ENV ?? null])',
  );
  const [pid, version, cwd, argv, environment]: readonly unknown[] =
    typeof value === 'string' ? listOf(JSON.parse(value)) : [];
  if (typeof pid !== 'number' || typeof version !== 'string' || typeof cwd !== 'string') return null;
  return {
    pid,
    version,
    cwd,
    argv: listOf(argv).map(String),
    environment: typeof environment === 'string' ? environment : null,
  };
}

/** Null, or why not. */
async function start(send: Inspector['send'], interval: number): Promise<string | null> {
  for (const [method, params] of [
    ['Profiler.enable', {}],
    ['Profiler.setSamplingInterval', { interval }],
    ['Profiler.start', {}],
  ] as const) {
    const answer = await send(method, params);
    if (answer instanceof Error) return answer.message;
  }
  return null;
}

/** Workers come and go; each is profiled from when it is heard of. */
function watchWorker(
  inspector: Inspector,
  workers: Map<string, Profiled>,
  method: string,
  params: Fields,
  intervalUs: number,
): void {
  const id = String(params['sessionId']);
  if (method === 'NodeWorker.attachedToWorker') {
    const worker = throughMain(inspector, id);
    workers.set(id, worker);
    void start(worker.send, intervalUs);
  }
  if (method === 'NodeWorker.detachedFromWorker') workers.delete(id);
  if (method === 'NodeWorker.receivedMessageFromWorker') {
    const message = fieldsOf(JSON.parse(String(params['message'])));
    workers.get(id)?.answers.get(Number(message['id']))?.(fieldsOf(message['result']));
  }
}

function throughMain(inspector: Inspector, sessionId: string): Profiled {
  const answers = new Map<number, (answer: Fields) => void>();
  const state = { id: 0 };
  return {
    answers,
    send: async (method, params = {}) => {
      state.id += 1;
      const { id } = state;
      const answer = new Promise<Fields>((resolve) => {
        answers.set(id, resolve);
      });
      const message = JSON.stringify({ id, method, params });
      const sent = await inspector.send('NodeWorker.sendMessageToWorker', { sessionId, message });
      return sent instanceof Error ? sent : Promise.race([answer, closed(inspector.isOver)]);
    },
  };
}

async function closed(isOver: AbortSignal): Promise<Error> {
  return new Promise((resolve) => {
    isOver.addEventListener('abort', () => resolve(new Error('the connection was closed')), { once: true });
  });
}

function manifestOf(options: AttachOptions, facts: Facts, startedAt: Date): RecordingManifest {
  return {
    version: recordingVersion,
    hotspanVersion: options.hotspanVersion,
    command: redactArguments(['node', ...facts.argv.slice(1)]),
    cwd: facts.cwd,
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
