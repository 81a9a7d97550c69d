import { fieldsOf, listOf } from '../../../protocol/json-value.ts';
import { readFileSync, readlinkSync } from 'node:fs';
import { appendFile, writeFile } from 'node:fs/promises';
import type { Profiler } from 'node:inspector';
import path from 'node:path';
import type { ThreadFacts } from '../../../protocol/recording-lines.ts';
import { profileSuffix, requestsSuffix, turnsSuffix } from '../../../protocol/recording.ts';
import { type Microseconds, microseconds } from '../../../protocol/units.ts';
import { appending } from '../../../recordings/private-files.ts';
import { redactArguments } from '../../command-lines/redact.ts';
import { appendEvents } from '../run/recording-folder.ts';
import { evaluate, type Inspector, parse, type ThreadInspector, type Unchecked } from './inspector.ts';

/** What a running process says about itself. */
export interface AttachedProcess {
  readonly pid: number;
  readonly version: string;
  readonly argv: readonly string[];
}

export interface ThreadOptions {
  readonly directory: string;
  readonly intervalUs: Microseconds;
  /** `dist/attached.cjs`, which measures turns and requests; null where nothing is to be loaded into the program. */
  readonly recorderText: string | null;
}

/** The recording of one thread: its profile in parts, so that the process need not hold all of it, and its turns. */
export interface AttachedThread {
  /** Writes what was sampled since the last call. Resolves with its length; null where the thread has ended. */
  readonly write: (goesOn: boolean) => Promise<number | null>;
  /** Writes a last part and notes the end of the thread, which would count as killed. */
  readonly end: () => Promise<void>;
  /** Tells the recorder in the thread that someone is there. */
  readonly beat: () => void;
  /** Asks the recorder to leave, and does not wait. */
  readonly leave: () => void;
  /** Whether its turns are measured. */
  readonly isMeasured: boolean;
  /** Why it cannot be profiled; null where it is. */
  readonly problem: string | null;
}

/** Starts to record a thread. `id`: of a worker's session, or null for the main thread. */
export async function beginThread(
  thread: ThreadInspector,
  id: string | null,
  process: AttachedProcess,
  options: ThreadOptions,
): Promise<AttachedThread> {
  const { send } = thread;
  const threadId = id === null ? 0 : await threadOf(send, id);
  const isolate = `${process.pid}-${threadId}-${Date.now().toString(36)}`;
  const lines = new LineFiles(options.directory, isolate);
  const recorder = await loadRecorder(thread, lines, isolate, options.recorderText);
  const problem = await startProfiler(send, recorder, options.intervalUs);
  const parts = new Parts(send, recorder, { process, threadId, isolate, directory: options.directory });
  if (recorder !== null) await parts.begin(recorder.facts.at, recorder.facts);
  return {
    write: async (goesOn) => parts.write(goesOn),
    end: async () => {
      await lines.written();
      await parts.end();
    },
    beat: () => void recorder?.call('beat'),
    leave: () => void recorder?.call('end'),
    isMeasured: recorder !== null,
    problem,
  };
}

/** The id of a worker's thread; its number in the inspector where the worker does not answer. */
async function threadOf(send: Inspector['send'], id: string): Promise<number> {
  const known = await evaluate(send, 'require("node:worker_threads").threadId');
  return typeof known === 'number' ? known : Number(id);
}

/**
 * Starts the CPU profiler. Null where it runs; else why not. The start takes up to 0.2 s, in which V8 reads all code: that
 * counts as the work of the recorder, not of the program.
 */
async function startProfiler(
  send: Inspector['send'],
  recorder: LoadedRecorder | null,
  interval: number,
): Promise<string | null> {
  const enabled = send('Profiler.enable', {});
  const set = send('Profiler.setSamplingInterval', { interval });
  void recorder?.call('pause');
  const started = send('Profiler.start', {});
  const resumed = recorder?.call('resume');
  const failure = (await Promise.all([enabled, set, started])).find((answer) => answer instanceof Error);
  await resumed;
  return failure?.message ?? null;
}

/** The recorder in a thread (`recorder/preload/attached.ts`). */
interface LoadedRecorder {
  readonly facts: ThreadFacts;
  readonly call: (work: 'pause' | 'resume' | 'beat' | 'end') => Promise<unknown>;
}

/** Loads the recorder; null where there is no `require`, or the thread is recorded already. */
async function loadRecorder(
  { send, onBinding }: ThreadInspector,
  lines: LineFiles,
  isolate: string,
  recorderText: string | null,
): Promise<LoadedRecorder | null> {
  if (recorderText === null) return null;
  const binding = `hotspan_${isolate.replaceAll('-', '_')}`;
  onBinding(binding, (text) => lines.append(text));
  if ((await send('Runtime.addBinding', { name: binding })) instanceof Error) return null;
  const load = `typeof require === 'function' ? require : process.getBuiltinModule?.('module').createRequire('/')`;
  const answer = await send('Runtime.evaluate', {
    expression: `(() => {
      const emit = globalThis.${binding};
      delete globalThis.${binding};
      const load = ${load};
      return load === undefined ? null : (${recorderText}\n)(load, emit, ${JSON.stringify(isolate)});
    })()`,
    includeCommandLineAPI: true,
  });
  const { objectId } = answer instanceof Error ? {} : fieldsOf(answer.result);
  if (typeof objectId !== 'string') return null;
  const call = async (functionDeclaration: string): Promise<unknown> => {
    const result = await send('Runtime.callFunctionOn', { objectId, functionDeclaration, returnByValue: true });
    return result instanceof Error ? undefined : fieldsOf(result.result)['value'];
  };
  const facts = fieldsOf(await call('function () { return this.facts; }'));
  const { tid, at, threadId, machine } = facts;
  if (typeof at !== 'number') return null;
  const isHere = typeof tid === 'number' && machine === thisMachine();
  return {
    facts: { ...(isHere ? { tid } : {}), threadId: Number(threadId), at: microseconds(at), machine: String(machine) },
    call: async (work) => call(`function () { this.${work}(); }`),
  };
}

/** As the recorder in the thread names its machine. */
function thisMachine(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8') + readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

/** The files of lines that the recorder in a thread sends. They are written one after the other. */
class LineFiles {
  private readonly directory: string;
  private readonly isolate: string;
  private last: Promise<unknown> = Promise.resolve();

  constructor(directory: string, isolate: string) {
    this.directory = directory;
    this.isolate = isolate;
  }

  /** Takes JSON `[file, lines]`. The program could send it, too: only the two files of this thread are written. */
  append(text: string): void {
    const [file, lines] = listOf(parse(text));
    const isKnown = [turnsSuffix, requestsSuffix].some((suffix) => file === `${this.isolate}${suffix}`);
    if (!isKnown || typeof lines !== 'string') return;
    const target = path.join(this.directory, String(file));
    this.last = this.last.then(async () => appendFile(target, lines, appending)).catch(() => {});
  }

  async written(): Promise<void> {
    await this.last;
  }
}

interface PartFacts {
  readonly process: AttachedProcess;
  readonly threadId: number;
  readonly isolate: string;
  readonly directory: string;
}

/** The running profile of a thread. */
class Parts {
  private readonly send: Inspector['send'];
  private readonly recorder: LoadedRecorder | null;
  private readonly facts: PartFacts;
  private hasBegun = false;
  private part = 0;
  private endedAt = 0;

  constructor(send: Inspector['send'], recorder: LoadedRecorder | null, facts: PartFacts) {
    this.send = send;
    this.recorder = recorder;
    this.facts = facts;
  }

  async begin(at: Microseconds, { tid }: Pick<ThreadFacts, 'tid'> = {}): Promise<void> {
    if (this.hasBegun) return;
    this.hasBegun = true;
    const { process, threadId, isolate, directory } = this.facts;
    const { pid, version: nodeVersion } = process;
    const argv = redactArguments(process.argv);
    const thread = { isolate, pid, threadId, ...(tid === undefined ? {} : { tid }) };
    await appendEvents(directory, [{ type: 'start', ...thread, ppid: 0, argv, execArgv: [], nodeVersion, at }]);
  }

  /** Asks for everything at once: then the thread runs nothing else in between, and all of it is the recorder's work. */
  async write(goesOn: boolean): Promise<number | null> {
    void this.recorder?.call('pause');
    const stopped = this.send('Profiler.stop');
    if (goesOn) void this.send('Profiler.start');
    const resumed = this.recorder?.call(goesOn ? 'resume' : 'end');
    const answer = await stopped;
    const profile = answer instanceof Error ? undefined : answer.profile;
    if (profile === undefined) return null;
    await resumed;
    const taken: Unchecked<Profiler.Profile> = fieldsOf(profile);
    await this.begin(microseconds(Number(taken.startTime ?? 0)));
    this.endedAt = Number(taken.endTime ?? 0);
    const text = JSON.stringify(goesOn ? endingIdle(taken) : taken);
    const file = path.join(this.facts.directory, `${this.facts.isolate}.${this.part}${profileSuffix}`);
    await writeFile(file, text, { mode: 0o600, flag: 'wx' });
    this.part += 1;
    return text.length;
  }

  async end(): Promise<void> {
    if (this.part === 0) return;
    const { isolate, directory } = this.facts;
    await appendEvents(directory, [{ type: 'end', isolate, at: microseconds(this.endedAt), reason: 'exit' }]);
  }
}

/** Adds an idle sample: the program must not look blocked until V8's profiler runs again, which takes 0.2 s. */
function endingIdle(profile: Unchecked<Profiler.Profile>): Unchecked<Profiler.Profile> {
  const [nodes, samples, deltas] = [profile.nodes, profile.samples, profile.timeDeltas].map(listOf);
  const [start, end] = [Number(profile.startTime), Number(profile.endTime)];
  const isIdle = (node: unknown): boolean => fieldsOf(fieldsOf(node)['callFrame'])['functionName'] === '(idle)';
  const idle = fieldsOf(nodes?.find(isIdle))['id'];
  if (idle === undefined) return profile; // The program was never idle: the pause counts for what ran before.
  const last = (deltas ?? []).reduce<number>((time, delta) => time + Number(delta), start);
  return { ...profile, samples: [...(samples ?? []), idle], timeDeltas: [...(deltas ?? []), Math.max(0, end - last)] };
}
