import { runsOf } from '../../protocol/diff.ts';
import type { FunctionReference } from '../../protocol/requests.ts';
import type { DiffReference } from '../../protocol/rechecks.ts';
import type { Location } from '../../protocol/places.ts';
import { line0 } from '../../protocol/units.ts';
import type { Comparisons } from '../comparison/comparisons.ts';
import type { Flamegraph } from '../flamegraph/flamegraph.ts';
import type { Runs } from '../run/runs.ts';
import type { Services, Results, ShownResult } from '../results/results.ts';
import { isRecord } from '../../protocol/json-value.ts';
import { byWorst, worstFigure } from '../../words/editor/status-text.ts';
import { visible } from '../../words/formats/foreign-text.ts';
import * as vscode from 'vscode';
import { resultLabel } from '../../words/formats/command-text.ts';

/** What a command may use. Its arguments come from VS Code, where any extension may set them: they are `unknown`. */
export interface CommandHost {
  readonly context: vscode.ExtensionContext;
  readonly services: Services;
  readonly runs: Runs;
  readonly flamegraph: Flamegraph;
  readonly comparisons: Comparisons;
}

/** The reference in a command's argument, which a row of the tree has inside. Null where there is none. */
export function functionReferenceOf(argument: unknown): FunctionReference | null {
  if (!isRecord(argument)) return null;
  const { recording, item, deopt } = argument;
  const { functionId } = isRecord(item) ? item : argument;
  if (typeof recording !== 'string' || !isIndex(functionId)) return null;
  return isIndex(deopt) ? { recording, functionId, deopt } : { recording, functionId };
}

/** The operation that a row of a view is about; null where it is about none. */
export function operationReferenceOf(
  argument: unknown,
): { readonly recording: string; readonly operation: number } | null {
  if (!isRecord(argument)) return null;
  const { recording, operation } = argument;
  return typeof recording === 'string' && isIndex(operation) ? { recording, operation } : null;
}

/** The diff in an argument: recordings of both sides, and a place that may be missing. Null where it is anything else. */
export function diffReferenceOf(argument: unknown): DiffReference | null {
  if (!isRecord(argument)) return null;
  const [base, head] = [runsOf(argument['base']), runsOf(argument['head'])];
  const place = argument['place'] ?? null;
  if (base === null || head === null) return null;
  if (place === null) return { base, head, place };
  if (!isRecord(place)) return null;
  const { url, line, name } = place;
  if (typeof url !== 'string' || typeof name !== 'string' || !isIndex(line)) return null;
  return { base, head, place: { url, line, name } };
}

/** The place of a row of the tree that has no function, such as a module. */
export function locationOf(argument: unknown): Location | null {
  const item = isRecord(argument) ? argument['item'] : undefined;
  const location = isRecord(item) ? item['location'] : undefined;
  if (!isRecord(location)) return null;
  const { uri, line, character, inside } = location;
  if (typeof uri !== 'string' || typeof line !== 'number' || typeof character !== 'number') return null;
  return { uri, line: line0(line), character, inside: inside === true };
}

function isIndex(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}

/**
 * The result that the argument names; without a name the only one, else the one that the person picks. Null where nothing
 * is picked, and for a row of a result that is gone, as at a second click on *Forget Result*.
 */
export async function pickResult(
  { all }: Results,
  argument: unknown,
  placeHolder: string,
): Promise<ShownResult | null> {
  const [first] = all;
  const meant = resultOf(all, argument);
  if (meant !== null || first === undefined || namesResult(argument)) return meant;
  if (all.length === 1) return first;
  const rows = all
    .toSorted((a, b) => byWorst(a.summary, b.summary))
    .map((result): vscode.QuickPickItem & { readonly result: ShownResult } => ({
      label: visible(resultLabel(result.summary), 300),
      description: worstFigure(result.summary),
      result,
    }));
  return (await vscode.window.showQuickPick(rows, { placeHolder, matchOnDescription: true }))?.result ?? null;
}

/** The result that an argument names, by its target or its recording; null where it names none that is shown. */
export function resultOf(all: readonly ShownResult[], argument: unknown): ShownResult | null {
  if (!isRecord(argument)) return null;
  const { target, recording } = argument;
  return all.find((one) => one.target === target || one.summary.recording === recording) ?? null;
}

/** Whether an argument names a result, which may be gone since. */
export function namesResult(argument: unknown): boolean {
  return isRecord(argument) && (typeof argument['target'] === 'string' || typeof argument['recording'] === 'string');
}
