import * as vscode from 'vscode';
import { readManifest } from '../../recordings/recording-folders.ts';
import {
  type OwnCommandLine,
  type EndedCommandLine,
  interrupt,
  onSentence,
  resultOf,
  startCommandLine,
} from '../../recorder/launch/run/own-command-line.ts';
import { measuringAlready } from '../../words/editor/notifications.ts';
import { escapeNotification } from '../../words/formats/foreign-text.ts';
import type { Services } from '../results/results.ts';
import { inLog, on } from '../ui/failures.ts';
import { recorderOptions } from '../ui/settings.ts';

export type CliRun = Omit<OwnCommandLine, 'node' | 'isMute'>;

/** How it ended. After a cancellation `stdout` has what was known by then. */
export interface Finished extends EndedCommandLine {
  readonly isCancelled: boolean;
}

interface NotificationOptions {
  readonly beginning?: string;
  readonly stop?: vscode.CancellationToken | undefined;
  /** Whether its progress is only in the status bar. */
  readonly isQuiet?: boolean;
}

/**
 * Runs the command line. The notification shows its progress (`beginning` first) and can cancel it, as `stop` can: the
 * command line is interrupted, and ends in order. Until then it is one of those that measure.
 */
export async function runInNotification(
  title: string,
  run: CliRun,
  { log, measuring }: Pick<Services, 'log' | 'measuring'>,
  onProgress: (text: string) => Promise<unknown>,
  { beginning, stop, isQuiet = false }: NotificationOptions = {},
): Promise<Finished> {
  const location = isQuiet ? vscode.ProgressLocation.Window : vscode.ProgressLocation.Notification;
  const options = { location, title: escapeNotification(`Hotspan: ${title}`), cancellable: true };
  return measuringAs(measuring, title, async () =>
    vscode.window.withProgress(options, async (progress, token) => {
      if (beginning !== undefined) progress.report({ message: escapeNotification(beginning) });
      return finished(run, log, [token, ...(stop === undefined ? [] : [stop])], (text) => {
        progress.report({ message: escapeNotification(text) });
        return onProgress(text);
      });
    }),
  );
}

/** Measures where nothing else does: side by side, both would be wrong. Null where something does, which is said. */
export async function alone<Found>(
  { log, measuring }: Pick<Services, 'log' | 'measuring'>,
  name: string,
  measure: () => Promise<Found>,
  isQuiet = false,
): Promise<Found | null> {
  const [other] = measuring;
  if (other === undefined) return measuringAs(measuring, name, measure);
  const text = measuringAlready(other.name);
  if (isQuiet) log.warn(text);
  else inLog(vscode.window.showWarningMessage(text), log);
  return null;
}

/** Measures as one of those that do. */
export async function measuringAs<Found>(
  measuring: Services['measuring'],
  name: string,
  measure: () => Promise<Found>,
): Promise<Found> {
  const own = { name };
  measuring.add(own);
  return measure().finally(() => measuring.delete(own));
}

/** Each sentence on stderr is progress. */
async function finished(
  { cli, cwd, args, env = {} }: CliRun,
  log: vscode.LogOutputChannel,
  tokens: readonly vscode.CancellationToken[],
  onProgress: (text: string) => Promise<unknown>,
): Promise<Finished> {
  const { nodePath } = recorderOptions();
  const child = startCommandLine({ node: nodePath === '' ? 'node' : nodePath, cli, args, cwd, env });
  const cancelling = tokens.map((token) => on(token.onCancellationRequested, async () => interrupt(child), log));
  const sentences: string[] = [];
  onSentence(child, (sentence) => {
    log.info(sentence);
    sentences.push(sentence);
    onProgress(sentence).catch((error: unknown) => log.warn(String(error)));
  });
  const result = await resultOf(child);
  for (const one of cancelling) one.dispose();
  const isCancelled = tokens.some((token) => token.isCancellationRequested);
  // Until it is ready to be interrupted, a command line that is cancelled ends at once.
  const unsaid = isCancelled
    ? 'It was stopped before anything was run.'
    : 'Hotspan’s command line ended without a word. The log has what it did before.';
  return { ...result, said: sentences.at(-1) ?? unsaid, isCancelled };
}

export async function folderOf(recording: string): Promise<string | null> {
  return (await readManifest(recording))?.cwd ?? null;
}
