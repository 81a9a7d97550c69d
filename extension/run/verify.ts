import path from 'node:path';
import { type LogOutputChannel, Uri, workspace } from 'vscode';
import type { ComparedFunction, Comparison } from '../../protocol/comparison.ts';
import { isComparison } from '../../protocol/comparison-guard.ts';
import { parseJson } from '../../protocol/json-value.ts';
import { type DiffReference, locateRequest, type OfRecording, showChangeRequest } from '../../protocol/requests.ts';
import type { FunctionPlace } from '../../protocol/places.ts';
import { pruneComparisons } from '../../recordings/delete-comparisons.ts';
import { changeText } from '../../words/formats/change-texts.ts';
import { visible } from '../../words/formats/hidden-characters.ts';
import type { Services } from '../results/services.ts';
import { recorderOptions, thresholdArgument } from '../ui/settings.ts';
import { folderOf, type Finished, runInNotification } from './command-line.ts';

/**
 * Runs the tests that reach a function before and after the person's change, in turn, and shows on its lens what that
 * says. Progress is on the lens, too. Null where it was cancelled. `label`: the name of the function, where the person
 * has not named it; without it the answer begins with the name.
 */
export async function recheck(
  { server, log }: Services,
  cli: string,
  reference: OfRecording<FunctionPlace>,
  label?: string,
): Promise<string | null> {
  const location = await server.ask(locateRequest, reference);
  const cwd = await folderOf(reference.recording);
  if (location === null || cwd === null || !location.uri.startsWith('file:'))
    throw new Error('Where this function is, or where it was recorded, is not known: profile the tests again.');
  await workspace.saveAll(false); // Tests run what is on the disk.
  const show = async (text: string | null, diff: DiffReference | null = null): Promise<unknown> =>
    server.ask(showChangeRequest, { ...reference, text, diff });
  const place = `${Uri.parse(location.uri).fsPath}:${location.line + 1}`;
  const run = { cli, cwd, args: ['recheck', place, '--json', thresholdArgument(), '--recording', reference.recording] };
  await show('re-check …');
  const result = await runInNotification(
    label === undefined ? 'Re-check' : `Re-check ${visible(label, 100)}`,
    run,
    log,
    async (text) => show(`re-check: ${text}`),
  ).catch(async (error: unknown) => {
    await show(null);
    throw error;
  });
  const text = result.isCancelled ? null : changeIn(result);
  const diff = result.isCancelled ? null : diffIn(result);
  await show(text, diff);
  if (diff !== null) await pruneOthers(diff, log);
  if (!result.isCancelled && text === null) throw new Error(result.said);
  const name = diff?.place?.name;
  return text === null || name === undefined || label !== undefined ? text : `${visible(name, 100)}: ${text}`;
}

/** Runs the recorded command some times, and keeps the sources as they are now. */
export async function setBaseline({ log }: Services, cli: string, recording: string): Promise<string | null> {
  const cwd = await folderOf(recording);
  if (cwd === null) throw new Error('Where this was recorded is not known: profile the tests again.');
  const run = { cli, cwd, args: ['baseline', '--recording', recording] };
  const result = await runInNotification('Set Baseline', run, log, async () => undefined);
  if (result.isCancelled) return null;
  if (result.exitCode !== 0) throw new Error(result.said);
  return result.said;
}

/** What the JSON of a re-check says of its function; null where it is none. */
function changeIn({ stdout, exitCode }: Finished): string | null {
  const comparison = parseJson(stdout);
  if (!isComparison(comparison)) return null;
  const [fn] = comparison.functions;
  if (fn !== undefined) return wordsFor(fn, comparison);
  return exitCode === 0 ? 'was and is under the threshold' : 'not seen in these runs';
}

/** Keeps the runs of the last comparisons, as far as their size allows: lens and tree open their flamegraph. */
export async function pruneOthers({ head }: DiffReference, log: LogOutputChannel): Promise<void> {
  const { totalSize } = recorderOptions();
  const [recording] = head[0] ?? [];
  if (totalSize === 0 || recording === undefined) return;
  const comparison = path.dirname(recording);
  const left = await pruneComparisons(path.dirname(comparison), totalSize * 1e6, comparison);
  for (const message of left) log.warn(message);
}

function diffIn({ stdout }: Finished): DiffReference | null {
  const comparison = parseJson(stdout);
  return isComparison(comparison) ? diffOf(comparison, comparison.functions[0]) : null;
}

/** The runs of both sides, for their flamegraph: at a function, or over everything. */
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
