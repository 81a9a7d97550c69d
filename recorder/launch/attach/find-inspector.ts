import { isAtOrBelow } from '../../../protocol/path-spelling.ts';
import { setTimeout as delay } from 'node:timers/promises';
import { isRecord, parseJson, textOrNull } from '../../../protocol/json-value.ts';
import path from 'node:path';
import { execFile } from 'node:child_process';
import { readFile, readdir, readlink, realpath } from 'node:fs/promises';

export type FoundInspector =
  /** `openedIn`: the process in which it was opened for the attachment, and must be closed; null where it was open. */
  | { readonly type: 'found'; readonly url: string; readonly openedIn: number | null }
  /** One sentence. */
  | { readonly type: 'none'; readonly message: string };

/** By `9229`, `host:9229`, `ws://…`, or `pid:123`: then a process without an inspector opens one at SIGUSR1. */
export async function findInspector(address: string, isGivenUp?: AbortSignal): Promise<FoundInspector> {
  // A connection to a url with a fragment cannot be opened.
  if (/^wss?:\/\/[^#]+$/.test(address) && URL.canParse(address)) return found(address);
  const pid = /^pid:(\d+)$/.exec(address)?.[1];
  if (pid !== undefined) return openInspector(Number(pid), isGivenUp);
  const [, host = '127.0.0.1', port] = /^(?:\[?([^[\]/?#@\s]+?)\]?:)?(\d{1,5})$/.exec(address) ?? [];
  if (port === undefined)
    return none(
      `"${address}" is not an inspector: give its port (9229), host:port, the ws:// address that it prints, or pid:123.`,
    );
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
  if (command === null) return none(`You have no Node.js process ${pid}: look up its number again.`);
  if (hasAnyPort.test(command)) return inspectorOf(pid);
  const place = placeIn(command);
  const before = { url: await inspectorAt(place), places: await listeningPlaces(pid) };
  if (before.url !== null)
    return command.includes('--inspect') &&
      (before.places.length === 0 || before.places.some(({ port }) => port === place.port))
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

/** Asks every place where the process begins to listen: NODE_OPTIONS may name another port than the command line. */
async function openedInspector(
  pid: number,
  place: Place,
  before: readonly Place[],
  isGivenUp: AbortSignal | undefined,
): Promise<FoundInspector> {
  const start = performance.now();
  let opened: readonly Place[] = [];
  while (performance.now() - start < MAX_WAIT_MS) {
    if (isGivenUp?.aborted === true) break;
    const places = await listeningPlaces(pid);
    opened = places.filter((one) => !before.some((other) => isSame(one, other)));
    for (const one of places.length === 0 ? [place] : opened) {
      const url = await inspectorAt(one);
      if (url !== null) return { type: 'found', url, openedIn: pid };
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

/** A program whose event loop is blocked, which users want to profile, answers late. */
const MAX_WAIT_MS = 5000;

/** Where a process opens its inspector, by its command line: `--inspect-port=9555`, `…=[::1]:9555`. */
export function placeIn(command: string): Place {
  const [, v6, host, port] = placeOption.exec(command) ?? [];
  return { host: ofThisMachine(v6 ?? host ?? '127.0.0.1'), port: Number(port ?? 9229) };
}

const placeOption =
  /\s--(?:inspect-port|debug-port|inspect(?:-brk|-wait)?)=(?:(?:\[([^\]\s]+)\]|([^\s:]+)):)?(\d+)(?=\s|$)/;

/** `--inspect=0`: the system chose the port. Only then all ports of a process are asked, also those of its servers. */
const hasAnyPort = /\s--inspect(?:-brk|-wait)?=(?:[^\s:]+:)?0(?=\s|$)/;

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

/** Whether more than one client is connected to the inspector of a process. Not known on Windows: false. */
export async function hasOtherClients(url: string, pid: number): Promise<boolean> {
  const { port } = new URL(url);
  if (process.platform === 'linux') {
    const { tables, sockets } = await linuxSockets(pid);
    const own = socketsIn(tables, sockets, connected);
    return own.filter((place) => place.port === Number(port)).length > 1;
  }
  const lsof = ['-a', '-p', String(pid), `-iTCP:${port}`, '-sTCP:ESTABLISHED', '-P', '-n', '-Fn'];
  const text = process.platform === 'darwin' ? await outputOf('lsof', lsof) : '';
  return Array.from(text.matchAll(new RegExp(`^n.*:${port}->`, 'gm'))).length > 1;
}

/** The url of the inspector at a place, always with this host and port; null where nothing answers like an inspector. */
async function inspectorAt({ host, port }: Place): Promise<string | null> {
  const base = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  try {
    const answer = await fetch(`http://${base}/json/list`, { redirect: 'error', signal: AbortSignal.timeout(2000) });
    const targets = parseJson(await textOf(answer));
    const first: unknown = Array.isArray(targets) ? targets[0] : null;
    const url = isRecord(first) ? textOrNull(first['webSocketDebuggerUrl']) : null;
    return url === null ? null : new URL(`ws://${base}${new URL(url).pathname}`).href;
  } catch {
    return null; // Nothing listens there, or it is not an inspector.
  }
}

/** The text of an answer; empty where it is longer than any list of inspectors. */
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
  return { type: 'found', url, openedIn: null };
}

function none(message: string): FoundInspector {
  return { type: 'none', message };
}

export interface NodeProcess {
  readonly pid: number;
  /** The command with its arguments. */
  readonly command: string;
  /** Port of its inspector according to its command line; null where it names none. */
  readonly port: number | null;
}

/** Node processes of this user, without Hotspan's and the editor's. Empty on Windows, where listing them is slow. */
async function listNodeProcesses(): Promise<readonly NodeProcess[]> {
  if (process.platform === 'win32') return [];
  return listedProcesses(['-U', String(process.getuid?.() ?? 0)]);
}

/** Node processes of a selection of `ps`. A program may give its process a title of its own: Linux knows its file. */
async function listedProcesses(selection: readonly string[]): Promise<readonly NodeProcess[]> {
  const text = await outputOf('ps', [...selection, '-o', 'pid=,args=']);
  const pids = Array.from(text.matchAll(/^\s*(\d+)/gm), ([, pid]) => Number(pid));
  const links = pids.map(async (pid) => [pid, await readlink(`/proc/${pid}/exe`).catch(() => '')] as const);
  return nodeProcessesIn(text, new Map(await Promise.all(links)));
}

/** A process with what tells it apart for a person. */
export interface PlacedProcess extends NodeProcess {
  /** Whether its working folder is the given one, or below it. False where it is not known. */
  readonly isHere: boolean;
  /** Where it listens, without its inspector. */
  readonly ports: readonly number[];
}

/** Node processes as `listNodeProcesses`, those of a folder first, then those that listen. */
export async function listProcessesOf(folder: string): Promise<readonly PlacedProcess[]> {
  const here = await realpath(folder).catch(() => folder);
  const all = await Promise.all(
    (await listNodeProcesses()).map(async (one): Promise<PlacedProcess> => {
      const cwd = await readlink(`/proc/${one.pid}/cwd`).catch(() => null);
      const places = (await listeningPlaces(one.pid)).filter(({ port }) => port !== one.port);
      const isHere = cwd !== null && isAtOrBelow(cwd, here);
      return { ...one, isHere, ports: [...new Set(places.map(({ port }) => port))] };
    }),
  );
  const rank = ({ isHere, ports }: PlacedProcess): number => (isHere ? 2 : 0) + (ports.length > 0 ? 1 : 0);
  return all.toSorted((a, b) => rank(b) - rank(a));
}

/** Reads the output of `ps -o pid=,args=`. `files`: the programs' files by process, as far as they are known. */
export function nodeProcessesIn(text: string, files: ReadonlyMap<number, string> = new Map()): readonly NodeProcess[] {
  return text.split('\n').flatMap((line) => {
    const [, pid, command = ''] = /^\s*(\d+)\s+(.*)$/.exec(line) ?? [];
    const [program = ''] = command.split(' ');
    const file = files.get(Number(pid)) ?? '';
    const isNode = [program, file.replace(/ \(deleted\)$/, '')].some((name) => /(^|\/)node(js)?$/.test(name));
    if (pid === undefined || !isNode || notOfPerson.test(`${command} ${file}`) || Number(pid) === process.pid)
      return [];
    return [{ pid: Number(pid), command, port: portOf(command) }];
  });
}

/** The command line of a process if it is Node; null for any other process, and where there is none. */
async function isNode(pid: number): Promise<string | null> {
  const [found] = await listedProcesses(['-p', String(pid)]);
  return found?.command ?? null;
}

/** Processes of VS Code, its language servers, and Hotspan, and those that only start the person's. */
const notOfPerson =
  /^(?:npm|npx|pnpm|yarn|PM2) |\bvscode-server\b|\bcode-server\b|\.vscode[\w-]*\/extensions\/|hotspan[^/\s]*(?:\/\S*)?\/dist\/(cli|server)\.cjs\b|bootstrap-fork/;

function portOf(command: string): number | null {
  const option = /\s--inspect(?:-brk|-wait)?(?:=(?:[^\s:]+:)?(\d+))?(?=\s|$)/.exec(command);
  return option === null ? null : Number(option[1] ?? 9229);
}

/** The output of a program, as far as it succeeds. */
async function outputOf(program: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(program, args, { timeout: 5000, maxBuffer: 1e7 }, (_, stdout) => resolve(stdout));
  });
}

/** The places where a process of this user listens, by ascending ports. Empty on Windows, and where they are unknown. */
export async function listeningPlaces(pid: number): Promise<readonly Place[]> {
  if (process.platform === 'linux') return linuxPlaces(pid);
  const lsof = ['-a', '-p', String(pid), '-iTCP', '-sTCP:LISTEN', '-P', '-n', '-Fn'];
  if (process.platform === 'darwin') return placesInLsof(await outputOf('lsof', lsof));
  return [];
}

async function linuxPlaces(pid: number): Promise<readonly Place[]> {
  const { tables, sockets } = await linuxSockets(pid);
  return placesInTables(tables, sockets);
}

/** The TCP sockets that a process can see, and the numbers of its own ones. */
async function linuxSockets(pid: number) {
  const folder = `/proc/${pid}`;
  const tables = ['net/tcp', 'net/tcp6'].map((name) => readFile(path.join(folder, name), 'utf8').catch(() => ''));
  return { tables: (await Promise.all(tables)).join('\n'), sockets: await socketsOf(folder) };
}

/** The places where sockets listen. */
export function placesInTables(text: string, sockets: ReadonlySet<string>): readonly Place[] {
  return ascending(socketsIn(text, sockets, '0A'));
}

/** A state in Linux' tables. */
const connected = '01';

/** Reads Linux' `/proc/…/net/tcp`: local address and port in hex, the state (`0A` listens), the socket's number. */
function socketsIn(text: string, sockets: ReadonlySet<string>, wanted: string): readonly Place[] {
  return text.split('\n').flatMap((line) => {
    const [, local = '', , state, , , , , , socket = ''] = line.trim().split(/\s+/);
    if (state !== wanted || !sockets.has(socket)) return [];
    const [host = '', port = ''] = local.split(':');
    return [{ host: hostOfHex(host), port: Number.parseInt(port, 16) }];
  });
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

function isSame(a: Place, b: Place): boolean {
  return a.host === b.host && a.port === b.port;
}

/** The numbers of the sockets that a process has open. */
async function socketsOf(folder: string): Promise<ReadonlySet<string>> {
  const names = await readdir(path.join(folder, 'fd')).catch(() => []);
  const links = await Promise.all(names.map((name) => readlink(path.join(folder, 'fd', name)).catch(() => '')));
  return new Set(links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []));
}

/** A place where a process listens for TCP connections. */
export interface Place {
  /** An address without brackets; a loopback address where the process listens on all addresses. */
  readonly host: string;
  readonly port: number;
}

/** A process that listens on all addresses is reached at the loopback address. */
function ofThisMachine(host: string): string {
  if (host === '*' || host === '0.0.0.0') return '127.0.0.1';
  return host === '::' ? '::1' : host;
}
