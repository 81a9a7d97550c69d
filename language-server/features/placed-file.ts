import type {
  AnnotatedFunction,
  AnnotatedImport,
  AnnotatedLine,
  FileAnnotations,
  QuietFunction,
} from '../queries/file-annotations.ts';
import { type Line0, line0 } from '../../protocol/units.ts';
import { mapLines, trimmedLines } from '../placement/line-map.ts';
import { type PlacedFunction, placeFunction } from '../placement/place-function.ts';
import { fileURLToPath } from 'node:url';
import { readText } from '../../engine/files/world.ts';
import { diskWorld } from '../../recordings/disk-world.ts';
import type { Session } from '../recordings/session.ts';

/** The annotations of a file, in lines of its text as it is now. */
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

/** What the annotated recording knows of a document; null where that is nothing. */
export async function placedFile(session: Session, uri: string): Promise<PlacedFile | null> {
  if (!uri.startsWith('file:')) return null;
  const annotations = await session.recordings.file(fileURLToPath(uri));
  if (annotations === null) return null;
  return placeAnnotations(annotations, (await textOfNow(session, uri)) ?? annotations.text);
}

/**
 * The text of a document in the editor; where it is not open, the text of the file, or null where that cannot be read.
 */
export async function textOfNow({ documents }: Session, uri: string): Promise<string | null> {
  return documents.get(uri)?.getText() ?? readText(fileURLToPath(uri), diskWorld);
}

/** Places annotations. What is gone from the text is left out. */
export function placeAnnotations(annotations: FileAnnotations, now: string): PlacedFile {
  const map = mapLines(annotations.text, now);
  const before = trimmedLines(annotations.text);
  const placed = annotations.functions.map((item) => {
    const place = placeFunction(map, before, item.extent);
    return place === null ? null : { item, place };
  });
  const lines = annotations.lines.flatMap((item): readonly PlacedLine[] => {
    const owner = placed[item.owner] ?? null;
    if (owner === null && item.owner >= 0) return [];
    const line = owner === null ? map.lineOf(item.line) : owner.place.lineOf(item.line);
    return line === null || line < 0 ? [] : [{ item, line: line0(line), owner }];
  });
  const quiet = annotations.quiet.flatMap((item): readonly Placed<QuietFunction>[] => {
    const place = placeFunction(map, before, item.extent);
    return place === null ? [] : [{ item, place }];
  });
  const imports = annotations.imports.flatMap((item): readonly AnnotatedImport[] => {
    const line = map.lineOf(item.line);
    return line < 0 ? [] : [{ ...item, line: line0(line) }];
  });
  return { functions: placed.filter((fn) => fn !== null), lines, quiet, imports };
}
