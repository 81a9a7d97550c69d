import type { Diff } from '../../show/diff-flame/read-diff.ts';
import type { DiffFunction } from '../../show/diff-flame/side-functions.ts';
import { filePathOf } from '../../engine/read/files/file-path.ts';
import type { DiffPlace, FoundFunction, TextBefore } from '../../protocol/requests.ts';
import { line0 } from '../../protocol/units.ts';

/**
 * The function that a comparison means by a place; null where the diff has none. A comparison names where the text of a
 * function begins, and a profile where its parameters do: it is the one of that name that is nearest.
 */
export function findPlace({ functions }: Diff, place: DiffPlace): FoundFunction | null {
  const distance = (at: DiffFunction['is']): number =>
    at === null || pathOf(at.url) !== pathOf(place.url) ? Infinity : Math.abs(at.line - place.line);
  const found = functions.flatMap(({ was, is, name }, functionId) => {
    const isNamed = [was?.label, is?.label, name].includes(place.name);
    const far = Math.min(distance(was), distance(is));
    // A function without a name is called after what calls it, which the labels of two sides may say in other words.
    return far === Infinity || (!isNamed && far > 0) ? [] : [{ functionId, far: isNamed ? far : far + 0.5, is }];
  });
  const [nearest] = found.toSorted((a, b) => a.far - b.far);
  return nearest === undefined
    ? null
    : { functionId: nearest.functionId, side: nearest.is === null ? 'before' : 'now' };
}

function pathOf(url: string): string {
  return filePathOf(url) ?? url;
}

/** The text that a function of the base had, where a recording has kept it. */
export function textBefore({ functions, texts }: Diff, functionId: number): TextBefore | null {
  const was = functions[functionId]?.was ?? null;
  const path = was === null ? null : filePathOf(was.url);
  const text = path === null ? undefined : texts.base.get(path);
  if (was === null || path === null || text === undefined || was.line < 1) return null;
  return { path, text, line: line0(was.line - 1) };
}
