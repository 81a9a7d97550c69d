import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import * as vscode from 'vscode';
import { recordingFile } from '../../protocol/recording.ts';
import { type Manifest, parseManifest } from '../../protocol/formats/parse-manifest.ts';
import { escapeNotification } from '../../words/formats/escape-markdown.ts';
import { on } from '../ui/failures.ts';
import { recorderOptions } from '../ui/settings.ts';

export interface CliRun {
  readonly cli: string;
  readonly cwd: string;
  readonly args: readonly string[];
}

/** How it ended. After a cancellation `stdout` has what was known by then. */
export interface Finished {
  readonly isCancelled: boolean;
  readonly exitCode: number;
  readonly stdout: string;
  readonly said: string;
}

interface NotificationOptions {
  readonly beginning?: string;
  readonly stop?: vscode.CancellationToken;
  /** Whether its progress is only in the status bar. */
  readonly isQuiet?: boolean;
}

/**
 * Runs the command line. The notification shows its progress (`beginning` first) and can cancel it, as `stop` can: the
 * command line is interrupted, and ends in order.
 */
export async function runInNotification(
  title: string,
  run: CliRun,
  log: vscode.LogOutputChannel,
  onProgress: (text: string) => Promise<unknown>,
  { beginning, stop, isQuiet = false }: NotificationOptions = {},
): Promise<Finished> {
  const location = isQuiet ? vscode.ProgressLocation.Window : vscode.ProgressLocation.Notification;
  const options = { location, title: `Hotspan: ${title}`, cancellable: true };
  return vscode.window.withProgress(options, async (progress, token) => {
    if (beginning !== undefined) progress.report({ message: escapeNotification(beginning) });
    return finished(run, log, [token, ...(stop === undefined ? [] : [stop])], (text) => {
      progress.report({ message: escapeNotification(text) });
      return onProgress(text);
    });
  });
}

/** Each sentence on stderr is progress. */
async function finished(
  { cli, cwd, args }: CliRun,
  log: vscode.LogOutputChannel,
  tokens: readonly vscode.CancellationToken[],
  onProgress: (text: string) => Promise<unknown>,
): Promise<Finished> {
  const { nodePath } = recorderOptions();
  const child = spawn(nodePath === '' ? 'node' : nodePath, [cli, ...args], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  const cancelling = tokens.map((token) => on(token.onCancellationRequested, async () => interrupt(child), log));
  const sentences: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => {
    const sentence = line.replace(/^hotspan: /, '');
    log.info(sentence);
    sentences.push(sentence);
    onProgress(sentence).catch((error: unknown) => log.warn(String(error)));
  });
  const stdout = await textOf(child);
  for (const one of cancelling) one.dispose();
  const isCancelled = tokens.some((token) => token.isCancellationRequested);
  // Until it is ready to be interrupted, a command line that is cancelled ends at once.
  const unsaid = isCancelled
    ? 'It was stopped before anything was run.'
    : 'Hotspan’s command line ended without a word. The log has what it did before.';
  return { ...stdout, said: sentences.at(-1) ?? unsaid, isCancelled };
}

/** In ms. Interrupted again, a command line kills what it started, and does not wait for its end. */
const insistsAfter = 600;

function interrupt(child: ChildProcess): void {
  if (process.platform === 'win32') {
    // There a signal would end the command line alone.
    spawn('taskkill', ['/pid', String(child.pid), '/T', '/F'], { stdio: 'ignore' }).on('error', () => child.kill());
    return;
  }
  child.kill('SIGINT');
  const insisting = setTimeout(() => child.kill('SIGINT'), insistsAfter);
  child.once('close', () => clearTimeout(insisting));
}

async function textOf(child: ChildProcess): Promise<Pick<Finished, 'stdout' | 'exitCode'>> {
  const pieces: string[] = [];
  child.stdout?.setEncoding('utf8').on('data', (piece: string) => pieces.push(piece));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ stdout: pieces.join(''), exitCode: code ?? 1 }));
  });
}

export async function folderOf(recording: string): Promise<string | null> {
  return (await readManifest(recording))?.cwd ?? null;
}

/** Null where the recording has none, or is not there. */
export async function readManifest(recording: string): Promise<Manifest | null> {
  return parseManifest(await readFile(path.join(recording, recordingFile), 'utf8').catch(() => ''));
}
