import { fileURLToPath } from 'node:url';
import { isWithin } from '../../../protocol/machine-path.ts';
import { host } from './host.ts';

export interface PlainFile {
  readonly text: string;
  /** When it was written, replaced or moved there, in ms since the epoch. */
  readonly changedAt: number;
}

/**
 * The text of a file that a program, a script's url or a comment names. Null where there is no regular file, or it is another machine's;
 * `large` where it has more than `most` bytes. Waits for nobody: a pipe is not opened, nor does opening one wait that has come
 * there meanwhile. Throws where there is none, or it may not be read.
 */
export function readPlainFile(path: string, most: number): PlainFile | 'large' | null {
  if (!isWithin(path, startedIn)) return null;
  // Only opening a device may already do something.
  if (host.statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return null;
  const descriptor = host.openSync(path, host.reading);
  try {
    const stats = host.fstatSync(descriptor);
    if (!stats.isFile()) return null;
    if (stats.size > most) return 'large';
    // What the kernel makes up has no size, and reading it may wait.
    return { text: stats.size === 0 ? '' : host.readFileSync(descriptor, 'utf8'), changedAt: stats.ctimeMs };
  } finally {
    host.closeSync(descriptor);
  }
}

/** Reads the file of a `file:` url, like `readPlainFile`. */
export function readPlainUrl(url: string | URL, most: number): PlainFile | 'large' | null {
  return readPlainFile(fileURLToPath(url), most);
}

/** Where a program lies on a share, its files do, too: Node has asked for them already. */
const startedIn = [currentFolder(), process.argv[1] ?? ''];

function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    return ''; // It was deleted.
  }
}
