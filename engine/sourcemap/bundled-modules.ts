import { functionAt } from '../source-code/source-index.ts';
import type { SourceIndexes } from '../source-code/source-indexes.ts';
import type { ScriptPlace, Surroundings } from './ask-map.ts';
import type { Origin, ScriptPosition } from './origin.ts';
import { createBodyScanner } from './body-scanner.ts';

/**
 * Finds the functions in which bundlers wrap modules (`"src/a.js"(exports, module) {`, `123: (e, t, n) => {`, `function
 * requireA() {`) and whole bundles. No map tells of them, but such a function is open where the first word of a source
 * is. `surroundings` has one entry for each start, `text` is that of the bundle.
 */
export async function withModules(
  starts: readonly ScriptPosition[],
  origins: readonly Origin[],
  surroundings: readonly Surroundings[],
  text: string,
  indexes: SourceIndexes,
): Promise<readonly Origin[]> {
  const isOpen = createBodyScanner(text);
  const begins = await Promise.all(origins.map(async (origin, at) => beginsSource(origin, starts[at], indexes)));
  return origins.map((origin, at) => {
    const start = starts[at];
    if (begins[at] === true && origin.type === 'original') return { type: 'module', url: origin.url };
    const { after = null, sourceBegins = null } = surroundings[at] ?? {};
    if (start === undefined || after === null || sourceBegins === null) return origin;
    const isIts = origin.type === 'original' && origin.url === after.url;
    if (isIts || isModuleBody(start) || !isOpen(start, sourceBegins.at)) return origin;
    const hasOthers = sourceBegins.next !== null && isOpen(start, sourceBegins.next);
    return hasOthers ? { type: 'bundle' } : { type: 'module', url: after.url };
  });
}

/**
 * Whether a map puts a wrapper at the very begin of its source, as some do: there is no function there, or it is named
 * after the file.
 */
async function beginsSource(
  origin: Origin,
  start: ScriptPosition | undefined,
  indexes: SourceIndexes,
): Promise<boolean> {
  if (origin.type !== 'original' || start === undefined || isModuleBody(start)) return false;
  if (origin.line > 0 || origin.column > 0) return false;
  if (/[\\/]/.test(start.name)) return true;
  const index = await indexes.of(origin.url);
  return index !== null && functionAt(index, origin.line, origin.column, start.name) < 0;
}

function isModuleBody({ line, column }: Pick<ScriptPlace, 'line' | 'column'>): boolean {
  return line === 0 && column <= 0;
}
