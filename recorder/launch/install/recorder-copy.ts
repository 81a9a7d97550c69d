import path from 'node:path';
import {
  chmod,
  lstat,
  readFile,
  readdir,
  remove,
  rename,
  unlink,
  utimes,
  writeFile,
} from '../../../recordings/files-at-once.ts';
import { ownCacheFolder, makeFolders, isFolder, notOursAlone, upwards } from '../../../recordings/private-files.ts';
import { lstatSync } from 'node:fs';

/**
 * Copies the recorder to the first usable one of `homes`, and returns its path; the bundled file where none is usable. The
 * copy outlives every recording and every update of Hotspan: a daemon that a recorded run has started keeps `--require
 * FILE`, and every Node that it starts would die without the file. The name contains a key of the text.
 */
export async function installRecorder(bundled: string, homes: readonly RecorderHome[]): Promise<string> {
  for (const home of homes) {
    try {
      return await installIn(home, bundled);
    } catch {
      // It is read-only, or others may write to it.
    }
  }
  return bundled; // This works until Hotspan is updated.
}

async function installIn(home: RecorderHome, bundled: string): Promise<string> {
  const text = await readFile(bundled);
  const { isShared } = home;
  // Reports of coverage, also Node's own, leave out what is below `node_modules`.
  const folder = path.join(home.folder, 'node_modules', 'hotspan');
  const file = path.join(folder, `recorder-${keyOf(text)}.cjs`);
  makeHome(home);
  makeHome({ folder, isShared });
  if (!(await isOurs(file)) || !(await readFile(file).catch(() => null))?.equals(text)) {
    const unfinished = `${file}.${process.pid}.tmp`;
    await remove(unfinished);
    await writeFile(unfinished, text, { mode: 0o600, flag: 'wx' });
    if (isShared) await chmod(unfinished, 0o644);
    await rename(unfinished, file);
  }
  const now = new Date();
  // Seldom: each change of the file restarts the programs under `node --watch` that have loaded it.
  if ((await ageOf(file, now)) > LASTING_MS / 3) await utimes(file, now, now);
  await prune(folder, now);
  return file;
}

/** A copy stays for at least two thirds of this time after its last use. */
const LASTING_MS = 90 * 24 * 3600 * 1000;

/** Time since the file was written, or its time renewed, in ms. */
async function ageOf(file: string, now: Date): Promise<number> {
  return now.getTime() - (await lstat(file)).mtimeMs;
}

/** Twelve hexadecimal digits that keep versions apart. `node:crypto` would take 10 ms to load before each command. */
function keyOf(text: Buffer): string {
  let [one, other] = [text.length, 0x9e3779b9];
  const words = new Int32Array(new Uint8Array(text).buffer, 0, text.length >> 2);
  // oxlint-disable-next-line typescript/prefer-for-of -- An iterator doubles the time, 1.5 ms before V8 compiles this.
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? 0;
    one = Math.imul(one ^ word, 0x01000193);
    one ^= one >>> 15;
    other = Math.imul(other + word, 0x85ebca6b) ^ (other >>> 13);
  }
  for (const byte of text.subarray(text.length & ~3)) one = Math.imul(one ^ byte, 0x01000193);
  const digits = [one, other].map((number) => (number >>> 0).toString(16).padStart(8, '0'));
  return digits.join('').slice(0, 12);
}

/** Whether a file belongs to this user, is not a link, and only this user may write to it. */
async function isOurs(file: string): Promise<boolean> {
  const stats = await lstat(file).catch(() => null);
  if (stats === null || process.geteuid === undefined) return stats !== null;
  return stats.isFile() && stats.uid === process.geteuid() && (stats.mode & 0o022) === 0;
}

/** Deletes old copies of the recorder, and its compiled code. */
async function prune(folder: string, now: Date): Promise<void> {
  for (const name of await readdir(folder)) {
    const file = path.join(folder, name);
    const isRecorders = /^recorder-[0-9a-f]{12}\.(cjs$|[0-9a-f]+\.code)/.test(name);
    if (isRecorders && (await ageOf(file, now)) > LASTING_MS) await unlink(file);
  }
}

/** A folder for the lasting copy of the recorder. */
export interface RecorderHome {
  readonly folder: string;
  /** All users may read the files in it, and only root has written them. */
  readonly isShared: boolean;
}

/** The folders for the copy, the best first. Root's processes may go on as a user who cannot read root's folder. */
export function recorderHomes(env: NodeJS.ProcessEnv, isRoot = process.getuid?.() === 0): readonly RecorderHome[] {
  const shared = isRoot ? sharedCacheFolder(process.platform) : null;
  const own = ownCacheFolder(env);
  return [
    ...(shared === null ? [] : [{ folder: shared, isShared: true }]),
    ...(own === null ? [] : [{ folder: own, isShared: false }]),
  ];
}

/** Makes the folder where it is missing. Throws where that fails, and where others might write to it. */
export function makeHome({ folder, isShared }: RecorderHome): void {
  makeFolders(folder, isShared ? 0o755 : 0o700);
  const suspect = isShared ? upwards(folder).find((one) => !isRootsAlone(one, one === folder)) : notOursAlone(folder);
  if (suspect !== undefined && suspect !== null) throw new Error(`Others may write to ${suspect}.`);
}

/** Whether only root can change a folder. For those above, a sticky bit is enough. A link is refused. */
function isRootsAlone(folder: string, isLast: boolean): boolean {
  const stats = lstatSync(folder);
  const { uid, mode } = stats;
  const isClosed = (mode & 0o022) === 0 || (!isLast && (mode & 0o1000) !== 0);
  return uid === 0 && isFolder(stats) && isClosed;
}

/** The system's cache folder, which all users may read; null where there is none. */
export function sharedCacheFolder(platform: NodeJS.Platform): string | null {
  if (platform === 'win32') return null;
  return platform === 'darwin' ? '/Library/Caches/hotspan' : '/var/cache/hotspan';
}
