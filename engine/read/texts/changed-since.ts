import type { FunctionInfo } from '../functions/function-table.ts';
import type { SourceMapper } from '../sourcemap/source-mapper.ts';
import { type World, longestNamed, readText } from '../files/world.ts';
import type { KeptTexts } from './kept-texts.ts';
import { groupBy } from '../../basics/lists.ts';
import { olderTextOf } from '../files/file-path.ts';

/** The own code that has changed since it was recorded. It is known only where the recording has kept the texts. */
export interface ChangedSince {
  /** Absolute paths of files with another text. */
  readonly paths: ReadonlySet<string>;
  /** Functions whose own text is no longer in their file. Other functions of such a file may be on other lines. */
  readonly functionIds: ReadonlySet<number>;
}

/**
 * Finds what has changed. A file that is not on this machine counts as unchanged, because the recording may come from
 * another machine.
 */
export async function changedSince(
  functions: readonly FunctionInfo[],
  mapper: Pick<SourceMapper, 'textOf'>,
  texts: Pick<KeptTexts, 'textOf' | 'isOfRecording'>,
  world: World,
): Promise<ChangedSince> {
  const paths = new Set<string>();
  const functionIds = new Set(functions.filter(({ url }) => olderTextOf(url) !== null).map(({ id }) => id));
  const own = functions.filter((fn) => texts.isOfRecording && fn.own && !functionIds.has(fn.id));
  for (const [path, inFile] of groupBy(own, (fn) => fn.path)) {
    const url = inFile[0]?.url;
    const before = path === null || url === undefined ? null : await mapper.textOf(url);
    const now = path === null ? null : await readText(path, world, longestNamed.text);
    if (path === null || url === undefined || before === null || now === null || isSame(before, now)) continue;
    const kept = await texts.textOf(path);
    if (kept !== null && isSame(kept, now)) continue; // A compiler has changed the text in its map.
    paths.add(path);
    const { placeInText } = await import('./place-in-text.ts'); // It is loaded on demand: it brings the parser.
    const places = placeInText(before, now, url);
    for (const fn of inFile) if (!fn.moduleBody && places.function(fn) === null) functionIds.add(fn.id);
  }
  return { paths, functionIds };
}

function isSame(before: string, now: string): boolean {
  return before === now || plain(before) === plain(now);
}

function plain(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(/^\uFEFF/, '');
}
