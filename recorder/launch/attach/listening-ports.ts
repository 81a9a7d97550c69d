import { execFile } from 'node:child_process';
import { readFile, readdir, readlink } from 'node:fs/promises';
import path from 'node:path';

/** Where somebody listens for TCP connections. */
export interface Place {
  /** An address without brackets; that of this machine where it listens on all. */
  readonly host: string;
  readonly port: number;
}

/** Where a process of this user listens, by ascending ports; nowhere on Windows, and where it cannot be found out. */
export async function listeningPlaces(pid: number): Promise<readonly Place[]> {
  if (process.platform === 'linux') return linuxPlaces(pid);
  if (process.platform === 'darwin') return placesInLsof(await lsof(pid));
  return [];
}

async function linuxPlaces(pid: number): Promise<readonly Place[]> {
  const folder = `/proc/${pid}`;
  const tables = ['net/tcp', 'net/tcp6'].map((name) => readFile(path.join(folder, name), 'utf8').catch(() => ''));
  return placesInTables((await Promise.all(tables)).join('\n'), await socketsOf(folder));
}

/** Of the text of Linux' `/proc/…/net/tcp`: local address and port in hex, state `0A` listens, the socket's number. */
export function placesInTables(text: string, sockets: ReadonlySet<string>): readonly Place[] {
  const places = text.split('\n').flatMap((line) => {
    const [, local = '', , state, , , , , , socket = ''] = line.trim().split(/\s+/);
    if (state !== '0A' || !sockets.has(socket)) return [];
    const [host = '', port = ''] = local.split(':');
    return [{ host: hostOfHex(host), port: Number.parseInt(port, 16) }];
  });
  return ascending(places);
}

/** Words of four bytes, each with its last byte first. */
function hostOfHex(hex: string): string {
  const bytes = Array.from(hex.match(/.{8}/g) ?? [], (word) => Buffer.from(word, 'hex').toReversed());
  const [first] = bytes;
  if (bytes.length === 1 && first !== undefined) return ofThisMachine(first.join('.'));
  const groups = Buffer.concat(bytes).toString('hex').match(/.{4}/g) ?? [];
  return ofThisMachine(new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1));
}

/** Of the output of `lsof -Fn`: `n127.0.0.1:9229`. */
export function placesInLsof(text: string): readonly Place[] {
  const lines = text.matchAll(/^n\[?(.*?)\]?:(\d+)$/gm);
  return ascending(Array.from(lines, ([, host = '', port]) => ({ host: ofThisMachine(host), port: Number(port) })));
}

/** What listens on all addresses is found at this one. */
export function ofThisMachine(host: string): string {
  if (host === '*' || host === '0.0.0.0') return '127.0.0.1';
  return host === '::' ? '::1' : host;
}

function ascending(places: readonly Place[]): readonly Place[] {
  return places
    .filter((place, index) => places.findIndex((other) => isSame(place, other)) === index)
    .toSorted((a, b) => a.port - b.port);
}

export function isSame(a: Place, b: Place): boolean {
  return a.host === b.host && a.port === b.port;
}

/** Numbers of the sockets that a process has open. */
async function socketsOf(folder: string): Promise<ReadonlySet<string>> {
  const names = await readdir(path.join(folder, 'fd')).catch(() => []);
  const links = await Promise.all(names.map((name) => readlink(path.join(folder, 'fd', name)).catch(() => '')));
  return new Set(links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []));
}

async function lsof(pid: number): Promise<string> {
  const args = ['-a', '-p', String(pid), '-iTCP', '-sTCP:LISTEN', '-P', '-n', '-Fn'];
  return new Promise((resolve) => {
    execFile('lsof', args, { timeout: 5000 }, (_, stdout) => resolve(stdout));
  });
}
