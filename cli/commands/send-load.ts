import path from 'node:path';
import { appServers } from '../../recordings/app-servers.ts';
import { defaultRecordingsFolders } from '../../recordings/default-folder.ts';
import { openEventLog } from '../../recordings/run-processes.ts';
import type { LoadProgress } from '../../recorder/launch/load/load.ts';
import { type LoadPlan, loadRunning, recordUnderLoad } from '../../recorder/launch/load/record-under-load.ts';
import { atOrigin, isLocal, originOf } from '../../recorder/launch/load/request-plan.ts';
import { requestedRoutes } from '../../recorder/launch/load/known-requests.ts';
import type { RecordOptions } from '../../recorder/launch/run/record.ts';
import { stopSignals } from '../../recorder/launch/run/end-command.ts';
import type { LoadArguments, SendingArguments } from '../arguments/load-arguments.ts';
import { type Ending, type Output, refuse, showProgress, type Session } from '../views/terminal.ts';
import { runningRecording } from './find-recording.ts';
import { planLoad, progressAt, progressText } from './load-plan.ts';
import { loadSentences } from '../../words/formats/load-texts.ts';

/**
 * Sends requests to the server of a running recording, and says how they were answered. Gives the exit code: 0; 2:
 * nothing can be sent; 3: stopped.
 */
export async function loadCommand({ options, terminal, surroundings }: Session<SendingArguments>): Promise<number> {
  const { recording: named, load } = options;
  const { err } = terminal;
  const { cwd } = surroundings;
  if (load === null) return refuse(err, await nothingToSend(cwd));
  const recording = named === null ? await runningRecording(cwd) : path.resolve(cwd, named);
  if (recording === null) return refuse(err, 'Nothing is being recorded here: "hotspan record -- npm start".');
  const servers = appServers(openEventLog(recording).read());
  const urls = servers.flatMap((server) => (server.url === null ? [] : [new URL(server.url)]));
  const [url] = urls;
  if (url === undefined) return refuse(err, `No server of ${recording} listens now: send requests while it runs.`);
  const onProgress = progressAt(err) ?? ((progress: LoadProgress) => err.say(progressText(progress)));
  const asked = await planLoad({ ...load, ready: load.ready ?? url }, surroundings, err.say, { onProgress });
  if ('message' in asked) return refuse(err, asked.message);
  const plan = load.ready === null ? toApp(asked, urls) : asked;
  const stopping = new AbortController();
  for (const signal of stopSignals) process.on(signal, () => stopping.abort());
  const result = await loadRunning(plan, recording, stopping.signal);
  showProgress(err, '');
  if (stopping.signal.aborted) {
    err.say('It was stopped: the recording goes on, without figures of this load.');
    return 3;
  }
  if (result.type === 'failed') return refuse(err, result.message);
  for (const sentence of loadSentences(result.load)) err.say(sentence);
  return 0;
}

/** Sends a plan to the app, wherever on this machine it was to go. `urls`: where the app listens; the first is the default. */
function toApp(plan: LoadPlan, urls: readonly URL[]): LoadPlan {
  const { ready, load, say } = plan;
  const [asked] = load.requests;
  const isNamed = asked?.url.startsWith('/') === false;
  const named = isNamed ? new URL(originOf(asked.url)) : ready;
  const isOfApp = isNamed && urls.some(({ port }) => port === named.port);
  if (isOfApp || !isLocal(named.href)) return { ...plan, ready: named };
  const ports = [...new Set(urls.map(({ port }) => port))];
  if (isNamed) say(`The requests name ${named.host}: they go to ${ready.host}, where the app listens.`);
  else if (ports.length > 1)
    say(
      `The app listens at the ports ${ports.join(' and ')}: the requests go to ${ready.port}, others by --after-ready.`,
    );
  return { ...plan, load: { ...load, requests: atOrigin(load.requests, ready) } };
}

/** Asks for the requests, and names those that servers of this folder were sent before. */
async function nothingToSend(folder: string): Promise<string> {
  const ask = 'Say what to send: --load "-c 10 -d 10 /orders", or --load-file requests.http.';
  const routes = await requestedRoutes(defaultRecordingsFolders(folder));
  const named = routes.slice(0, MAX_ROUTES).map(({ method, path: route }) => `${method} ${route}`);
  const more = routes.length > MAX_ROUTES ? [`${routes.length - MAX_ROUTES} more`] : [];
  return named.length === 0 ? ask : `${ask} Requested here before: ${[...named, ...more].join(', ')}.`;
}

const MAX_ROUTES = 12;

/** Where a run under load reports. */
interface Reporting {
  readonly err: Output;
  readonly say: (sentence: string) => void;
  /** Shows what a recording has. */
  readonly show: (directory: string) => Promise<unknown>;
}

/** Records a server under load, and stops it then, which is not a failure. */
export async function recordLoaded(
  run: RecordOptions,
  load: LoadArguments,
  { err, say, show }: Reporting,
): Promise<Ending> {
  const fail = (message: string): Ending => ({ type: 'code', code: refuse(err, message) });
  const plan = await planLoad(load, run, say, { onProgress: progressAt(err) });
  if ('message' in plan) return fail(plan.message);
  const result = await recordUnderLoad(run, plan);
  showProgress(err, '');
  if (result.type === 'interrupted') return { type: 'signal', signal: result.signal };
  if (result.type === 'failed') return fail(result.message);
  const { outcome, load: sent, message, signal } = result;
  if (outcome.type !== 'ended') return fail(outcome.message);
  if (outcome.unfinished !== null) err.say(outcome.unfinished);
  await show(outcome.directory);
  if (sent === null && signal !== null) return { type: 'signal', signal };
  if (sent === null) return fail(message ?? 'The load was not sent: the command was stopped before.');
  for (const sentence of loadSentences(sent)) say(sentence);
  return { type: 'code', code: 0 };
}
