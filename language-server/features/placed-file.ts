import type {
  AnnotatedFunction,
  AnnotatedImport,
  AnnotatedLine,
  FileAnnotations,
  QuietFunction,
} from '../queries/file-annotations.ts';
import type { Line0 } from '../../protocol/units.ts';
import {
  type CodeMap,
  mapCode,
  type FunctionExtent,
  type PlacedFunction,
  placeFunction,
} from '../placement/code-map.ts';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { readFile, stat } from 'node:fs/promises';
import { MAX_NAMED_BYTES } from '../../engine/read/files/world.ts';
import type { ShownRecording } from '../recordings/recordings.ts';
import type { Session } from '../recordings/session.ts';

/** The annotations of a file, in lines of its current text. */
export interface PlacedFile {
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
  /** First lines of functions that the run reached with their current text. */
  readonly present: () => ReadonlySet<Line0>;
  readonly codeOf: (extent: FunctionExtent) => string;
}

/** What each result knows of a document, newest first. Results that know nothing are left out. */
export async function placedResults(session: Session, uri: string): Promise<readonly PlacedResult[]> {
  if (!uri.startsWith('file:')) return [];
  const { recordings } = session;
  const placed = recordings.shown.map(async (result): Promise<PlacedResult | null> => {
    const annotations = await recordings.file(result.summary.recording, fileURLToPath(uri));
    if (annotations === null) return null;
    const map = await mapToNow(session, uri, annotations);
    return {
      result,
      file: placeAnnotations(annotations, map),
      present: () => presentLines(annotations, map),
      codeOf: (extent) => codeBefore(map, extent),
    };
  });
  return (await Promise.all(placed)).filter((one) => one !== null);
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
  const path = fileURLToPath(uri);
  const now = (await textNow(session, uri)) ?? text;
  return mapCode(session.code.recorded(path, text), session.code.now(path, now));
}

/** The text of the open document, else of the file; null where it cannot be read. */
export async function textNow(session: Session, uri: string): Promise<string | null> {
  const path = fileURLToPath(uri);
  return openDocument(session, path)?.getText() ?? textOnDisk(path);
}

/** Asynchronous, because a network disk may not answer, and this thread answers the editor. */
async function textOnDisk(path: string): Promise<string | null> {
  try {
    const stats = await stat(path);
    return stats.isFile() && stats.size <= MAX_NAMED_BYTES.text ? new TextDecoder().decode(await readFile(path)) : null;
  } catch {
    return null; // It is gone, or may not be read.
  }
}

/** The document of an absolute path. Editors may escape more of the address than necessary. */
export function openDocument({ documents }: Session, path: string): TextDocument | undefined {
  const plain = documents.get(pathToFileURL(path).href);
  return plain ?? documents.all().find(({ uri }) => uri.startsWith('file:') && fileURLToPath(uri) === path);
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
  return { functions: placed.filter((fn) => fn !== null), lines, quiet, imports };
}
