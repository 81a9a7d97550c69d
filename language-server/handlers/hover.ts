import { type Hover, type HoverParams, MarkupKind } from 'vscode-languageserver/node';
import type { Placed, PlacedFile } from '../placement/placed-file.ts';
import type { AnnotatedFunction } from '../answers/file-annotations.ts';
import type { Session } from '../recordings/session.ts';
import { remediesFor } from '../rules/remedies.ts';
import { hoverText } from '../texts/hover-text.ts';
import { placedFile } from './file-marks.ts';

/** On a hot line, and on the first line of a hot function: what is known of the function. */
export async function hover(session: Session, { textDocument, position }: HoverParams): Promise<Hover | null> {
  const summary = session.recordings.annotated?.summary;
  const file = await placedFile(session, textDocument.uri);
  if (summary === undefined || file === null) return null;
  const fn = functionAt(file, position.line);
  if (fn === null) return null;
  const { recording, thresholdUs } = summary;
  const details = await session.recordings.ask(recording, 'details', fn.item.functionId);
  if (details === null) return null;
  const marked = file.lines.find(({ line }) => line === position.line);
  const line = session.documents.get(textDocument.uri)?.getText().split('\n')[position.line] ?? '';
  const remedies = marked === undefined ? [] : remediesFor(line);
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
  return { contents: { kind: MarkupKind.Markdown, value } };
}

function functionAt({ lines, functions }: PlacedFile, line: number): Placed<AnnotatedFunction> | null {
  return (
    lines.find((marked) => marked.line === line)?.owner ?? functions.find(({ place }) => place.line === line) ?? null
  );
}
