import type { Analysis } from '../../engine/analysis.ts';
import { type FunctionInfo, isBundleBody } from '../../engine/read/functions/function-table.ts';
import { filePathOf, uriOf, fileKey, olderTextOf } from '../../engine/read/files/file-path.ts';
import { isInside } from '../../protocol/path-spelling.ts';
import type { FunctionPlace, Location, Place } from '../../protocol/places.ts';
import { withoutDots } from '../../protocol/machine-path.ts';
import { type Line0, line0, toLine0 } from '../../protocol/units.ts';
import { deoptGroups } from '../../words/tier-words.ts';
import { hottestLine, noFileText, noLineText, notFoundText } from '../../words/places.ts';
import type { Diff, DiffFunction } from '../../show/diff-flame/read-diff.ts';
import type { FoundFunction, TextBefore } from '../../protocol/requests.ts';
import type { DiffPlace } from '../../protocol/rechecks.ts';

/**
 * Where a function, or a frame's url and line (counted from 1), is; null where that is not a file. `inside`: in one of the
 * `folders`, judged on the path without `..`, so that no profile names a path out of the workspace.
 */
export function locate(analysis: Analysis, folders: readonly string[], place: Place): Location | null {
  if (!('functionId' in place)) return locateFrame(place, folders);
  if (place.deopt !== undefined) return locateDeopt(analysis, folders, place.functionId, place.deopt);
  if (place.hottest === true) return locateHottestLine(analysis, folders, place.functionId);
  const fn = latestOf(analysis, place.functionId);
  return fn === null || !(hasLine(fn) || isBundle(fn)) ? null : locationOf(fn.path, fn.line, fn.column, folders);
}

function hasLine({ line }: FunctionInfo): boolean {
  return line >= 0;
}

/** Whether it is the top level of a bundle, and not of a file that has another text than ran. */
function isBundle(fn: FunctionInfo): boolean {
  return isBundleBody(fn) && !fn.byName;
}

/** Why `locate` found no place for a function, as a sentence. */
export function whyNowhere({ functions: { functions } }: Analysis, { functionId }: FunctionPlace): string {
  const fn = functions[functionId];
  const path = fn?.path ?? null;
  if (fn === undefined || path === null) return noFileText(fn?.url ?? '');
  return isBundle(fn) ? noLineText(path) : notFoundText(path);
}

/** The same for a tooltip, where no line of a function of a file is known; else empty. */
export function whyNoLine(analysis: Analysis, functionId: number): readonly string[] {
  const { path = null } = analysis.functions.functions[functionId] ?? {};
  return path === null || locateHottestLine(analysis, [], functionId) !== null
    ? []
    : [whyNowhere(analysis, { functionId })];
}

/** Where a frame is; its line counts from 1. */
export function locateFrame({ url, line }: Exclude<Place, FunctionPlace>, folders: readonly string[]): Location | null {
  return locationOf(filePathOf(url, folders), line0(line - 1), 0, folders);
}

function locateDeopt(
  { tiers }: Analysis,
  folders: readonly string[],
  functionId: number,
  number: number,
): Location | null {
  const found = tiers?.functions.get(functionId);
  const place = found === undefined ? undefined : deoptGroups(found)[number]?.place;
  return place === undefined
    ? null
    : locationOf(filePathOf(place.url, folders), toLine0(place.line), place.column - 1, folders);
}

/** The line of a hot function's mark, its heaviest; for other functions, the first line. Null where no line is known. */
export function locateHottestLine(analysis: Analysis, folders: readonly string[], functionId: number): Location | null {
  const fn = latestOf(analysis, functionId);
  const line = fn?.id === functionId ? hottestLine(analysis, functionId) : undefined;
  if (line !== undefined) return locateFrame(line, folders);
  return fn === null || !hasLine(fn) ? null : locate(analysis, folders, { functionId });
}

/** For a function of an older text, the function of the same name in the last text; null where that has none. */
function latestOf({ functions: { functions } }: Analysis, functionId: number): FunctionInfo | null {
  const fn = functions[functionId];
  if (fn === undefined || olderTextOf(fn.url) === null) return fn ?? null;
  const named = functions.find(
    ({ path, name, url }) => path === fn.path && name === fn.name && olderTextOf(url) === null,
  );
  return named ?? null;
}

/** Largest line and column that LSP allows. */
const MAX_LSP_POSITION = 2 ** 31 - 1;

function locationOf(path: string | null, line: Line0, column: number, folders: readonly string[]): Location | null {
  if (path === null) return null;
  const meant = withoutDots(path);
  return {
    uri: uriOf(meant),
    line: line0(Math.min(MAX_LSP_POSITION, Math.max(0, line))),
    character: Math.min(MAX_LSP_POSITION, Math.max(0, column)),
    inside: isInside(meant, folders),
  };
}

/**
 * The function at a place of a comparison; null where the diff has none. A comparison names the begin of a function's
 * text, a profile that of its parameters: so the nearest one of that name.
 */
export function findPlace({ functions }: Diff, place: DiffPlace): FoundFunction | null {
  const distance = (at: DiffFunction['is']): number =>
    at === null || fileKey(at.url) !== fileKey(place.url) ? Infinity : Math.abs(at.line - place.line);
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

/** The text that a function of the base had, if a recording has kept it. */
export function textBefore({ functions, texts }: Diff, functionId: number): TextBefore | null {
  const was = functions[functionId]?.was ?? null;
  const kept = was === null ? undefined : texts.base.get(fileKey(was.url));
  return was === null || kept === undefined || was.line < 1 ? null : { ...kept, line: line0(was.line - 1) };
}
