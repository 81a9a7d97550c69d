import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { type CancellationToken, type LogOutputChannel, ProgressLocation, Uri, window, workspace } from 'vscode';
import type { ComparedFunction, Comparison } from '../../protocol/comparison.ts';
import { isRecord, parseJson } from '../../protocol/json-value.ts';
import { recordingFile } from '../../protocol/recording.ts';
import {
  type FunctionPlace,
  type Location,
  locateRequest,
  type OfRecording,
  showChangeRequest,
} from '../../protocol/requests.ts';
import { parseManifest } from '../../recordings/formats/parse-manifest.ts';
import { changeText } from '../../words/formats/change-texts.ts';
import { escapeNotification } from '../../words/formats/escape-markdown.ts';
import type { Services } from '../results/services.ts';
import { on } from '../ui/failures.ts';
import { recorderOptions } from '../ui/settings.ts';

/** The command line that the extension runs, and where. */
interface CliRun {
  /** Absolute path of the bundled command line. */
  readonly cli: string;
  readonly cwd: string;
  readonly args: readonly string[];
}

/**
 * Runs the tests that reach a function before and after the person's change, in turn, and shows on its lens what that
 * says. Progress is on the lens, too. Null where it was cancelled.
 */
export async function recheck(
  { server, log }: Services,
  cli: string,
  reference: OfRecording<FunctionPlace>,
): Promise<string | null> {
  const location = await server.ask(locateRequest, reference);
  const cwd = await folderOf(reference.recording);
  if (location === null || cwd === null || !location.uri.startsWith('file:'))
    throw new Error('Where this function is, or where it was recorded, is not known: profile the tests again.');
  await saveDirty(location);
  const show = async (text: string | null): Promise<unknown> => server.ask(showChangeRequest, { ...reference, text });
  const place = `${Uri.parse(location.uri).fsPath}:${location.line + 1}`;
  const run = { cli, cwd, args: ['recheck', place, '--json', '--recording', reference.recording] };
  await show('re-check …');
  const result = await inNotification('Re-check', run, log, async (text) => show(`re-check: ${text}`));
  const text = result === null ? null : changeIn(result);
  await show(text);
  if (result !== null && text === null) throw new Error(result.said);
  return text;
}

/** Runs the recorded command some times, and keeps the sources as they are now. */
export async function setBaseline({ log }: Services, cli: string, recording: string): Promise<string | null> {
  const cwd = await folderOf(recording);
  if (cwd === null) throw new Error('Where this was recorded is not known: profile the tests again.');
  const run = { cli, cwd, args: ['baseline', '--recording', recording] };
  const result = await inNotification('Set Baseline', run, log, async () => undefined);
  if (result !== null && result.exitCode !== 0) throw new Error(result.said);
  return result?.said ?? null;
}

/** The folder in which a recording's command ran. */
async function folderOf(recording: string): Promise<string | null> {
  return parseManifest(await readFile(path.join(recording, recordingFile), 'utf8').catch(() => ''))?.cwd ?? null;
}

/** Tests run what is on the disk. */
async function saveDirty({ uri }: Location): Promise<void> {
  const document = workspace.textDocuments.find((one) => one.uri.toString() === uri);
  if (document?.isDirty === true) await document.save();
}

interface Finished {
  readonly exitCode: number;
  readonly stdout: string;
  /** The last sentence on stderr. */
  readonly said: string;
}

async function inNotification(
  title: string,
  run: CliRun,
  log: LogOutputChannel,
  onProgress: (text: string) => Promise<unknown>,
): Promise<Finished | null> {
  const options = { location: ProgressLocation.Notification, title: `Hotspan: ${title}`, cancellable: true };
  return window.withProgress(options, async (progress, token) =>
    finished(run, log, token, (text) => {
      progress.report({ message: escapeNotification(text) });
      return onProgress(text);
    }),
  );
}

/** Null where it was cancelled. Each sentence on stderr is progress. */
async function finished(
  { cli, cwd, args }: CliRun,
  log: LogOutputChannel,
  token: CancellationToken,
  onProgress: (text: string) => Promise<unknown>,
): Promise<Finished | null> {
  const { nodePath } = recorderOptions();
  const child = spawn(nodePath === '' ? 'node' : nodePath, [cli, ...args], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  const cancelling = on(token.onCancellationRequested, async () => void child.kill('SIGINT'), log);
  const sentences: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => {
    const sentence = line.replace(/^hotspan: /, '');
    log.info(sentence);
    sentences.push(sentence);
    onProgress(sentence).catch((error: unknown) => log.warn(String(error)));
  });
  const stdout = await textOf(child);
  cancelling.dispose();
  if (token.isCancellationRequested) return null;
  return { ...stdout, said: sentences.at(-1) ?? 'Hotspan’s command line said nothing.' };
}

async function textOf(child: ChildProcess): Promise<Pick<Finished, 'stdout' | 'exitCode'>> {
  const pieces: string[] = [];
  child.stdout?.on('data', (piece: Buffer) => pieces.push(piece.toString()));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ stdout: pieces.join(''), exitCode: code ?? 1 }));
  });
}

/** What the JSON of a re-check says of its function; null where it is none. */
function changeIn({ stdout, exitCode }: Finished): string | null {
  const comparison = parseJson(stdout);
  if (!isComparison(comparison)) return null;
  const [fn] = comparison.functions;
  if (fn !== undefined) return wordsFor(fn, comparison);
  return exitCode === 0 ? 'was and is under the threshold' : 'not seen in these runs';
}

function wordsFor(fn: ComparedFunction, comparison: Comparison): string {
  const text = changeText(fn, comparison);
  return fn.verdict === 'faster' || fn.verdict === 'slower' || fn.verdict === 'gone' ? `was ${text}` : text;
}

/** It was written by our own command line, a moment ago. */
function isComparison(value: unknown): value is Comparison {
  return isRecord(value) && value['kind'] === 'comparison' && Array.isArray(value['functions']);
}
