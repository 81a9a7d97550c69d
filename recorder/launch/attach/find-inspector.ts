import { setTimeout as delay } from 'node:timers/promises';
import { fieldsOf, parse } from './inspector.ts';
import { isNode, listeningPlaces, isSame, type Place, ofThisMachine } from './node-processes.ts';

export type FoundInspector =
  /** `isOurs`: the inspector was opened for us, so we must close it. */
  | { readonly type: 'found'; readonly url: string; readonly isOurs: boolean }
  /** One sentence. */
  | { readonly type: 'none'; readonly message: string };

/**
 * Finds an inspector by `9229`, `host:9229`, `ws://…`, or `pid:123`. A process without an inspector opens one at
 * SIGUSR1; waiting for that stops when `isGivenUp` is aborted.
 */
export async function findInspector(address: string, isGivenUp?: AbortSignal): Promise<FoundInspector> {
  if (/^wss?:\/\//.test(address)) return found(address);
  const pid = /^pid:(\d+)$/.exec(address)?.[1];
  if (pid !== undefined) return openInspector(Number(pid), isGivenUp);
  const [, host = '127.0.0.1', port] = /^(?:\[?([^[\]/?#@\s]+?)\]?:)?(\d{1,5})$/.exec(address) ?? [];
  if (port === undefined)
    return none(`"${address}" is no inspector: give its port (9229), host:port, a ws:// address, or pid:123.`);
  const url = await inspectorAt({ host, port: Number(port) });
  return url === null
    ? none(`No inspector answers at ${host}:${port}: start the program with --inspect, or attach by pid:123.`)
    : found(url);
}

async function openInspector(pid: number, isGivenUp: AbortSignal | undefined): Promise<FoundInspector> {
  if (process.platform === 'win32')
    return none(
      'On Windows a process cannot be asked for an inspector: start it with --inspect, and attach to the port.',
    );
  const command = await isNode(pid);
  // SIGUSR1 would end any other program.
  if (command === null) return none(`There is no Node.js process ${pid} of yours: look up its number again.`);
  if (hasAnyPort.test(command)) return inspectorOf(pid);
  const place = placeIn(command);
  const before = { url: await inspectorAt(place), places: await listeningPlaces(pid) };
  if (before.url !== null)
    return command.includes('--inspect') && (before.places.length === 0 || hasPort(before.places, place))
      ? found(before.url)
      : none(
          `Port ${place.port} is the inspector of another process already, or process ${pid} has opened it before: attach to ${place.port}.`,
        );
  try {
    process.kill(pid, 'SIGUSR1');
  } catch {
    return none(`Process ${pid} cannot be signalled: run as the user who started it.`);
  }
  return openedInspector(pid, place, before.places, isGivenUp);
}

/**
 * Waits for the inspector. NODE_OPTIONS may name another port than the command line does, so every place where the
 * process has begun to listen is asked.
 */
async function openedInspector(
  pid: number,
  place: Place,
  before: readonly Place[],
  isGivenUp: AbortSignal | undefined,
): Promise<FoundInspector> {
  const start = performance.now();
  let opened: readonly Place[] = [];
  while (performance.now() - start < patience) {
    if (isGivenUp?.aborted === true) break;
    const places = await listeningPlaces(pid);
    opened = places.filter((one) => !before.some((other) => isSame(one, other)));
    for (const one of places.length === 0 ? [place] : opened) {
      const url = await inspectorAt(one);
      if (url !== null) return { type: 'found', url, isOurs: true };
    }
    await delay(50);
  }
  const [{ host, port } = { host: '', port: null }] = opened;
  return none(
    port === null
      ? `Process ${pid} opened no inspector: it handles SIGUSR1 itself, or is held up, and then opens one later that listens until it ends. Start it with --inspect.`
      : `Process ${pid} opened port ${port} at ${host}, which listens until it ends, but no inspector could be reached there. Start it with --inspect.`,
  );
}

/**
 * Longest wait for the inspector in ms. A program whose event loop is blocked answers late, and that is the program
 * that people want to profile.
 */
const patience = 5000;

/**
 * Where a process opens its inspector according to its command line: `--inspect-port=9555`, `…=127.0.0.2:9555`,
 * `…=[::1]:9555`.
 */
export function placeIn(command: string): Place {
  const [, v6, host, port] = placeOption.exec(command) ?? [];
  return { host: ofThisMachine(v6 ?? host ?? '127.0.0.1'), port: Number(port ?? 9229) };
}

const placeOption =
  /\s--(?:inspect-port|debug-port|inspect(?:-brk|-wait)?)=(?:(?:\[([^\]\s]+)\]|([^\s:]+)):)?(\d+)(?=\s|$)/;

/**
 * Matches `--inspect=0`: the system chose the port. Only then all ports of a process are asked, also those of its own
 * servers.
 */
const hasAnyPort = /\s--inspect(?:-brk|-wait)?=(?:[^\s:]+:)?0(?=\s|$)/;

function hasPort(places: readonly Place[], { port }: Place): boolean {
  return places.some((one) => one.port === port);
}

async function inspectorOf(pid: number): Promise<FoundInspector> {
  for (const place of await listeningPlaces(pid)) {
    const url = await inspectorAt(place);
    if (url !== null) return found(url);
  }
  return none(
    `The inspector of process ${pid} was not found: it prints its ws:// address at its start, attach to that.`,
  );
}

/** Whether the same inspector still answers at its address. */
export async function answersStill(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  return (await inspectorAt({ host: hostname.replaceAll(/[[\]]/g, ''), port: Number(port) })) === url;
}

/**
 * The url of the inspector at a place; null where nothing answers like an inspector. Host and port of the url are
 * always those that were asked, whatever the answer says.
 */
async function inspectorAt({ host, port }: Place): Promise<string | null> {
  const base = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  try {
    const answer = await fetch(`http://${base}/json/list`, { redirect: 'error', signal: AbortSignal.timeout(2000) });
    const targets = parse(await textOf(answer));
    const url = Array.isArray(targets) ? fieldsOf(targets[0])['webSocketDebuggerUrl'] : null;
    return typeof url === 'string' ? new URL(`ws://${base}${new URL(url).pathname}`).href : null;
  } catch {
    return null; // Nothing listens there, or it is not HTTP, or not an inspector.
  }
}

/** The text of an answer; empty where it is far longer than any list of inspectors. */
async function textOf({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > 1e6) return '';
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function found(url: string): FoundInspector {
  return { type: 'found', url, isOurs: false };
}

function none(message: string): FoundInspector {
  return { type: 'none', message };
}
