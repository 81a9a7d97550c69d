import { type Hover, type HoverParams, MarkupKind } from 'vscode-languageserver/node';
import type { Placed, PlacedFile } from '../placement/placed-file.ts';
import type { AnnotatedFunction } from '../answers/file-annotations.ts';
import type { Session } from '../recordings/session.ts';
import { remediesFor } from '../rules/remedies.ts';
import { hoverText } from '../texts/hover-text.ts';
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
  const fn = functionAt(file, position.line);
  if (fn === null) return null;
  const details = await session.recordings.ask(recording, 'details', fn.item.functionId);
  if (details === null) return null;
  const marked = file.lines.find(({ line }) => line === position.line);
  const remedies = marked === undefined ? [] : remediesFor(text);
  const shown = marked?.item ?? null;
  const value = hoverText({
    recording,
    thresholdUs,
    hot: fn.item,
    details,
    line: shown,
    stale: fn.place.stale,
    remedies,
  });
  return markdown(value);
}

function markdown(value: string): Hover {
  return { contents: { kind: MarkupKind.Markdown, value } };
}

function functionAt({ lines, functions }: PlacedFile, line: number): Placed<AnnotatedFunction> | null {
  return (
    lines.find((marked) => marked.line === line)?.owner ?? functions.find(({ place }) => place.line === line) ?? null
  );
}
