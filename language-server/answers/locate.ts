import { pathToFileURL } from 'node:url';
import type { Analysis } from '../../engine/analysis.ts';
import { filePathOf } from '../../engine/sourcemap/file-path.ts';
import type { Location, Place } from '../../protocol/requests.ts';
import { type Line0, line0 } from '../../protocol/units.ts';
import { isInside } from './places.ts';

/**
 * Where a function, or a frame's url and line (counted from 1), is in the source; null where that is no file.
 * `inside` is decided on the path without `..`, so that no profile can name its way out of the workspace.
 */
export function locate(analysis: Analysis, place: Place): Location | null {
  if (!('functionId' in place)) return locationOf(filePathOf(place.url), line0(place.line - 1), 0, analysis);
  const fn = analysis.functions.functions[place.functionId];
  return fn === undefined ? null : locationOf(fn.path, fn.line, fn.column, analysis);
}

/** The line that a hot function's mark is on: its heaviest; of other functions where they begin. */
export function locateHottestLine(analysis: Analysis, functionId: number): Location | null {
  const hottest = analysis.lines.find(({ decorated, functionIds }) => decorated && functionIds[0] === functionId);
  return locate(analysis, hottest === undefined ? { functionId } : hottest);
}

function locationOf(path: string | null, line: Line0, column: number, { roots }: Analysis): Location | null {
  if (path === null) return null;
  const uri = pathToFileURL(path);
  const resolved = filePathOf(uri.href) ?? path;
  return { uri: uri.href, line: line0(Math.max(0, line)), character: Math.max(0, column), inside: isInside(resolved, roots) };
}
