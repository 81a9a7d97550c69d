import path from 'node:path';
import * as vscode from 'vscode';
import { type ComparedFunction, type Comparison, isChange } from '../../protocol/comparison.ts';
import { isComparison } from '../../protocol/comparison-guard.ts';
import { parseJson } from '../../protocol/json-value.ts';
import type { Location, NoLocation } from '../../protocol/places.ts';
import {
  type FunctionChange,
  type FunctionReference,
  locateRequest,
  showChangeRequest,
} from '../../protocol/requests.ts';
import type { DiffReference, DoneRecheck } from '../../protocol/rechecks.ts';
import { median } from '../../protocol/figures.ts';
import { pruneComparisons } from '../../recordings/delete-recordings.ts';
import { changeText, requestText, shortChange } from '../../words/formats/change-texts.ts';
import { recheckText } from '../../words/formats/mark-texts.ts';
import { recheckProgress } from '../../words/editor/notifications.ts';
import { escapeNotification, visible } from '../../words/formats/foreign-text.ts';
import type { Services } from '../results/results.ts';
import { recorderOptions, thresholdArgument } from '../ui/settings.ts';
import { type CliRun, alone, folderOf, type Finished, runInNotification } from './command-line.ts';

/** Re-checks that run, by `keyOf`. */
const running = new Map<string, { readonly stop: vscode.CancellationTokenSource; readonly ended: Promise<unknown> }>();

function keyOf({ recording, functionId }: FunctionReference): string {
  return `${functionId} ${recording}`;
}

/** Resolves once it has ended. */
export async function stopRecheck(reference: FunctionReference): Promise<void> {
  const one = running.get(keyOf(reference));
  one?.stop.cancel();
  await one?.ended;
}

/**
 * Runs the tests that reach a function before and after the change, interleaved; the lens shows progress and result.
 * Null where it was cancelled, or something measures already, which is said.
 */
export async function recheck(
  services: Services,
  cli: string,
  reference: FunctionReference,
  how: RecheckHow = {},
): Promise<string | null> {
  // This may ask. The question can stay open for ever, and another click asks again.
  const cost = await costOf(services, reference, how);
  if (cost === 'refused' || how.token?.isCancellationRequested === true) return null;
  const measure = async (): Promise<string | null> =>
    stoppable(reference, how.token, async (stop) => recheckPlace(services, cli, reference, how, { cost, stop }));
  return how.isAgents === true ? measure() : alone(services, titleOf(how), measure, how.isQuiet);
}

/** Measures until `stopRecheck` or the token stops it. */
async function stoppable(
  reference: FunctionReference,
  token: vscode.CancellationToken | undefined,
  measure: (stop: vscode.CancellationToken) => Promise<string | null>,
): Promise<string | null> {
  const key = keyOf(reference);
  const stop = new vscode.CancellationTokenSource();
  const cancelling = token?.onCancellationRequested(() => stop.cancel());
  const answer = measure(stop.token);
  running.set(key, { stop, ended: answer.catch(() => null) });
  try {
    return await answer;
  } finally {
    running.delete(key);
    cancelling?.dispose();
    stop.dispose();
  }
}

async function recheckPlace(
  services: Services,
  cli: string,
  reference: FunctionReference,
  how: RecheckHow,
  { cost, stop }: { readonly cost: 'free' | 'limited'; readonly stop: vscode.CancellationToken },
): Promise<string | null> {
  // Tests run what is on the disk. A formatter moves lines, so this comes before the place is asked for.
  if (how.isQuiet !== true) await vscode.workspace.saveAll(false);
  const location = await placeOf(services, reference);
  const cwd = await folderOf(reference.recording);
  if ('why' in location || cwd === null || !location.uri.startsWith('file:'))
    throw new Error('Where this function is, or where it was recorded, is not known: profile the tests again.');
  const place = `${vscode.Uri.parse(location.uri).fsPath}:${location.line + 1}`;
  const limit = cost === 'limited' ? [`--at-most=${MAX_UNASKED_US}us`] : [];
  const args = ['recheck', place, '--json', thresholdArgument(), ...limit, '--recording', reference.recording];
  return runRecheck(services, { cli, cwd, args }, reference, stop, how);
}

/** Where the function begins; of what a file runs while it loads the hottest line, as another function may begin there. */
async function placeOf({ server }: Services, reference: FunctionReference): Promise<Location | NoLocation> {
  const begin = await server.ask(locateRequest, reference);
  if ('why' in begin || begin.line > 0 || begin.character > 0) return begin;
  const hottest = await server.ask(locateRequest, { ...reference, hottest: true });
  return 'why' in hottest || hottest.uri !== begin.uri ? begin : hottest; // V8 may have inlined code of another file.
}

interface RecheckHow {
  /** The function's name, for messages. Without it, the answer begins with that. */
  readonly label?: string;
  /** For one that nobody asked for: it asks nothing, runs for a minute at most, and saves no files. */
  readonly isQuiet?: boolean;
  /** An agent's: the person has agreed to it, and nothing else measures. */
  readonly isAgents?: boolean;
  /** Cancels it. */
  readonly token?: vscode.CancellationToken;
  /** Gets all that was measured. */
  readonly onCompared?: (comparison: Comparison) => void;
}

/**
 * Asks before a re-check that takes more than a minute, where the person asked for it. `limited`: it must end within that,
 * also where its first answer is unclear.
 */
async function costOf(
  { server }: Services,
  reference: FunctionReference,
  { label, isQuiet = false, isAgents = false }: RecheckHow,
): Promise<'free' | 'limited' | 'refused'> {
  if (isAgents) return 'free';
  const { text, us } = await server.about(reference.recording, 'recheckCost', reference.functionId);
  if (us !== null && us < MAX_UNASKED_US) return isQuiet ? 'limited' : 'free';
  if (isQuiet) return 'refused';
  if (us === null) return 'limited';
  const choice = await vscode.window.showWarningMessage(
    escapeNotification(`${titleOf({ label })}: ${text}. Run it?`),
    'Re-check',
  );
  return choice === 'Re-check' ? 'free' : 'refused';
}

function titleOf({ label }: { readonly label?: string | undefined }): string {
  return label === undefined ? 'Re-check' : `Re-check ${visible(label, 100)}`;
}

const MAX_UNASKED_US = 60_000_000;

async function runRecheck(
  services: Services,
  run: CliRun,
  reference: FunctionReference,
  stop: vscode.CancellationToken,
  { label, isQuiet = false, onCompared }: RecheckHow,
): Promise<string | null> {
  const { server, results, log } = services;
  const show = async (change: FunctionChange['change']): Promise<unknown> =>
    server.ask(showChangeRequest, { ...reference, change });
  const said: string[] = [];
  await show({ type: 'began', text: recheckProgress(said) });
  const result = await runInNotification(
    titleOf({ label }),
    run,
    services,
    async (text) => {
      said.push(text);
      return show({ type: 'running', text: recheckProgress(said) });
    },
    { stop, isQuiet },
  ).catch(async (error: unknown) => {
    await show(null);
    throw error;
  });
  const comparison = result.isCancelled ? null : comparisonIn(result);
  if (comparison !== null) onCompared?.(comparison);
  const found = comparison === null ? null : foundIn(comparison, result);
  const change = found?.change ?? null;
  await show(change === null ? null : { type: 'done', ...change });
  await results.follow();
  const diff = change?.diff ?? null;
  if (diff !== null) await pruneOthers(diff, log);
  if (!result.isCancelled && found === null) throw new Error(result.said);
  const name = diff?.place?.name;
  if (found === null) return null;
  return name === undefined || label !== undefined ? found.said : `${visible(name, 100)}: ${found.said}`;
}

/** Runs the tests of uncertain findings again, then reads the recording again. Null where it was cancelled. */
export async function makeSure(services: Services, cli: string, recording: string): Promise<string | null> {
  const args = ['make-sure', recording, '--quiet', thresholdArgument()];
  const said = await runAbout(services, 'Make Sure', recording, { cli, args });
  if (said !== null) await services.results.readAgain(recording);
  return said;
}

/** Runs the recorded command a few times, and keeps the sources. */
export async function setBaseline(services: Services, cli: string, recording: string): Promise<string | null> {
  return runAbout(services, 'Set Baseline', recording, { cli, args: ['baseline', '--recording', recording] });
}

/** Runs the command line where a recording was made. Its last sentence; null where it was cancelled, or not begun. */
async function runAbout(
  services: Services,
  title: string,
  recording: string,
  run: Pick<CliRun, 'cli' | 'args'>,
): Promise<string | null> {
  return alone(services, title, async () => {
    await vscode.workspace.saveAll(false); // Tests run what is on the disk.
    const cwd = await folderOf(recording);
    if (cwd === null) throw new Error('Where this was recorded is not known: profile the tests again.');
    const result = await runInNotification(title, { ...run, cwd }, services, async () => undefined);
    if (result.isCancelled) return null;
    if (result.exitCode !== 0) throw new Error(result.said);
    return result.said;
  });
}

interface FoundChange {
  readonly said: string;
  /** Null where nothing was run, as no code differs. */
  readonly change: Omit<DoneRecheck, 'type'> | null;
}

/** What was measured; null where nothing was. */
function comparisonIn({ stdout }: Finished): Comparison | null {
  const comparison = parseJson(stdout);
  return isComparison(comparison) ? comparison : null;
}

/** The result of a re-check. */
function foundIn(comparison: Comparison, { exitCode }: Finished): FoundChange {
  const { functions, head, warnings, thresholdUs } = comparison;
  const [request] = comparison.requests ?? [];
  const load = request === undefined ? {} : { load: visible(requestText(request), MAX_TITLE) };
  const saidOf = (text: string): string => recheckText({ text, ...load });
  const facts = { isKept: false, at: Date.now(), ...load };
  const [fn] = functions;
  if (head.runs.length === 0) return { said: warnings[0] ?? '', change: null };
  const diff = diffOf(comparison, fn);
  if (fn === undefined) {
    const text = exitCode === 0 ? 'was and is under the threshold' : 'not seen in these runs';
    return { said: saidOf(text), change: { ...facts, text, isFaster: false, isFixed: false, diff } };
  }
  const isFaster = fn.verdict === 'faster' || fn.verdict === 'gone' || fn.verdict === 'lessOften';
  const isFixed = fn.verdict === 'gone' || (fn.verdict === 'faster' && median(fn.worst.isUs) <= thresholdUs);
  return {
    said: saidOf(wordsFor(fn, comparison)),
    change: { ...facts, text: lensText(fn, comparison), isFaster, isFixed, diff },
  };
}

const MAX_TITLE = 120;

function lensText(fn: ComparedFunction, comparison: Comparison): string {
  const { was, is } = fn;
  const renamed = was !== null && is !== null && was.label !== is.label ? ` · was ${was.label}` : '';
  return `${shortChange(fn, comparison)}${renamed}`;
}

/** Keeps the runs of the last comparisons, as far as their size allows, for flamegraphs. */
export async function pruneOthers({ head }: DiffReference, log: vscode.LogOutputChannel): Promise<void> {
  const { totalSize } = recorderOptions();
  const [recording] = head[0] ?? [];
  if (totalSize === 0 || recording === undefined) return;
  const comparison = path.dirname(recording);
  const left = await pruneComparisons(path.dirname(comparison), totalSize * 1e6, comparison);
  for (const message of left) log.warn(message);
}

/** The function with the largest change in ms; undefined where nothing changed. */
export function mostChanged({ functions }: Comparison): ComparedFunction | undefined {
  const middle = (times: readonly number[]): number => (times.length === 0 ? 0 : median(times));
  const size = ({ worst }: ComparedFunction): number => Math.abs(middle(worst.isUs) - middle(worst.wasUs));
  return functions.filter(isChange).toSorted((a, b) => size(b) - size(a))[0];
}

/** The runs of both sides, for their flamegraph, at a function if one is given. */
export function diffOf(comparison: Comparison, fn: ComparedFunction | undefined): DiffReference {
  // Runs of a part of the tests are shorter, whatever became of the code.
  const runsIn = ({ runs }: Comparison['base']): DiffReference['base'] =>
    runs.filter(({ isNarrow }) => isNarrow !== true).map(({ paths }) => paths);
  const place = fn?.is ?? fn?.was ?? null;
  return {
    ...{ base: runsIn(comparison.base), head: runsIn(comparison.head) },
    place: place === null ? null : { url: place.url, line: place.line, name: place.label },
  };
}

function wordsFor(fn: ComparedFunction, comparison: Comparison): string {
  const text = changeText(fn, comparison);
  const isFromTo = fn.verdict === 'faster' || fn.verdict === 'slower' || fn.verdict === 'gone';
  const { was, is } = fn;
  const renamed = was !== null && is !== null && was.label !== is.label ? ` · ${is.label} was ${was.label}` : '';
  return `${isFromTo ? 'was ' : ''}${text}${renamed}`;
}
