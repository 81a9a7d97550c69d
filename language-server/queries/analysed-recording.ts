import { spellingIn } from '../../protocol/path-spelling.ts';
import type { Analysis } from '../../engine/analysis.ts';
import { IndexedTexts } from '../../engine/read/source-code/source-indexes.ts';
import { annotationsOf, type FileAnnotations, type KeptMarks } from './file-annotations.ts';
import { diskWorld } from '../../recordings/disk-world.ts';

/** An analysis, with what else the editor and agents need. */
export interface AnalysedRecording {
  readonly analysis: Analysis;
  /** The open folders. `analysis.roots` may come from the recording, which must not decide what opens unasked. */
  readonly folders: readonly string[];
  readonly kept: KeptMarks;
  /** Texts of own files when the recording was read, by path. */
  readonly texts: ReadonlyMap<string, string>;
}

/** What is known of a file (absolute path); null where the recording has no text of it. */
export async function annotationsIn(
  { analysis, kept, texts }: AnalysedRecording,
  asked: string,
): Promise<FileAnnotations | null> {
  const path = texts.has(asked) ? asked : spellingIn(texts.keys(), asked);
  const text = texts.get(path ?? '');
  if (path === undefined || text === undefined) return null;
  const index = await new IndexedTexts(diskWorld.keptIndexes).of(text, path); // In memory, all files would take too much.
  return annotationsOf(analysis, kept, { path, text, index });
}
