import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { isRecord, parseJson } from '../../../protocol/json-value.ts';
import type { RecordedLoad, RecordingManifest } from '../../../protocol/recording.ts';
import {
  loadFile,
  codeTracesFile,
  recordingDirVariable,
  recordingFile,
  recordingVersion,
} from '../../../protocol/recording.ts';
import { redactArguments } from '../../command-lines/redact.ts';
import { reachedThroughShell } from '../../command-lines/shell-command.ts';
import { tierFlags } from '../../command-lines/tier-flags.ts';
import {
  appendEvents,
  closedFolder,
  moveFiles,
  makeFolder,
  begin,
  finishManifest,
  discardEmpty,
  hideFromOthers,
  type RecordingOptions,
} from './recording-folder.ts';
import { commandEnvironment, hasCoverage, isEvaluated } from './command-line.ts';
import { installShim } from '../install/node-shim.ts';
import { installRecorder, type RecorderHome, recorderHomes } from '../install/recorder-copy.ts';
import { noteOwnCommand, noteOwnRecording } from './own-commands.ts';
import { type HowEnded, runCommand } from './run-command.ts';
import { watchingWaits } from './watch-waits.ts';
import { remove } from '../../../recordings/files-at-once.ts';
import { reasonOf } from '../../../recordings/private-files.ts';
import { defaultRecordingFolder } from '../../../recordings/default-folder.ts';

export interface RecordOptions extends RecordingOptions {
  /** The command and its arguments; no shell interprets them. */
  readonly command: readonly string[];
  /** `tiers` records V8's logs instead of profiles. */
  readonly kind: 'profile' | 'tiers';
  /** The user's environment. What Hotspan and its callers have added to it is removed. */
  readonly env: NodeJS.ProcessEnv;
  /** The bundled `dist/recorder.cjs`. */
  readonly recorderFile: string;
  /** Folders for the lasting copy of the recorder; default: cache folders. */
  readonly recorderHomes?: readonly RecorderHome[];
  /** Descriptor of a file for the command's output; default: the streams of this process. */
  readonly output?: number;
  /** Called when the command was started. */
  readonly onStarted?: () => void;
  /** Called over and over while no recorded thread waits for a CPU, with the recording's present folder. Linux only. */
  readonly onCalm?: (directory: string) => void;
  /** Runs beside the command; its result goes into the recording. `isOver` is aborted when the command has ended. */
  readonly during?: (directory: string, isOver: AbortSignal) => Promise<Pick<RecordingManifest, 'load'>>;
}

export type RecordOutcome =
  /** `unfinished`: null, or one sentence: why the end could not be written to the recording, and what to do. */
  | ({ readonly type: 'ended'; readonly directory: string; readonly unfinished: string | null } & HowEnded)
  /** The command, or another program, has deleted the folder of its recording. */
  | ({ readonly type: 'deleted'; readonly message: string } & HowEnded)
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
  await reportToOuter(options.env, directory);
  const recorderFile = await installRecorder(options.recorderFile, options.recorderHomes ?? recorderHomes(options.env));
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
  const running = watchingWaits(directory, run, () => options.onCalm?.(directory)).finally(() => over.abort());
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
  const load = found.load ?? (await sentLoad(directory));
  const sent = load === null ? {} : { load };
  const last = { ...manifest, ...sent, notes: [...manifest.notes, ...notes], exitCode, signal };
  const unfinished = await finishManifest(directory, { ...last, endedAt: new Date().toISOString() });
  const handed = await handOver(directory, out, unfinished, end.goesOn);
  await noteOwnRecording(handed.directory, manifest.startedAt, options.env);
  return { type: 'ended', exitCode, signal, ...handed };
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

/** The load that `hotspan load` has sent meanwhile; null where none was. */
async function sentLoad(directory: string): Promise<RecordedLoad | null> {
  const load = parseJson(await readFile(path.join(directory, loadFile), 'utf8').catch(() => ''));
  return isLoad(load) ? load : null;
}

/** `hotspan load` has written it; who reads the recording checks the rest. */
function isLoad(value: unknown): value is RecordedLoad {
  return isRecord(value) && isRecord(value['recorded']);
}

/** Notes the folder in the recording of another `hotspan record` that runs this one. */
async function reportToOuter(env: NodeJS.ProcessEnv, directory: string): Promise<void> {
  const outer = env[recordingDirVariable] ?? '';
  if (outer === '' || !existsSync(path.join(outer, recordingFile))) return;
  // It may be over, or another user's.
  await appendEvents(outer, [{ type: 'recordedInside', directory }]).catch(() => {});
}

function deletedMessage(directory: string): string {
  return `The recording is lost: ${directory} was deleted while the command ran, maybe by the command itself. Let --out name a folder that it does not clean.`;
}

async function handOver(directory: string, out: string, unfinished: string | null, goesOn: boolean) {
  if (directory === out || (await moveFiles(directory, out, goesOn))) return { directory: out, unfinished };
  const left = `The recording could not be moved to ${out}: the rest of it is in ${directory}.`;
  return { directory, unfinished: unfinished ?? left };
}

/** Runs `during`. A failure of it is noted, and the command and its recording go on. */
async function findingsOf(
  { during }: RecordOptions,
  directory: string,
  isOver: AbortSignal,
): Promise<Pick<RecordingManifest, 'load' | 'notes'>> {
  try {
    return { ...(await during?.(directory, isOver)), notes: [] };
  } catch (error) {
    return { notes: [`What ran beside the command failed: ${reasonOf(error)}.`] };
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
