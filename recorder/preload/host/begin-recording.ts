import type { Stats } from 'node:fs';
import path from 'node:path';
import { type RecordingManifest, recordingFile, recordingVersion } from '../../../protocol/recording.ts';
import { redactArguments } from '../../command-lines/redact.ts';
import { microseconds } from '../../../protocol/units.ts';
import { attempt, host } from './host.ts';
import { writeFile } from './output.ts';

/**
 * Begins a recording where no `hotspan record` has done so: the program was started with `--require hotspan/recorder`
 * and `HOTSPAN_DIR`. Nothing will note when such a recording ends. An existing manifest that cannot be read is left as
 * it is.
 */
export function beginRecording(directory: string, intervalUs: number, mostBytes: number): void {
  attempt(() => {
    makeFolders(directory);
    if (host.readdirSync(directory).includes(recordingFile)) return;
    const file = path.join(directory, recordingFile);
    const unfinished = `${file}.${process.pid}.tmp`;
    writeFile(unfinished, 'w', `${host.toJson(manifestOf(intervalUs, mostBytes), null, 2)}\n`);
    host.renameSync(unfinished, file);
  });
}

/** Goes level by level: in `/proc` and similar file systems, Node's `recursive` never returns. */
function makeFolders(folder: string): void {
  const above = path.dirname(folder);
  if (isThere(folder) || above === folder) return;
  makeFolders(above);
  try {
    host.mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (!isThere(folder)) throw error; // Otherwise another process was quicker.
  }
}

/**
 * The folder of such a recording. Node writes the profiles of worker threads through links, so it must belong to this
 * user, and nobody else may write to it. An existing folder that is open to others gets an inner folder for the
 * recording. Null where somebody else has put something there before: then nothing is recorded.
 */
export function closedFolder(given: string): string | null {
  const user = process.geteuid?.();
  const stats = host.statSync(given, { throwIfNoEntry: false });
  if (user === undefined || stats === undefined || isClosed(stats, user)) return given;
  const inner = path.join(given, innerFolder);
  const isOwn = stats.uid === user;
  if (!isOwn && host.readdirSync(given).some((name) => name !== innerFolder)) return null;
  const isMade = isMadeNow(inner);
  const found = host.lstatSync(inner, { throwIfNoEntry: false });
  if (found !== undefined && isClosed(found, user)) return inner;
  if (!isMade || !isOwn) return null;
  host.rmdirSync(inner);
  return given; // The file system has no access rights.
}

const innerFolder = 'recording';

function isMadeNow(folder: string): boolean {
  try {
    host.mkdirSync(folder, { mode: 0o700 });
    return true;
  } catch {
    return false; // It existed already, or nothing can be made there.
  }
}

function isClosed(stats: Stats, user: number): boolean {
  const others = stats.gid === stats.uid ? 0o002 : 0o022; // Many systems give each user a group of the same number.
  return stats.isDirectory() && stats.uid === user && (stats.mode & others) === 0;
}

function isThere(file: string): boolean {
  return host.statSync(file, { throwIfNoEntry: false }) !== undefined;
}

function manifestOf(intervalUs: number, mostBytes: number): RecordingManifest {
  return {
    version: recordingVersion,
    hotspanVersion: 'unknown',
    command: redactArguments(['node', ...process.execArgv, ...process.argv.slice(1)]),
    cwd: process.cwd(),
    startedAt: new Date(host.wallClock()).toISOString(),
    endedAt: null,
    exitCode: null,
    signal: null,
    intervalUs: microseconds(intervalUs),
    mostBytes,
    evaluated: process.argv.length < 2,
    notes: [],
    environment: {
      NODE_ENV: process.env['NODE_ENV'] ?? null,
      coverage: process.env['NODE_V8_COVERAGE'] !== undefined,
    },
  };
}
