import { failed, type Failure } from '../../protocol/failure.ts';
import path from 'node:path';
import { redactText } from '../../recorder/command-lines/redact.ts';
import type { LoadSource, RecordedLoad } from '../../protocol/recording.ts';
import type { LoadProgress, LoadWatch } from '../../recorder/launch/load/load.ts';
import { parseLoad } from '../../recorder/launch/load/load-options.ts';
import type { LoadPlan } from '../../recorder/launch/load/record-under-load.ts';
import type { LeftOut, PlannedRequest } from '../../recorder/launch/load/request-plan.ts';
import { isLocal, originOf, withOrigin } from '../../recorder/launch/load/request-plan.ts';
import { duration, plural } from '../../words/formats/figures.ts';
import type { LoadArguments } from '../arguments/load-arguments.ts';
import { type Output, plainText, showProgress, type Surroundings } from '../views/terminal.ts';

interface Planning {
  readonly onProgress?: LoadWatch['onProgress'];
  /** Whether the requests go where the recorded program is seen to listen. */
  readonly mayListenAnywhere?: boolean;
}

/** Reads the requests, and says which are left out. The HTTP client is loaded only now: it is larger than all the rest. */
export async function planLoad(
  load: LoadArguments,
  { cwd, env }: Pick<Surroundings, 'cwd' | 'env'>,
  say: (sentence: string) => void,
  { onProgress, mayListenAnywhere = false }: Planning = {},
): Promise<LoadPlan | Failure> {
  const [{ sendLoad: send }, { readRequests, withEnvironment }] = await Promise.all([
    import('../../recorder/launch/load/load.ts'),
    import('../../recorder/launch/load/read-requests.ts'),
  ]);
  const { from, allowRemote, ready, ...shape } = load;
  const file = from.type === 'file' ? path.resolve(cwd, from.file) : null;
  const read =
    from.type === 'file'
      ? await readRequests({ file: file ?? '', environment: from.environment, env })
      : wordsRead(withEnvironment(from.requests, env));
  if (read.type === 'failed') return failed(read.message);
  for (const sentence of [...leftOutTexts(read.leftOut), ...read.notes]) say(sentence);
  const remote = [...read.requests.map(({ url }) => url), ...(ready === null ? [] : [ready.href])].find(
    (url) => !isLocal(url),
  );
  if (remote !== undefined && !allowRemote)
    return failed(
      `Requests would go to ${new URL(originOf(remote)).host}, which is not this machine: ${mayListenAnywhere ? 'both sides run here, so leave the address out, or name localhost' : 'add --allow-remote if that is what you want'}.`,
    );
  const server = ready ?? serverOf(read.requests) ?? (mayListenAnywhere ? new URL('http://localhost') : null);
  if (server === null) return failed('Say where the program listens: --after-ready 3000.');
  const [, other] = new Set(withOrigin(read.requests, server).map(({ url }) => originOf(url)));
  if (other !== undefined)
    return failed(`The requests go to several servers, one of them ${other}: put those of one server into a file.`);
  const source: LoadSource =
    from.type === 'file'
      ? { type: 'file', file: file ?? '', environment: from.environment }
      : { type: 'words', words: isWithoutSecrets(from.words, read.requests) ? from.words : null };
  return {
    ...{ ready: server, source, send, say, patience: READY_PATIENCE_MS },
    load: { ...shape, requests: read.requests },
    ...(onProgress === undefined ? {} : { onProgress }),
  };
}

/**
 * The load of a recording, to be sent again to further runs of its command. Fails where it had secrets, which are not
 * kept, or cannot be read any more.
 */
export async function loadAgain(
  { source, requests, connections, rate, amount, durationS, warmUpS }: RecordedLoad,
  around: Pick<Surroundings, 'cwd' | 'env'>,
): Promise<LoadPlan | Failure> {
  const from = sourceAgain(source);
  if (from === null) return failed('was under a load with secrets that were not kept');
  const ready = new URL(originOf(requests[0]?.url ?? 'http://localhost'));
  if (!isLocal(ready.href)) return failed(`sent its load to ${ready.host}, which gets none unasked`);
  const shape = { connections, rate, amount, durationS, warmUpS };
  const plan = await planLoad({ ...shape, ready, from, allowRemote: false }, around, () => {});
  return 'message' in plan ? failed(`was under a load that cannot be sent again: ${plan.message}`) : plan;
}

/** Null where the words were not kept. */
function sourceAgain(source: LoadSource): LoadArguments['from'] | null {
  if (source.type === 'file') return source;
  const { words } = source;
  const parsed = words === null ? null : parseLoad(words, null);
  return words !== null && parsed?.type === 'load' ? { type: 'words', words, requests: parsed.load.requests } : null;
}

/** How long a server may take to answer for the first time. */
const READY_PATIENCE_MS = 60_000;

function wordsRead(requests: readonly PlannedRequest[] | string) {
  return typeof requests === 'string'
    ? failed(requests)
    : ({ type: 'read', requests, leftOut: [], notes: [] } as const);
}

/** `Left out: DELETE /x is …; GET /y needs ….`, one sentence for each. */
function leftOutTexts(leftOut: readonly LeftOut[]): readonly string[] {
  const rest = leftOut.length - MAX_LEFT_OUT;
  const texts = leftOut.slice(0, MAX_LEFT_OUT).map(({ title, reason }) => `Left out: ${redactText(title)} ${reason}.`);
  return rest > 0 ? [...texts, `Left out: ${plural(rest, 'more request')}.`] : texts;
}

const MAX_LEFT_OUT = 8;

/** The server of the first request with an address. */
function serverOf(requests: readonly PlannedRequest[]): URL | null {
  const absolute = requests.find(({ url }) => !url.startsWith('/'));
  return absolute === undefined ? null : new URL(originOf(absolute.url));
}

/** Whether autocannon's words may be kept, to send the same requests again. */
function isWithoutSecrets(words: string, requests: readonly PlannedRequest[]): boolean {
  const isPlain = ({ headers, body }: PlannedRequest): boolean => body === null && Object.keys(headers).length === 0;
  return redactText(words) === words && requests.every(isPlain);
}

/** Shows how far the sending is at a terminal; undefined elsewhere. */
export function progressAt(err: Output): LoadWatch['onProgress'] {
  if (!err.isTerminal) return undefined;
  return (progress) => showProgress(err, plainText(progressText(progress)));
}

/** `Load 40 %: 900 req/s, p99 60 ms`. */
export function progressText({ isWarmUp, done, requestsPerSecond, p99Us }: LoadProgress): string {
  const p99 = p99Us === null ? '' : `, p99 ${duration(p99Us)}`;
  return `${isWarmUp ? 'Warm-up' : 'Load'} ${Math.round(100 * done)} %: ${requestsPerSecond} req/s${p99}`;
}
