import { existsSync } from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Microseconds } from '../../../protocol/units.ts';
import {
  type RecordingManifest,
  codeTracesFile,
  eventsFile,
  recordingDirVariable,
  recordingFile,
  recordingVersion,
} from '../../../protocol/recording.ts';
import type { RecordingEvent } from '../../../protocol/recording-lines.ts';
import { redactArguments } from '../../command-lines/redact.ts';
import { reachedThroughShell } from '../../command-lines/shell-command.ts';
import { tierFlags } from '../../command-lines/tier-flags.ts';
import {
  closedFolder,
  moveFiles,
  makeFolder,
  begin,
  finishManifest,
  discardEmpty,
  hideFromOthers,
} from './recording-folder.ts';
import { commandEnvironment } from './command-environment.ts';
import { hasCoverage, isEvaluated } from './command-line.ts';
import { installShim } from '../install/node-shim.ts';
import { installRecorder, type RecorderHome, recorderHomes } from '../install/recorder-copy.ts';
import { noteOwnCommand } from './own-commands.ts';
import { runCommand } from './run-command.ts';
import { watchingWaits } from './watch-waits.ts';
import { appendFile, remove } from '../../../recordings/files-at-once.ts';
import { appending, reasonOf } from '../../../recordings/private-files.ts';
import { defaultRecordingFolder } from '../../../recordings/default-folder.ts';

export interface RecordOptions {
  /** The command and its arguments; no shell interprets them. */
  readonly command: readonly string[];
  /** `tiers` records V8's logs instead of profiles. */
  readonly kind: 'profile' | 'tiers';
  readonly cwd: string;
  /** The person's environment. What Hotspan and its callers have put in it is taken out. */
  readonly env: NodeJS.ProcessEnv;
  readonly intervalUs: Microseconds;
  /** The most bytes that all files of the recording may have together; null: no limit. */
  readonly mostBytes: number | null;
  /** Folder for the recording; the default folder below `cwd` where it is not given. */
  readonly out?: string;
  /** The bundled `dist/recorder.cjs`. */
  readonly recorderFile: string;
  /** Folders for the lasting copy of the recorder; a cache folder where they are not given. */
  readonly recorderHomes?: readonly RecorderHome[];
  readonly hotspanVersion: string;
  /** Sentences for the person, which are kept in the recording. */
  readonly notes: readonly string[];
  /** A file that gets what the command prints, by its descriptor; without it, the command has our own streams. */
  readonly output?: number;
  /** Called when the command has just been started. */
  readonly onStarted?: () => void;
  /** Runs beside the command; its result goes into the recording. `isOver` is aborted when the command has ended. */
  readonly during?: (directory: string, isOver: AbortSignal) => Promise<Pick<RecordingManifest, 'load'>>;
}

export type RecordOutcome =
  | {
      readonly type: 'ended';
      readonly directory: string;
      /** The command's exit code, or the signal that ended it. One of the two is null. */
      readonly exitCode: number | null;
      readonly signal: NodeJS.Signals | null;
      /** Null, or one sentence: why the end could not be written to the recording, and what to do. */
      readonly unfinished: string | null;
    }
  /** Nothing is left: the command, or something beside it, has deleted the folder of its recording. */
  | {
      readonly type: 'deleted';
      readonly message: string;
      readonly exitCode: number | null;
      readonly signal: NodeJS.Signals | null;
    }
  /** The command cannot be started: exit code 127. */
  | { readonly type: 'notStarted'; readonly message: string }
  /** The recording's folder cannot be used: nothing was run. */
  | { readonly type: 'noFolder'; readonly message: string };

/** Runs a command with the recorder in every Node process of its tree, until the command ends. */
export async function record(options: RecordOptions): Promise<RecordOutcome> {
  const startedAt = new Date();
  const out = options.out ?? (await defaultRecordingFolder(options.cwd, startedAt, options.env));
  const manifest = manifestAtStart(options, startedAt);
  const place = await beginIn(out, manifest);
  if (place.type === 'noFolder') return place;
  const { directory } = place;

  await tellOuter(options.env, directory);
  const homes = options.recorderHomes ?? recorderHomes(options.env);
  const recorderFile = await installRecorder(options.recorderFile, homes);
  const { intervalUs, output } = options;
  const shim = options.kind === 'tiers' ? await installShim(path.dirname(recorderFile), directory) : null;
  const ownBin = ownBinOf(options.recorderFile);
  const env = commandEnvironment(options.env, { directory, recorderFile, intervalUs, ownBin, shim });
  const over = new AbortController();
  const findings = findingsOf(options, directory, over.signal);
  const tiers = shim !== null ? { flags: tierFlags({ directory, shim }, intervalUs), shim } : null;
  const command = reachedThroughShell(options.command, recorderFile) ?? options.command;
  const run = async (): ReturnType<typeof runCommand> =>
    runCommand({ command, cwd: options.cwd, env, directory, tiers, ...(output === undefined ? {} : { output }) });
  const running = watchingWaits(directory, run).finally(() => over.abort());
  options.onStarted?.();
  // What starts the command and listens to signals comes first, and does not wait for this.
  const noted = setImmediate().then(async () => noteOwnCommand(options, manifest.command));
  const [end] = await Promise.all([running, noted]);
  const { notes, ...found } = await findings;
  if (end.type === 'notStarted') {
    await discardEmpty(directory);
    return end;
  }
  const { exitCode, signal } = end;
  if (!existsSync(directory)) return { type: 'deleted', message: deletedMessage(directory), exitCode, signal };
  await hideFromOthers(directory);
  if (shim !== null) await remove(path.join(shim, codeTracesFile));
  const ending = { endedAt: new Date().toISOString(), exitCode, signal };
  const last = { ...manifest, ...found, notes: [...manifest.notes, ...notes], ...ending };
  const unfinished = await finishManifest(directory, last);
  return { type: 'ended', exitCode, signal, ...(await handOver(directory, out, unfinished, end.goesOn)) };
}

/** Begins the recording in a folder without access for other users, until the command has ended. */
async function beginIn(
  out: string,
  manifest: RecordingManifest,
): Promise<{ readonly type: 'begun'; readonly directory: string } | Extract<RecordOutcome, { type: 'noFolder' }>> {
  const obstacle = await makeFolder(out);
  if (obstacle !== null) return { type: 'noFolder', message: obstacle };
  const directory = closedFolder(out, manifest.kind ?? 'profile');
  if (directory === null)
    return { type: 'noFolder', message: `Others may change what is in ${out}: choose another folder with --out.` };
  const message = await begin(directory, manifest, out);
  return message === null ? { type: 'begun', directory } : { type: 'noFolder', message };
}

/** Where another `hotspan record` runs this one, its result has to say where the recording is. */
async function tellOuter(env: NodeJS.ProcessEnv, directory: string): Promise<void> {
  const outer = env[recordingDirVariable] ?? '';
  if (outer === '' || !existsSync(path.join(outer, recordingFile))) return;
  const event: RecordingEvent = { type: 'recordedInside', directory };
  // It may be over, or another user's: then nothing of this one is looked for in it.
  await appendFile(path.join(outer, eventsFile), `${JSON.stringify(event)}\n`, appending).catch(() => {});
}

async function handOver(directory: string, out: string, unfinished: string | null, goesOn: boolean) {
  if (directory === out || (await moveFiles(directory, out, goesOn))) return { directory: out, unfinished };
  const left = `The recording could not be moved to ${out}: the rest of it is in ${directory}.`;
  return { directory, unfinished: unfinished ?? left };
}

function deletedMessage(directory: string): string {
  return `The recording is lost: ${directory} was deleted while the command ran, maybe by the command itself. Let --out name a folder that it does not clean.`;
}

type Findings = Pick<RecordingManifest, 'load' | 'notes'>;

/** Runs `during`. A failure of it is noted, and the command and its recording go on. */
async function findingsOf({ during }: RecordOptions, directory: string, isOver: AbortSignal): Promise<Findings> {
  try {
    return { ...(await during?.(directory, isOver)), notes: [] };
  } catch (error) {
    return { notes: [`What was to be done beside the command failed: ${reasonOf(error)}.`] };
  }
}

/** Hotspan's own `node_modules/.bin`, from the path of its recorder. */
export function ownBinOf(recorderFile: string): string {
  return path.join(path.dirname(recorderFile), '..', 'node_modules', '.bin');
}

function manifestAtStart(options: RecordOptions, startedAt: Date): RecordingManifest {
  const coverage = hasCoverage(options.command, options.env);
  return {
    version: recordingVersion,
    ...(options.kind === 'tiers' ? { kind: 'tiers' } : {}),
    hotspanVersion: options.hotspanVersion,
    command: redactArguments(options.command),
    cwd: options.cwd,
    startedAt: startedAt.toISOString(),
    endedAt: null,
    exitCode: null,
    signal: null,
    intervalUs: options.intervalUs,
    mostBytes: options.mostBytes,
    evaluated: isEvaluated(options.command),
    notes: coverage ? [...options.notes, coverageNote] : options.notes,
    environment: { NODE_ENV: options.env['NODE_ENV'] ?? null, coverage },
  };
}

const coverageNote = 'Coverage was on, which makes hot code look hotter than it is: switch it off for true figures.';
