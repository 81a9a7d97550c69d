import path from 'node:path';
import { execFile } from 'node:child_process';
import { readFile, readdir, readlink } from 'node:fs/promises';

export interface NodeProcess {
  readonly pid: number;
  /** The command with its arguments. */
  readonly command: string;
  /** Port of its inspector according to its command line; null where it names none. */
  readonly port: number | null;
}

/** Node processes of this user, without our own and the editor's. Empty on Windows, where listing them is expensive. */
export async function listNodeProcesses(): Promise<readonly NodeProcess[]> {
  if (process.platform === 'win32') return [];
  return nodeProcessesIn(await ps(['-U', String(process.getuid?.() ?? 0), '-o', 'pid=,args=']));
}

/** Reads the output of `ps -o pid=,args=`. */
export function nodeProcessesIn(text: string): readonly NodeProcess[] {
  return text.split('\n').flatMap((line) => {
    const [, pid, command = ''] = /^\s*(\d+)\s+(.*)$/.exec(line) ?? [];
    const [program = ''] = command.split(' ');
    if (pid === undefined || !/(^|\/)node(js)?$/.test(program) || editor.test(command) || Number(pid) === process.pid)
      return [];
    return [{ pid: Number(pid), command, port: portOf(command) }];
  });
}

/** The command line of a process if it is Node; null for any other process, and where there is none. */
export async function isNode(pid: number): Promise<string | null> {
  const [found] = nodeProcessesIn(await ps(['-p', String(pid), '-o', 'pid=,args=']));
  return found?.command ?? null;
}

/** Matches processes of VS Code, its language servers, and those that Hotspan itself runs. */
const editor =
  /\bvscode-server\b|\bcode-server\b|--type=\w+|\bextensions\/|[/\\]dist[/\\](cli|server)\.cjs\b|bootstrap-fork/;

function portOf(command: string): number | null {
  const option = /\s--inspect(?:-brk|-wait)?(?:=(?:[^\s:]+:)?(\d+))?(?=\s|$)/.exec(command);
  return option === null ? null : Number(option[1] ?? 9229);
}

async function ps(args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile('ps', args, { timeout: 5000, maxBuffer: 1e7 }, (_, stdout) => resolve(stdout));
  });
}

/**
 * The places where a process of this user listens, by ascending ports. Empty on Windows, and where they cannot be found
 * out.
 */
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

/**
 * Reads the text of Linux' `/proc/…/net/tcp`: local address and port in hex, the state (`0A` listens), the socket's
 * number.
 */
export function placesInTables(text: string, sockets: ReadonlySet<string>): readonly Place[] {
  const places = text.split('\n').flatMap((line) => {
    const [, local = '', , state, , , , , , socket = ''] = line.trim().split(/\s+/);
    if (state !== '0A' || !sockets.has(socket)) return [];
    const [host = '', port = ''] = local.split(':');
    return [{ host: hostOfHex(host), port: Number.parseInt(port, 16) }];
  });
  return ascending(places);
}

/** An address from hex digits: words of four bytes, each with its last byte first. */
function hostOfHex(hex: string): string {
  const bytes = Array.from(hex.match(/.{8}/g) ?? [], (word) => Buffer.from(word, 'hex').toReversed());
  const [first] = bytes;
  if (bytes.length === 1 && first !== undefined) return ofThisMachine(first.join('.'));
  const groups = Buffer.concat(bytes).toString('hex').match(/.{4}/g) ?? [];
  return ofThisMachine(new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1));
}

/** Reads the output of `lsof -Fn`: `n127.0.0.1:9229`. */
export function placesInLsof(text: string): readonly Place[] {
  const lines = text.matchAll(/^n\[?(.*?)\]?:(\d+)$/gm);
  return ascending(Array.from(lines, ([, host = '', port]) => ({ host: ofThisMachine(host), port: Number(port) })));
}

function ascending(places: readonly Place[]): readonly Place[] {
  return places
    .filter((place, index) => places.findIndex((other) => isSame(place, other)) === index)
    .toSorted((a, b) => a.port - b.port);
}

export function isSame(a: Place, b: Place): boolean {
  return a.host === b.host && a.port === b.port;
}

/** The numbers of the sockets that a process has open. */
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

/** A place where a process listens for TCP connections. */
export interface Place {
  /** An address without brackets; a loopback address where the process listens on all addresses. */
  readonly host: string;
  readonly port: number;
}

/** A process that listens on all addresses is reached at the loopback address. */
export function ofThisMachine(host: string): string {
  if (host === '*' || host === '0.0.0.0') return '127.0.0.1';
  return host === '::' ? '::1' : host;
}
