import { execFile } from 'node:child_process';
import { readFile, readdir, readlink } from 'node:fs/promises';
import path from 'node:path';

/** The TCP ports that a process of this user listens on, ascending; none on Windows, and where it cannot be found out. */
export async function listeningPorts(pid: number): Promise<readonly number[]> {
  if (process.platform === 'linux') return linuxPorts(pid);
  if (process.platform === 'darwin') return portsInLsof(await lsof(pid));
  return [];
}

async function linuxPorts(pid: number): Promise<readonly number[]> {
  const folder = `/proc/${pid}`;
  const tables = ['net/tcp', 'net/tcp6'].map((name) => readFile(path.join(folder, name), 'utf8').catch(() => ''));
  return portsInTables((await Promise.all(tables)).join('\n'), await socketsOf(folder));
}

/** Of the text of Linux' `/proc/…/net/tcp`: local address and port in hex, state `0A` listens, the socket's number. */
export function portsInTables(text: string, sockets: ReadonlySet<string>): readonly number[] {
  const ports = text.split('\n').flatMap((line) => {
    const [, local = '', , state, , , , , , socket = ''] = line.trim().split(/\s+/);
    return state === '0A' && sockets.has(socket) ? [Number.parseInt(local.split(':')[1] ?? '', 16)] : [];
  });
  return ascending(ports);
}

/** Of the output of `lsof -Fn`: `n127.0.0.1:9229`. */
export function portsInLsof(text: string): readonly number[] {
  return ascending([...text.matchAll(/^n.*:(\d+)$/gm)].map(([, port]) => Number(port)));
}

function ascending(ports: readonly number[]): readonly number[] {
  return [...new Set(ports)].toSorted((a, b) => a - b);
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
