import { appendFile } from 'node:fs/promises';
import path from 'node:path';
import { type LoadFigures, type LoadSource, type RecordedLoad, stopFile } from '../../../protocol/recording.ts';
import { redactText } from '../../command-lines/redact.ts';
import { plainEnvironment, spawnable } from '../run/command-line.ts';
import { type RequestPlan, titleOf } from './request-plan.ts';
import type { LoadOutcome, LoadWatch, sendLoad } from './load.ts';
import { ownBinOf, record, type RecordOptions, type RecordOutcome } from '../run/record.ts';
import { whyNotStarted } from '../run/run-command.ts';
import { appending } from '../../../recordings/private-files.ts';
import { get as httpGet } from 'node:http';
import { get as httpsGet } from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';
import { send } from '../../../recordings/run-processes.ts';
import { BETWEEN_STEPS_MS, inGroup, openSchedule, stopSignals } from '../run/end-command.ts';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';

export interface LoadPlan {
  /** This address answers as soon as the program can take the load. */
  readonly ready: URL;
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
    }
  /** Nothing was recorded; `message` is one sentence that says why. */
  | { readonly type: 'failed'; readonly message: string }
  | { readonly type: 'interrupted'; readonly signal: NodeJS.Signals };

/** Runs a server twice under the same load, first without the recorder, and stops it each time. */
export async function recordUnderLoad(options: RecordOptions, plan: LoadPlan): Promise<LoadedOutcome> {
  const { ready, say } = plan;
  if (await answers(ready))
    return failed(`Something answers at ${ready.href} already: stop it first, or let the command use another port.`);
  say('First without the recorder: what the load does to the program as it is.');
  const before = await baseline(options, plan);
  if (before.type !== 'done') return before;
  if (!(await waitUntil(false, ready, plan.patience)))
    return failed(
      `${ready.href} still answers after the command has ended: end what it left behind, then record again.`,
    );
  say('Now the same with the recorder.');
  const state: { after: LoadOutcome | null } = { after: null };
  const outcome = await record({
    ...options,
    during: async (directory, isOver) => {
      const after = await loaded(plan, isOver);
      state.after = after;
      if (!isOver.aborted) await appendFile(path.join(directory, stopFile), '', appending);
      return after.type === 'done' ? { load: recordedLoad(plan, before.figures, after.figures) } : {};
    },
  });
  const { after } = state;
  return after?.type === 'done'
    ? { type: 'recorded', outcome, load: recordedLoad(plan, before.figures, after.figures), message: null }
    : { type: 'recorded', outcome, load: null, message: after?.message ?? null };
}

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
async function loaded(
  { ready, load, patience, send: sendRequests, onProgress }: LoadPlan,
  isOver: AbortSignal,
): Promise<LoadOutcome> {
  if (await waitUntil(true, ready, patience, isOver)) {
    const result = await sendRequests(load, { isOver, ...(onProgress === undefined ? {} : { onProgress }) });
    return isOver.aborted
      ? failed('The command ended while requests were still being sent: it says why above.')
      : result;
  }
  return failed(
    isOver.aborted
      ? `The command ended before ${ready.href} answered: it has to be a server that goes on running. If it is one, it says above why it ended.`
      : `${ready.href} did not answer within ${Math.round(patience / 1000)} s: check --after-ready, and that the command listens there.`,
  );
}

function failed(message: string): { readonly type: 'failed'; readonly message: string } {
  return { type: 'failed', message };
}

function recordedLoad({ load, source }: LoadPlan, before: LoadFigures | null, after: LoadFigures): RecordedLoad {
  const { requests, ...shape } = load;
  return {
    source,
    requests: requests.map((request) => ({
      title: redactText(titleOf(request)),
      method: request.method,
      url: withoutSecrets(request.url),
      headers: Object.keys(request.headers),
      bodyBytes: Buffer.byteLength(request.body ?? ''),
    })),
    ...shape,
    baseline: before,
    recorded: after,
  };
}

/** The url without its query and password, and without parts of the path that look like a secret. */
export function withoutSecrets(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname.split('/').map(redactText).join('/');
}

/** Watches for signals. The program of the baseline has its own process group, so Ctrl+C reaches only this process. */
function watchSignals() {
  const over = new AbortController();
  const state: { signal: NodeJS.Signals | null } = { signal: null };
  const onSignal = (signal: NodeJS.Signals): void => {
    state.signal = signal;
    over.abort();
  };
  for (const signal of stopSignals) process.on(signal, onSignal);
  return {
    isOver: over.signal,
    signal: () => state.signal,
    dispose: () => {
      for (const signal of stopSignals) process.off(signal, onSignal);
    },
  };
}

/** Whether a server answers at this address, with any status. */
async function answers(url: URL): Promise<boolean> {
  const get = url.protocol === 'https:' ? httpsGet : httpGet;
  return new Promise((resolve) => {
    const options = { timeout: MAX_ANSWER_MS, agent: false, rejectUnauthorized: false };
    const request = get(url, options, (response) => {
      response.destroy();
      resolve(true);
    });
    request.once('timeout', () => request.destroy());
    request.once('error', () => resolve(false));
  });
}

/** Waits until a server answers, or none does; false where that is not so within `limit` ms, or before `isOver`. */
async function waitUntil(isAnswered: boolean, url: URL, limit: number, isOver?: AbortSignal): Promise<boolean> {
  const since = performance.now();
  const isAborted = (): boolean => isOver?.aborted === true;
  while (!isAborted() && performance.now() - since < limit) {
    if ((await answers(url)) === isAnswered) return !isAborted();
    await delay(50);
  }
  return false;
}

/** Limit for the wait for one answer. */
const MAX_ANSWER_MS = 2000;

/**
 * Starts a command without the recorder, with the output of this process and without input; an error where it cannot be
 * started. `isOver` is aborted when it has ended. `stop` ends it with its processes, and waits for that.
 */
async function startPlainly(command: readonly string[], cwd: string, env: NodeJS.ProcessEnv) {
  const { file, args, verbatim } = spawnable(command, process.platform, env);
  const over = new AbortController();
  try {
    const child = spawn(file, args, {
      cwd,
      env,
      stdio: ['ignore', 'inherit', 'inherit'],
      windowsVerbatimArguments: verbatim,
      // `npm start` is three processes, and all of them have to end.
      ...inGroup,
    });
    child.once('exit', () => over.abort());
    await once(child, 'spawn');
    return { isOver: over.signal, stop: async () => stop(child, over.signal) };
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

async function stop(child: ChildProcess, isOver: AbortSignal): Promise<void> {
  const { pid } = child;
  if (isOver.aborted || pid === undefined) return;
  const ended = once(child, 'exit');
  if (process.platform === 'win32') {
    execFile('taskkill', ['/pid', String(pid), '/T', '/F'], () => {}); // If this fails the program has ended already.
    await ended;
    return;
  }
  const schedule = openSchedule();
  send(-pid, 'SIGINT');
  schedule.onceAllHad(
    BETWEEN_STEPS_MS,
    () => [pid],
    () => send(-pid, 'SIGTERM'),
  );
  schedule.onceAllHad(
    2 * BETWEEN_STEPS_MS,
    () => [pid],
    () => send(-pid, 'SIGKILL'),
  );
  await ended;
  schedule.dispose();
}
