import path from 'node:path';
import { type RecordingManifest, recordingFile, recordingVersion } from '../../protocol/recording.ts';
import { redactArguments } from '../../protocol/redact.ts';
import { microseconds } from '../../protocol/units.ts';
import { attempt, host } from './host.ts';
import { writeFile } from './output.ts';

/**
 * Begins a recording where no `hotspan record` has done so: the program was started with `--require hotspan/recorder`
 * and `HOTSPAN_DIR`. Nobody is there to say when it ended. One that is there and cannot be read stays as it is.
 */
export function beginRecording(directory: string, intervalUs: number, mostBytes: number): void {
  attempt(() => {
    makeFolders(directory);
    if (host.readdirSync(directory).includes(recordingFile)) return;
    const file = path.join(directory, recordingFile);
    const unfinished = `${file}.${process.pid}.tmp`;
    writeFile(unfinished, 'w', `${host.toJson(manifestOf(intervalUs, mostBytes, notesOn(directory)), null, 2)}\n`);
    host.renameSync(unfinished, file);
  });
}

/** Level by level: in `/proc` and its like, Node's `recursive` goes on for ever. */
function makeFolders(folder: string): void {
  const above = path.dirname(folder);
  if (isThere(folder) || above === folder) return;
  makeFolders(above);
  try {
    host.mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (!isThere(folder)) throw error; // Else another process was quicker.
  }
}

function isThere(file: string): boolean {
  return host.statSync(file, { throwIfNoEntry: false }) !== undefined;
}

/** Node writes the profiles of worker threads for everybody to read, when it is too late for us to hide them. */
function notesOn(directory: string): readonly string[] {
  const isOpen = process.platform !== 'win32' && (host.statSync(directory).mode & 0o011) !== 0;
  if (!isOpen) return [];
  return [
    `Other users of this machine may read the profiles of worker threads in ${directory}, which was there before: chmod go= CPU.* in it hides them, and a folder that HOTSPAN_DIR makes itself is closed to others.`,
  ];
}

function manifestOf(intervalUs: number, mostBytes: number, notes: readonly string[]): RecordingManifest {
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
    notes,
    environment: {
      NODE_ENV: process.env['NODE_ENV'] ?? null,
      coverage: process.env['NODE_V8_COVERAGE'] !== undefined,
    },
  };
}
