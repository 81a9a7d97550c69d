import { type Hover, type HoverParams, MarkupKind } from 'vscode-languageserver/node';
import type { PlacedFile, PlacedLine } from '../placement/placed-file.ts';
import type { Session } from '../recordings/session.ts';
import { remediesFor } from '../rules/remedies.ts';
import { type HoverParts, hoverText } from '../texts/hover-text.ts';
import { importHover } from '../texts/import-hover.ts';
import { placedFile, shownImports } from './file-marks.ts';

/** On a hot line, and on the first line of a hot function: what is known of the function. On a marked import: why it is. */
export async function hover(session: Session, { textDocument, position }: HoverParams): Promise<Hover | null> {
  const summary = session.recordings.annotated?.summary;
  const file = await placedFile(session, textDocument.uri);
  if (summary === undefined || file === null) return null;
  const text = session.documents.get(textDocument.uri)?.getText().split('\n')[position.line] ?? '';
  const { recording, thresholdUs } = summary;
  const imported = shownImports(session, file).find(({ line }) => line === position.line);
  if (imported !== undefined) return markdown(importHover(imported, thresholdUs, remediesFor(text)));
  const marked = file.lines.find(({ line }) => line === position.line);
  const fn = functionAt(file, position.line, marked);
  if (fn === null) return null;
  const details = await session.recordings.ask(recording, 'details', fn.hot.functionId);
  if (details === null) return null;
  const remedies = marked === undefined ? [] : remediesFor(text);
  const shown = marked?.item ?? null;
  return markdown(hoverText({ recording, thresholdUs, ...fn, details, line: shown, remedies }));
}

function markdown(value: string): Hover {
  return { contents: { kind: MarkupKind.Markdown, value } };
}

/** The function of the marked line, be it this file's or a bundle's body; else the one that begins here. */
function functionAt(
  { functions }: PlacedFile,
  line: number,
  marked: PlacedLine | undefined,
): Pick<HoverParts, 'hot' | 'stale'> | null {
  const elsewhere = marked?.item.elsewhere ?? null;
  if (elsewhere !== null) return { hot: elsewhere, stale: elsewhere.changed };
  const fn = marked?.owner ?? functions.find(({ place }) => place.line === line);
  return fn === undefined ? null : { hot: fn.item, stale: fn.place.stale };
}
