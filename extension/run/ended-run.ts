import { isAlive } from '../../recordings/run-processes.ts';
import * as vscode from 'vscode';
import { startsTests } from '../../recorder/launch/npm-scripts/script-text.ts';
import { fileReaders } from '../../recorder/launch/packages/readers.ts';
import { isOwnRecording, noteOwnRecording } from '../../recorder/launch/run/own-commands.ts';
import { fileOfOnlyTest } from '../../recorder/launch/target.ts';
import { keepRecording, pruneRecordings } from '../../recordings/delete-recordings.ts';
import { hasProfiles, hasRecording, hasTests, readManifest, wasStopped } from '../../recordings/recording-folders.ts';
import type { EmptyRun } from '../../words/editor/notifications.ts';
import { notRecorded, nothingProfiled, type RunState } from '../../words/editor/ways.ts';
import { recordingsRoot } from '../results/kept-results.ts';
import type { Services } from '../results/results.ts';
import { recorderOptions } from '../ui/settings.ts';
import { sayNoTestRan, showResult, showRun } from './show-result.ts';
import { isTierTask, targetOfTask } from './task.ts';
import type { Manifest } from '../../protocol/formats/parse-manifest.ts';

/** `exitCode` is undefined where it is unknown. */
export interface EndedRun {
  readonly task: vscode.Task;
  readonly recording: string;
  readonly exitCode: number | undefined;
}

/** V8's tiers after a run: in this folder now, or to be recorded. */
export type TiersAfterRun =
  | { readonly type: 'recorded'; readonly recording: string }
  | { readonly type: 'wanted' }
  | null;

/**
 * Keeps and shows a run that has ended, whatever its exit code. A command that never started has no recording.
 * `onKept` gets the recording's lasting path.
 */
export async function showEndedRun(
  run: EndedRun,
  context: vscode.ExtensionContext,
  services: Services,
  onKept: (recording: string) => void,
): Promise<TiersAfterRun> {
  const { task, recording, exitCode } = run;
  if (!(await hasRecording(recording))) {
    const [command = null] = targetOfTask(task)?.command ?? [];
    services.lastRun.say({ ...notRecorded(command, exitCode), severity: 'error' });
    return null;
  }
  const kept = await keepAndPrune(recording, context, services);
  onKept(kept);
  if (isTierTask(task)) {
    if (services.results.all.length === 0) await showRun(services, kept);
    else vscode.window.setStatusBarMessage('V8 tiers recorded', 5_000);
    return { type: 'recorded', recording: kept };
  }
  const isShowable = await hasProfiles(kept);
  const failed = isShowable ? null : await failedRun(task, kept, exitCode);
  if (failed !== null) {
    services.lastRun.say({ ...failed, severity: 'error' });
    return null;
  }
  const empty = await emptyRun(task, kept, exitCode);
  if (empty !== null && (empty.file !== null || exitCode !== 0 || !isShowable)) {
    // The editor keeps showing what it shows, unless the person wants to see this run nevertheless.
    const show = async (): Promise<unknown> => showResult(services, kept);
    sayNoTestRan(services, empty, isShowable ? show : null);
    return null;
  }
  const isShown = await showRun(services, kept, empty);
  return isShown && recorderOptions().alwaysTiers && !(await wasStopped(kept)) ? { type: 'wanted' } : null;
}

/** Gives the recording its lasting name, deletes what is too old or too large, and returns the new path. */
async function keepAndPrune(recording: string, context: vscode.ExtensionContext, { log }: Services): Promise<string> {
  const options = recorderOptions();
  const startedAt = (await readManifest(recording))?.startedAt ?? '';
  const isOwn = await isOwnRecording(recording, startedAt, process.env);
  const { kept, left } = await keepRecording(recording, new Date(), options.keep);
  // A re-check runs the code and sends the load of noted recordings only.
  if (isOwn) await noteOwnRecording(kept, startedAt, process.env);
  const limit = options.totalSize * 1e6;
  const pruned = limit > 0 ? await pruneRecordings(recordingsRoot(context), limit, kept) : { left: [] };
  for (const message of [...left, ...pruned.left]) log.warn(message);
  return kept;
}

/** A command that failed, where nothing of it was profiled; null for all others, and where the person stopped it. */
async function failedRun(task: vscode.Task, recording: string, exitCode: number | undefined): Promise<RunState | null> {
  const { command } = targetOfTask(task) ?? {};
  if (command === undefined || exitCode === undefined || exitCode === 0 || (await wasStopped(recording))) return null;
  return nothingProfiled(command.join(' '), exitCode);
}

/** A run that should have run tests, but none was seen; null for all others, and where the person stopped it. */
async function emptyRun(task: vscode.Task, recording: string, exitCode: number | undefined): Promise<EmptyRun | null> {
  const { command = [], folder = '' } = targetOfTask(task) ?? {};
  if ((await hasTests(recording)) || (await wasStopped(recording))) return null;
  if (!(await startsTests(command, folder, fileReaders(process.env)))) return null;
  return { name: task.name, file: fileOfOnlyTest(command), exitCode };
}

/** How often it checks whether the process runs. */
const POLL_MS = 40;

/**
 * Resolves with the command's exit code as soon as `hotspan record` ends: VS Code reports the end 250 ms later, after
 * all output. Null where only VS Code knows it: the recording has no end, ended by a signal, or ended before (it is
 * another run's). `isOver` stops waiting.
 */
export async function earlyEnd(processId: number, recording: string, isOver: AbortSignal): Promise<number | null> {
  if ((await endedManifest(recording)) !== null) return null;
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      if (!isOver.aborted && isAlive(processId)) return;
      clearInterval(timer);
      resolve();
    }, POLL_MS);
  });
  if (isOver.aborted) return null;
  return (await endedManifest(recording))?.exitCode ?? null;
}

async function endedManifest(recording: string): Promise<Manifest | null> {
  const manifest = await readManifest(recording);
  return manifest?.isOpen === false ? manifest : null;
}
