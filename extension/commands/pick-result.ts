import { type QuickPickItem, window } from 'vscode';
import { isRecord } from '../../protocol/json-value.ts';
import { byWorst, worstFigure } from '../../words/editor/status-text.ts';
import { resultLabel } from '../../words/formats/command-text.ts';
import { visible } from '../../words/formats/hidden-characters.ts';
import type { Results, ShownResult } from '../results/results.ts';

/**
 * The result that a command is about: that of the row, the lens or the hover it was started from, or the only one; else
 * the one that the person picks. Null where there is none, or none is picked.
 */
export async function pickResult(
  { all }: Results,
  argument: unknown,
  placeHolder: string,
): Promise<ShownResult | null> {
  const [first] = all;
  const meant = resultOf(all, argument);
  if (meant !== null || first === undefined) return meant;
  if (all.length === 1) return first;
  const rows = all
    .toSorted((a, b) => byWorst(a.summary, b.summary))
    .map((result): QuickPickItem & { readonly result: ShownResult } => ({
      label: visible(resultLabel(result.summary), 300),
      description: worstFigure(result.summary),
      result,
    }));
  return (await window.showQuickPick(rows, { placeHolder, matchOnDescription: true }))?.result ?? null;
}

/** The result that an argument of a command names, by its target or its recording; null where it names none. */
export function resultOf(all: readonly ShownResult[], argument: unknown): ShownResult | null {
  if (!isRecord(argument)) return null;
  const { target, recording } = { target: argument['target'], recording: argument['recording'] };
  return all.find((one) => one.target === target || one.summary.recording === recording) ?? null;
}
