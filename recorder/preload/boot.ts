import fs from 'node:fs';
import path from 'node:path';
import v8 from 'node:v8';
import vm from 'node:vm';
import { eventsFile, recordingDirVariable, recordingFile } from '../../protocol/recording.ts';
import type { RecordingEvent } from '../../protocol/recording-lines.ts';

/** The text of the recorder (main.ts), put here by the build. */
declare const recorderText: string;

/** The recorder's code, which it gets as `hotspanCode`. */
export interface OwnCode {
  /** The file for V8's compiled code; null where this is not the lasting copy, or was started from such code already. */
  readonly file: string | null;
  readonly script: vm.Script;
}

/**
 * Runs the recorder, with the code that V8 compiled of it in an earlier process of the same Node (`keepCode`): compiling
 * takes 4 to 6 ms in each process. V8 checks that the code belongs to this version, flags, processor and text length.
 */
function start(): void {
  const file = codeFile(__filename);
  const cachedData = file === null ? undefined : readCode(file);
  const source = `(function (require, __filename, hotspanCode) {${recorderText}\n})`;
  const script = new vm.Script(source, { filename: __filename, ...(cachedData === undefined ? {} : { cachedData }) });
  const isKept = cachedData !== undefined && script.cachedDataRejected === false;
  const ownCode: OwnCode = { file: isKept ? null : file, script };
  const run: unknown = script.runInThisContext();
  if (typeof run === 'function') Reflect.apply(run, undefined, [require, __filename, ownCode]);
}

try {
  start();
} catch (error) {
  reportFailure(error);
}

/**
 * Reports a failure to the recording, if that has not ended. The recorder cannot report what fails before it knows its
 * run, and nothing may be printed into the program's output. Throws the system's errors, which bundles.mjs drops.
 */
function reportFailure(error: unknown): void {
  const folder = process.env[recordingDirVariable];
  if (folder === undefined) return;
  if (!fs.readFileSync(path.join(folder, recordingFile), 'utf8').includes('"endedAt": null')) return;
  const reason = `the recorder failed (${String(error instanceof Error ? error.stack : error).slice(0, 500)}). Please report it.`;
  const event: RecordingEvent = { type: 'unprofiled', isolate: String(process.pid), reason };
  const { O_WRONLY, O_CREAT, O_APPEND, O_NOFOLLOW } = fs.constants;
  // Windows has no O_NOFOLLOW: undefined counts as 0.
  const flags = O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW;
  const descriptor = fs.openSync(path.join(folder, eventsFile), flags, 0o600);
  fs.writeSync(descriptor, `${JSON.stringify(event)}\n`);
  fs.closeSync(descriptor);
}

/**
 * The file for the compiled code, beside the lasting copy, whose name contains a hash of its text. Null for a recorder in
 * an installed package, and where another user may write: V8 runs any code that it is given.
 */
function codeFile(recorderFile: string): string | null {
  const [whole] = /^.*\brecorder-[0-9a-f]{12}(?=\.cjs$)/.exec(recorderFile) ?? [];
  return whole === undefined || !isClosedFolder(path.dirname(whole))
    ? null
    : `${whole}.${v8.cachedDataVersionTag().toString(16)}.code`;
}

function isClosedFolder(folder: string): boolean {
  try {
    const stats = fs.lstatSync(folder);
    return stats.isDirectory() && isPrivate(stats);
  } catch {
    return false; // The folder was deleted.
  }
}

/** Whether only this user may write. On Windows only the rights of the folder above count. */
function isPrivate({ uid, mode }: fs.Stats): boolean {
  return process.geteuid === undefined || (uid === process.geteuid() && (mode & 0o022) === 0);
}

/** The compiled code, which the file has twice, to detect damage. The rights are checked on the opened file. */
function readCode(codes: string): Buffer | undefined {
  try {
    const descriptor = fs.openSync(
      codes,
      fs.constants.O_RDONLY | fs.constants.O_NONBLOCK | (fs.constants.O_NOFOLLOW ?? 0),
    );
    try {
      const stats = fs.fstatSync(descriptor);
      if (!stats.isFile() || !isPrivate(stats)) return undefined;
      const bytes = fs.readFileSync(descriptor);
      const half = bytes.length / 2;
      const code = bytes.subarray(0, half);
      return code.equals(bytes.subarray(half)) ? code : undefined;
    } finally {
      fs.closeSync(descriptor);
    }
  } catch {
    return undefined; // No code was kept yet.
  }
}
