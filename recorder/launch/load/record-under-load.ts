import { failed, type Failure } from '../../../protocol/failure.ts';
import { appendFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { LoadFigures, LoadSource, RecordedLoad } from '../../../protocol/recording.ts';
import { loadFile, stopFile } from '../../../protocol/recording.ts';
import { appending, writeWhole } from '../../../recordings/private-files.ts';
import { appServers } from '../../../recordings/app-servers.ts';
import { type EventLog, openEventLog } from '../../../recordings/run-processes.ts';
import { redactText } from '../../command-lines/redact.ts';
import { plainEnvironment } from '../run/command-line.ts';
import { ownBinOf, record, type RecordOptions, type RecordOutcome } from '../run/record.ts';
import { whyNotStarted } from '../run/run-command.ts';
import { withCpuShare } from './cpu-share.ts';
import type { LoadOutcome, LoadWatch, sendLoad } from './load.ts';
import { startPlainly, watchSignals } from './plain-program.ts';
import { atOrigin, type RequestPlan, titleOf, withOrigin } from './request-plan.ts';
import { get as httpGet } from 'node:http';
import { get as httpsGet } from 'node:https';

export interface LoadPlan {
  /** This address answers as soon as the program can take the load. */
  readonly ready: URL;
  /** Urls that begin with `/` belong to the server at `ready`. */
  readonly load: RequestPlan;
  readonly source: LoadSource;
  /** Limit for the wait for that answer, in ms. */
  readonly patience: number;
  readonly send: typeof sendLoad;
  readonly onProgress?: LoadWatch['onProgress'];
  /** Reports to the user what is happening. */
  readonly say: (sentence: string) => void;
}

export type LoadedOutcome =
  | {
      readonly type: 'recorded';
      readonly outcome: RecordOutcome;
      readonly load: RecordedLoad | null;
      readonly message: string | null;
      /** The signal by which the user ended this run; null without one. */
      readonly signal: NodeJS.Signals | null;
    }
  /** Nothing was recorded; `message` is one sentence that says why. */
  | Failure
  | { readonly type: 'interrupted'; readonly signal: NodeJS.Signals };

/** Runs a server twice under the same load, first without the recorder, and stops it each time. */
export async function recordUnderLoad(options: RecordOptions, asked: LoadPlan): Promise<LoadedOutcome> {
  const plan = { ...asked, send: withCpuShare(asked.send) };
  const { ready, say } = plan;
  if ((await listenerAt(ready, MIN_ANSWER_MS)) !== 'none')
    return failed(`Something listens at ${ready.href} already: stop it first, or let the command use another port.`);
  say('First without the recorder: what the load does to the program as it is.');
  const before = await baseline(options, plan);
  if (before.type !== 'done') return before;
  if (!(await waitForNone(ready, plan.patience)))
    return failed(
      `Something still listens at ${ready.href} after the command has ended: end what it left behind, then record again.`,
    );
  say('Now the same with the recorder.');
  const beside = new LoadBeside(plan, { baseline: before.figures });
  const interruption = watchSignals();
  const outcome = await record({ ...options, during: beside.during }).finally(interruption.dispose);
  return { type: 'recorded', outcome, load: beside.load, message: beside.message, signal: interruption.signal() };
}

/**
 * Sends the load to a program that is recorded already. Its recording keeps the figures. Fails once nothing of it listens
 * at `ready` any more: another program may take the port.
 */
export async function loadRunning(
  plan: LoadPlan,
  directory: string,
  isOver: AbortSignal,
): Promise<{ readonly type: 'done'; readonly load: RecordedLoad } | Extract<LoadOutcome, { type: 'failed' }>> {
  const { host, port } = plan.ready;
  const events = openEventLog(directory);
  const isListening = (): boolean => appUrls(events).some((url) => url.port === port);
  const gone = new AbortController();
  // Where it never listened at this port, that of a proxy was asked for.
  const isOfApp = isListening();
  const endIfGone = (): void => {
    if (isOfApp && !isListening()) gone.abort();
  };
  const watch = setInterval(endIfGone, WATCH_MS);
  const outcome = await loaded(plan, AbortSignal.any([isOver, gone.signal])).finally(() => clearInterval(watch));
  endIfGone();
  if (gone.signal.aborted)
    return failed(`Nothing of the app listens at ${host} any more, so this load has no figures.`);
  if (outcome.type === 'failed') return outcome;
  const load = recordedLoad(plan, null, outcome.figures);
  await writeWhole(path.join(directory, loadFile), `${JSON.stringify(load)}\n`);
  return { type: 'done', load };
}

/** How often to look whether the app still listens: rarely, as that takes time from the requests. */
const WATCH_MS = 500;

/** Sends the load to a command that is recorded, and stops it then. */
export class LoadBeside {
  #plan: LoadPlan;
  readonly #baseline: LoadFigures | null;
  readonly #isAgain: boolean;
  #after: LoadOutcome | null = null;

  /**
   * `baseline`: the figures without the recorder, if known. `isAgain`: the load was sent to an earlier run, and goes where
   * the program listens now: at the earlier address there may be another one.
   */
  constructor(plan: LoadPlan, { baseline = null, isAgain = false }: BesideOptions) {
    this.#plan = plan;
    this.#baseline = baseline;
    this.#isAgain = isAgain;
  }

  /** As in `RecordOptions`. */
  readonly during: NonNullable<RecordOptions['during']> = async (directory, isOver) => {
    const plan = this.#isAgain ? await planAgain(this.#plan, directory, isOver) : this.#plan;
    if ('load' in plan) this.#plan = plan;
    this.#after = 'load' in plan ? await loaded(plan, isOver) : plan;
    if (!isOver.aborted) await appendFile(path.join(directory, stopFile), '', appending);
    const { load } = this;
    return load === null ? {} : { load };
  };

  /** Null where it was not sent to its end. */
  get load(): RecordedLoad | null {
    return this.#after?.type === 'done' ? recordedLoad(this.#plan, this.#baseline, this.#after.figures) : null;
  }

  /** Why there is no load, if that is known. */
  get message(): string | null {
    return this.#after?.type === 'failed' ? this.#after.message : null;
  }
}

interface BesideOptions {
  readonly baseline?: LoadFigures | null;
  readonly isAgain?: boolean;
}

/** The plan for where a recorded program listens. Fails where it does not, or at several ports without the wanted one. */
async function planAgain(
  plan: LoadPlan,
  directory: string,
  isOver: AbortSignal,
): Promise<LoadPlan | Extract<LoadOutcome, { type: 'failed' }>> {
  const { ready, load, patience, say } = plan;
  const servers = await listening(directory, ready.port, patience, isOver);
  const [server] = servers;
  if (server === undefined) return failed('The command was not seen to listen, so it got no requests.');
  const ports = [...new Set(servers.map(({ port }) => port))];
  const not = ready.port === '' ? '' : `, not at ${ready.port}`;
  if (ports.length > 1)
    return failed(
      `The command listens at the ports ${ports.join(' and ')}${not}, so it got no requests: say which, --after-ready ${server.port}.`,
    );
  if (not !== '' && server.port !== ready.port)
    say(`The command listens at port ${server.port}${not}: the load goes there.`);
  const requests = atOrigin(load.requests, server);
  return { ...plan, ready: new URL(ready.pathname + ready.search, server), load: { ...load, requests } };
}

/**
 * Where a recorded program listens: at this port, or, without that one, wherever it does when no more servers begin to;
 * empty where it has not within `limit` ms, or ends before. `port` is empty where none is wanted.
 */
async function listening(directory: string, port: string, limit: number, isOver: AbortSignal): Promise<readonly URL[]> {
  const since = performance.now();
  const events = openEventLog(directory);
  let last = { count: 0, at: since };
  while (!isOver.aborted && performance.now() - since < limit) {
    const urls = appUrls(events);
    const wanted = urls.find((url) => url.port === port);
    if (wanted !== undefined) return [wanted];
    if (urls.length !== last.count) last = { count: urls.length, at: performance.now() };
    if (urls.length > 0 && performance.now() - last.at >= ELSEWHERE_MS) return urls;
    await delay(50);
  }
  return [];
}

function appUrls(events: EventLog): readonly URL[] {
  return appServers(events.read()).flatMap(({ url }) => (url === null ? [] : [new URL(url)]));
}

/** A program may open a port for metrics, and the one that the requests are for when it has connected to its database. */
const ELSEWHERE_MS = 3000;

type Baseline = Extract<LoadOutcome, { type: 'done' }> | Exclude<LoadedOutcome, { type: 'recorded' }>;

async function baseline({ command, cwd, env, recorderFile }: RecordOptions, plan: LoadPlan): Promise<Baseline> {
  const program = await startPlainly(command, cwd, plainEnvironment(env, ownBinOf(recorderFile)));
  if (program instanceof Error) return failed(whyNotStarted({ command, cwd }, program));
  const interruption = watchSignals();
  try {
    const result = await loaded(plan, AbortSignal.any([program.isOver, interruption.isOver]));
    const signal = interruption.signal();
    return signal === null ? result : { type: 'interrupted', signal };
  } finally {
    await program.stop();
    interruption.dispose();
  }
}

/** Waits for the server, then sends the load. */
async function loaded(plan: LoadPlan, isOver: AbortSignal): Promise<LoadOutcome> {
  const { ready, load, patience, send, onProgress } = plan;
  const found = await waitForAnswer(ready, patience, isOver);
  if (isOver.aborted)
    return failed(
      `The command ended before ${ready.href} answered: it has to be a server that goes on running. If it is one, its output says why it ended.`,
    );
  const limit = `within ${Math.round(patience / 1000)} s: check --after-ready`;
  if (found === 'accepts') return failed(`${ready.href} accepted connections, but did not answer ${limit}.`);
  if (found === 'none') return failed(`${ready.href} did not answer ${limit}, and that the command listens there.`);
  const requests = withOrigin(load.requests, ready);
  const result = await send({ ...load, requests }, { isOver, ...(onProgress === undefined ? {} : { onProgress }) });
  return isOver.aborted
    ? failed('The command ended while requests were still being sent: its output says why.')
    : result;
}

function recordedLoad(
  { load, source, ready }: LoadPlan,
  baselineFigures: LoadFigures | null,
  recorded: LoadFigures,
): RecordedLoad {
  const { requests, ...shape } = load;
  return {
    source,
    requests: withOrigin(requests, ready).map((request) => ({
      title: redactText(titleOf(request)),
      method: request.method,
      url: withoutSecrets(request.shownUrl ?? request.url),
      headers: Object.keys(request.headers),
      bodyBytes: Buffer.byteLength(request.body ?? ''),
    })),
    ...shape,
    ...{ baseline: baselineFigures, recorded },
  };
}

/** The url without its query and password, and without parts of the path that look like a secret. */
export function withoutSecrets(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname.split('/').map(redactText).join('/');
}

/** What is at an address: a server that answers, with any status; one that accepts connections; or none. */
type Listener = 'answers' | 'accepts' | 'none';

/** `limit`: for the answer, in ms. */
async function listenerAt(url: URL, limit: number, isOver?: AbortSignal): Promise<Listener> {
  const get = url.protocol === 'https:' ? httpsGet : httpGet;
  return new Promise((resolve) => {
    const ending = isOver === undefined ? {} : { signal: isOver };
    const options = { timeout: limit, agent: false, rejectUnauthorized: false, ...ending };
    const request = get(url, options, (response) => {
      response.destroy();
      resolve('answers');
    });
    let found: Listener = 'none';
    request.once('socket', (socket) => socket.once('connect', () => (found = 'accepts')));
    request.once('timeout', () => request.destroy());
    request.once('error', () => resolve(found));
  });
}

/** Waits up to `patience` ms until a server answers; what is there then, or at `isOver`. */
async function waitForAnswer(url: URL, patience: number, isOver: AbortSignal): Promise<Listener> {
  const since = performance.now();
  let found: Listener = 'none';
  let limit = MIN_ANSWER_MS;
  for (let left = patience; left > 0 && !isOver.aborted; left = patience - (performance.now() - since)) {
    found = await listenerAt(url, Math.min(limit, left), isOver);
    if (found === 'answers') break;
    // A page may take long: to ask for it again and again would make it later still.
    if (found === 'accepts') limit *= 2;
    await delay(50);
  }
  return found;
}

/** Waits up to `patience` ms until nothing listens; whether that is so. */
async function waitForNone(url: URL, patience: number): Promise<boolean> {
  const since = performance.now();
  while (performance.now() - since < patience) {
    if ((await listenerAt(url, MIN_ANSWER_MS)) === 'none') return true;
    await delay(50);
  }
  return false;
}

/** Limit for the first answer, in ms. */
const MIN_ANSWER_MS = 2000;
