import { setTimeout as delay } from 'node:timers/promises';
import { listeningPorts } from './listening-ports.ts';
import { isNode } from './node-processes.ts';

export type FoundInspector =
  /** `isOurs`: it was opened for us, so that it is for us to close. */
  | { readonly type: 'found'; readonly url: string; readonly isOurs: boolean }
  /** One sentence. */
  | { readonly type: 'none'; readonly message: string };

/** By `9229`, `host:9229`, `ws://…`, or `pid:123`: a process that has no inspector yet opens one at SIGUSR1. */
export async function findInspector(address: string): Promise<FoundInspector> {
  if (/^wss?:\/\//.test(address)) return found(address);
  const pid = /^pid:(\d+)$/.exec(address)?.[1];
  if (pid !== undefined) return openInspector(Number(pid));
  const [, host = '127.0.0.1', port] = /^(?:\[?([^[\]]+?)\]?:)?(\d{1,5})$/.exec(address) ?? [];
  if (port === undefined)
    return none(`"${address}" is no inspector: give its port (9229), host:port, a ws:// address, or pid:123.`);
  const url = await inspectorAt(host, Number(port));
  return url === null
    ? none(`No inspector answers at ${host}:${port}: start the program with --inspect, or attach by pid:123.`)
    : found(url);
}

async function openInspector(pid: number): Promise<FoundInspector> {
  if (process.platform === 'win32')
    return none(
      'On Windows a process cannot be asked for an inspector: start it with --inspect, and attach to the port.',
    );
  const command = await isNode(pid);
  // SIGUSR1 would end anything else.
  if (command === null) return none(`There is no Node.js process ${pid} of yours: look up its number again.`);
  if (hasAnyPort.test(command)) return inspectorOf(pid);
  const port = Number(portOption.exec(command)?.[1] ?? 9229);
  const before = { url: await inspectorAt('127.0.0.1', port), ports: await listeningPorts(pid) };
  if (before.url !== null)
    return command.includes('--inspect') && (before.ports.length === 0 || before.ports.includes(port))
      ? found(before.url)
      : none(
          `Port ${port} is the inspector of another process already, or process ${pid} has opened it before: attach to ${port}.`,
        );
  try {
    process.kill(pid, 'SIGUSR1');
  } catch {
    return none(`Process ${pid} cannot be signalled: run as the user who started it.`);
  }
  return openedInspector(pid, port, before.ports);
}

/** Its options may name another port in NODE_OPTIONS, or none: what it listens on since then is asked. */
async function openedInspector(pid: number, port: number, before: readonly number[]): Promise<FoundInspector> {
  const start = performance.now();
  while (performance.now() - start < patience) {
    const ports = await listeningPorts(pid);
    for (const opened of ports.length === 0 ? [port] : ports.filter((one) => !before.includes(one))) {
      const url = await inspectorAt('127.0.0.1', opened);
      if (url !== null) return { type: 'found', url, isOurs: true };
    }
    await delay(50);
  }
  return none(
    `Process ${pid} opened no inspector: it handles SIGUSR1 itself, or is held up, and then opens one later that listens until it ends. Start it with --inspect.`,
  );
}

/** In ms: a program that is held up answers late, and is the one to be looked at. */
const patience = 5000;

const portOption = /\s--(?:inspect-port|inspect(?:-brk|-wait)?)=(?:[^\s:]+:)?(\d+)(?=\s|$)/;

/** `--inspect=0`: the system chose the port. Only then are all ports of a process asked, its own servers' too. */
const hasAnyPort = /\s--inspect(?:-brk|-wait)?=(?:[^\s:]+:)?0(?=\s|$)/;

async function inspectorOf(pid: number): Promise<FoundInspector> {
  for (const port of await listeningPorts(pid)) {
    const url = await inspectorAt('127.0.0.1', port);
    if (url !== null) return found(url);
  }
  return none(
    `The inspector of process ${pid} was not found: it prints its ws:// address at its start, attach to that.`,
  );
}

/** Whether somebody still listens where this one was. */
export async function answersStill(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  return (await inspectorAt(hostname, Number(port))) === url;
}

/** Null where nobody answers like an inspector. */
async function inspectorAt(host: string, port: number): Promise<string | null> {
  try {
    const name = host.includes(':') ? `[${host}]` : host;
    const response = await fetch(`http://${name}:${port}/json/list`, { signal: AbortSignal.timeout(2000) });
    const [url] = /ws:\/\/[^"\s]+/.exec(await response.text()) ?? [];
    return url ?? null;
  } catch {
    return null; // Nothing listens, or it is no HTTP.
  }
}

function found(url: string): FoundInspector {
  return { type: 'found', url, isOurs: false };
}

function none(message: string): FoundInspector {
  return { type: 'none', message };
}
