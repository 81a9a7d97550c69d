import { Uri, env, window, workspace } from 'vscode';
import type { ComparedFunction } from '../../protocol/comparison.ts';
import { line0 } from '../../protocol/units.ts';
import { comparisonMarkdown } from '../../words/formats/change-texts.ts';
import { escapeNotification } from '../../words/formats/escape-markdown.ts';
import { type ErrorLog, inLog } from '../ui/failures.ts';
import { openSourceAt, workspaceFile } from '../ui/open-source.ts';
import type { ShownComparison } from './shown-comparison.ts';
import { lineNow } from './function-lines.ts';

/** Opens the source of a compared function where it begins now, or says why that cannot be. */
export async function openCompared(shown: ShownComparison, index: number, log: ErrorLog): Promise<void> {
  const { comparison, lines } = shown;
  const fn = comparison.functions[index];
  if (fn === undefined) return;
  const say = (text: string): void => inLog(window.showInformationMessage(escapeNotification(text)), log);
  if (fn.is === null) {
    say(goneText(fn));
    return;
  }
  const { url, line, label, file } = fn.is;
  const inside = workspaceFile(url);
  if (inside === null) {
    const location = {
      uri: Uri.parse(url).toString(),
      line: line0(Math.max(0, line - 1)),
      character: 0,
      inside: false,
    };
    await openSourceAt(location, log);
    return;
  }
  const text = await workspace.openTextDocument(inside).then(
    (document) => document.getText(),
    () => null, // It has gone since: opening it says so.
  );
  const now = text === null ? line0(0) : lineNow(text, line, lines[index] ?? null);
  await openSourceAt({ uri: inside.toString(), line: now ?? line0(0), character: 0, inside: true }, log);
  if (now === null)
    say(`${file} has changed since these runs, so where ${label} begins now is not certain. Compare again to know it.`);
}

function goneText({ was }: ComparedFunction): string {
  return `${was?.label ?? 'It'} is gone: your files have no such function any more. It was in ${was?.file ?? 'a file'}.`;
}

/** Copies a comparison as Markdown for a pull request. */
export async function copyComparison({ comparison }: ShownComparison): Promise<void> {
  await env.clipboard.writeText(comparisonMarkdown(comparison));
  window.setStatusBarMessage('Copied', 2_000);
}
