import type {
  AnnotatedFunction,
  AnnotatedImport,
  AnnotatedLine,
  FileAnnotations,
  QuietFunction,
} from '../queries/file-annotations.ts';
import type { Line0 } from '../../protocol/units.ts';
import type { CodeMap, FunctionExtent, PlacedFunction } from '../placement/code-map.ts';
import { mapCode, placeFunction } from '../placement/code-map.ts';
import { pathOfUri } from '../../engine/read/files/file-path.ts';
import { textsOfEditor } from './code-now.ts';
import { textNow } from './current-text.ts';
import type { ShownRecording } from '../recordings/recordings.ts';
import { type Changes, changesNow } from './rechecks.ts';
import type { Session } from '../recordings/session.ts';

/** The annotations of a file, in lines of its current text. */
export interface PlacedFile extends Pick<FileAnnotations, 'changed' | 'lost'> {
  readonly functions: readonly Placed<AnnotatedFunction>[];
  readonly lines: readonly PlacedLine[];
  readonly quiet: readonly Placed<QuietFunction>[];
  readonly imports: readonly AnnotatedImport[];
}

export interface Placed<Item> {
  readonly item: Item;
  readonly place: PlacedFunction;
}

export interface PlacedLine {
  readonly item: AnnotatedLine;
  readonly line: Line0;
  /** Function that has the line; null for a line in no hot function of this file. */
  readonly owner: Placed<AnnotatedFunction> | null;
}

/** What a result knows of a document. */
export interface PlacedResult {
  readonly result: ShownRecording;
  readonly file: PlacedFile;
  readonly changes: Changes;
  /** First lines of functions that the run reached with their current text. */
  readonly present: () => ReadonlySet<Line0>;
  readonly codeOf: (extent: FunctionExtent) => string;
}

/** What each result knows of a document, newest first. Results that know nothing are left out. */
export async function placedResults(session: Session, uri: string): Promise<readonly PlacedResult[]> {
  const path = pathOfUri(uri);
  if (path === null) return [];
  const { recordings } = session;
  const textOf = textsOfEditor(session);
  const placed = await recordings.ofShown(async (result): Promise<PlacedResult | null> => {
    const annotations = await recordings.file(result.summary.recording, path);
    if (annotations === null) return null;
    const map = await mapToNow(session, uri, annotations);
    const changes = await changesNow(session, result, textOf);
    return {
      result,
      file: placeAnnotations(annotations, map),
      changes,
      present: () => presentLines(annotations, map),
      codeOf: (extent) => codeBefore(map, extent),
    };
  });
  return placed.filter((one) => one !== null);
}

function codeBefore({ before }: CodeMap, { firstLine, lastLine }: FunctionExtent): string {
  return before.tokens.slice(before.tokensAbove(firstLine), before.tokensAbove(lastLine + 1)).join(' ');
}

function presentLines({ reached }: FileAnnotations, map: CodeMap): ReadonlySet<Line0> {
  const places = reached.map((extent) => placeFunction(map, extent));
  return new Set(places.flatMap((place) => (place === null || place.stale ? [] : [place.line])));
}

/** Maps the recorded text of a file to its open document, else to the file. An unreadable file counts as unchanged. */
export async function mapToNow(
  session: Session,
  uri: string,
  { text }: Pick<FileAnnotations, 'text'>,
): Promise<CodeMap> {
  const path = pathOfUri(uri) ?? '';
  const now = (await textNow(session, uri)) ?? text;
  return mapCode(session.code.recorded(path, text), session.code.now(path, now));
}

export function placeAnnotations(annotations: FileAnnotations, map: CodeMap): PlacedFile {
  const placed = annotations.functions.map((item) => {
    const place = placeFunction(map, item.extent);
    return place === null ? null : { item, place };
  });
  const lines = annotations.lines.flatMap((item): readonly PlacedLine[] => {
    const owner = placed[item.owner] ?? null;
    if (owner === null && item.owner >= 0) return [];
    const line = owner === null ? map.lineOf(item.line) : owner.place.lineOf(item.line);
    return line === null ? [] : [{ item, line, owner }];
  });
  const quiet = annotations.quiet.flatMap((item): readonly Placed<QuietFunction>[] => {
    const place = placeFunction(map, item.extent);
    return place === null ? [] : [{ item, place }];
  });
  const imports = annotations.imports.flatMap((item): readonly AnnotatedImport[] => {
    const line = map.lineOf(item.line);
    return line === null ? [] : [{ ...item, line }];
  });
  const { changed, lost } = annotations;
  return { functions: placed.filter((fn) => fn !== null), lines, quiet, imports, changed, lost };
}
