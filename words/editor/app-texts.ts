import type { ListeningServer } from '../../protocol/recording-lines.ts';
import type { Microseconds } from '../../protocol/units.ts';
import { duration } from '../formats/figures.ts';

type ShownServer = Pick<ListeningServer, 'port' | 'path' | 'protocol'> & { readonly readyUs: Microseconds };

/** `listening on :3000 and :9090, 0.9 s after its start`; empty without servers. */
export function listeningText(servers: readonly ShownServer[]): string {
  const [first] = servers;
  if (first === undefined) return '';
  const names = servers.slice(0, MAX_SERVERS).map(({ protocol, ...at }) => `${addressText(at)}${notes[protocol]}`);
  const more = servers.length > MAX_SERVERS ? ` and ${servers.length - MAX_SERVERS} more` : '';
  return `listening on ${names.join(', ')}${more}, ${duration(first.readyUs)} after its start`;
}

const MAX_SERVERS = 3;

const notes: Readonly<Record<ListeningServer['protocol'], string>> = {
  ...{ http: '', https: ' (TLS)', http2: ' (HTTP/2)', other: ' (not HTTP)' },
};

/** `:3000`, or the path of a socket. */
export function addressText({ port, path }: Pick<ListeningServer, 'port' | 'path'>): string {
  return port < 0 ? path : `:${port}`;
}
