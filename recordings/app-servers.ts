import { type ListeningServer, type RecordingEvent, serverProtocols } from '../protocol/recording-lines.ts';
import { type Microseconds, microseconds } from '../protocol/units.ts';
import { liveProcesses } from './run-processes.ts';

/** A server of a recorded command that listens now. */
export interface AppServer extends ListeningServer {
  readonly pid: number;
  /** Where a client on this machine finds it; null for a socket, and for what does not speak HTTP. */
  readonly url: string | null;
  /** From the start of its process until it listened. */
  readonly readyUs: Microseconds;
}

/**
 * The servers that listen now, the one to send requests to first: HTTP before all else, the newest process first. Workers
 * of a cluster share an address, which is here once. Sockets that do not speak HTTP are left out: tools use them to talk
 * to each other.
 */
export function appServers(events: readonly RecordingEvent[]): readonly AppServer[] {
  const live = new Set(liveProcesses(events).map(({ pid }) => pid));
  const starts = new Map(events.flatMap((event) => (event.type === 'start' ? [[event.isolate, event] as const] : [])));
  const over = new Set(events.flatMap((event) => (event.type === 'end' ? [event.isolate] : [])));
  const closed = new Set(events.flatMap((event) => (event.type === 'closes' ? [keyOf(event)] : [])));
  const newest = new Map<string, AppServer>();
  for (const event of events) {
    const start = event.type === 'listens' ? starts.get(event.isolate) : undefined;
    if (event.type !== 'listens' || start === undefined || isOfTools(event)) continue;
    const { type: _, isolate, at, ...server } = event;
    const { pid } = start;
    if (over.has(isolate) || closed.has(keyOf(event)) || !live.has(pid)) continue;
    const address = `${server.port} ${server.path}`;
    // The primary of a cluster listens at the port that its workers serve.
    if (server.protocol === 'other' && newest.has(address)) continue;
    newest.delete(address); // The newest comes last.
    newest.set(address, { ...server, pid, url: urlOf(server), readyUs: microseconds(at - start.at) });
  }
  const rank = ({ protocol }: AppServer): number => serverProtocols.indexOf(protocol);
  return [...newest.values()].toReversed().toSorted((a, b) => rank(a) - rank(b));
}

function keyOf({ isolate, server }: { readonly isolate: string; readonly server: number }): string {
  return `${isolate} ${server}`;
}

function isOfTools({ protocol, path }: ListeningServer): boolean {
  return protocol === 'other' && path !== '';
}

function urlOf({ protocol, host, port }: ListeningServer): string | null {
  if (port < 0 || protocol === 'other') return null;
  const isAny = host === '' || host === '::' || host === '0.0.0.0' || host === '127.0.0.1' || host === '::1';
  const name = isAny ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `${protocol === 'http' ? 'http' : 'https'}://${name}:${port}`;
}
