import { isWithin } from '../../../protocol/machine-path.ts';
import { host } from './host.ts';

export interface PlainFile {
  readonly text: string;
  /** When the file was last written, replaced or moved, in ms since the epoch. */
  readonly changedAt: number;
}

/**
 * The text of a file that the program, the url of a script, or a comment names. Null where it is not a regular file or
 * is on another machine; `large` where it has more than `maxBytes`. It never waits: pipes are not opened, and if a pipe
 * has just taken the file's place, opening it does not wait either. Throws where the file is missing or not readable.
 */
export function readPlainFile(path: string, maxBytes: number): PlainFile | 'large' | null {
  // Checked first, because even opening a device may have an effect.
  if (changedAt(path) === null) return null;
  const descriptor = host.openSync(path, host.reading);
  try {
    const stats = host.fstatSync(descriptor);
    if (!stats.isFile()) return null;
    if (stats.size > maxBytes) return 'large';
    // Files that the kernel makes up have the size 0, and reading them may wait.
    return { text: stats.size === 0 ? '' : host.readFileSync(descriptor, 'utf8'), changedAt: stats.ctimeMs };
  } finally {
    host.closeSync(descriptor);
  }
}

/** When a file was last written, replaced or moved, in ms since the epoch; null where `readPlainFile` gives null. */
export function changedAt(path: string): number | null {
  const stats = isWithin(path, startedIn) ? host.statSync(path, { throwIfNoEntry: false }) : undefined;
  return stats?.isFile() === true ? stats.ctimeMs : null;
}

/** If the program lies on a network share, so do its files: Node has asked for them already. */
const startedIn = [currentFolder(), process.argv[1] ?? ''];

function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    return ''; // The folder was deleted.
  }
}
