import { functionAt } from '../lines/source-index.ts';
import type { SourceIndexes } from '../lines/source-indexes.ts';
import type { ScriptPlace, Surroundings } from './ask-map.ts';
import type { Origin, ScriptPosition } from './origin.ts';

/**
 * The functions in which bundlers wrap modules (`"src/a.js"(exports, module) {`, `123: (e, t, n) => {`, `function requireA() {`)
 * and whole bundles. No map tells of them: such a function is open where the first word of a source stands.
 * `surroundings`: one for each start, or none where the script is no bundle.
 */
export async function withModules(
  starts: readonly ScriptPosition[],
  origins: readonly Origin[],
  surroundings: readonly Surroundings[],
  text: string,
  indexes: SourceIndexes,
): Promise<readonly Origin[]> {
  const lines = text.split('\n');
  const begins = await Promise.all(origins.map(async (origin, at) => beginsSource(origin, starts[at], indexes)));
  return origins.map((origin, at) => {
    const start = starts[at];
    if (begins[at] === true && origin.type === 'original') return { type: 'module', url: origin.url };
    const { after = null, sourceBegins = null } = surroundings[at] ?? {};
    if (start === undefined || after === null || sourceBegins === null) return origin;
    const isIts = origin.type === 'original' && origin.url === after.url;
    if (isIts || isModuleBody(start) || !isOpen(lines, start, sourceBegins.at)) return origin;
    const hasOthers = sourceBegins.next !== null && isOpen(lines, start, sourceBegins.next);
    return hasOthers ? { type: 'bundle' } : { type: 'module', url: after.url };
  });
}

/** Some maps tell of a wrapper that it is the very begin of its source: which is no function there, or is named after the file. */
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

function isModuleBody({ line, column }: ScriptPosition): boolean {
  return line === 0 && column <= 0;
}

/** Whether the body of the function whose parameters begin at `from` is still open at `to`: helpers of compilers end before that. */
function isOpen(lines: readonly string[], from: ScriptPosition, to: ScriptPlace): boolean {
  const open = { brackets: 0, braces: 0 };
  for (const [sign] of textBetween(lines, from, to).matchAll(signs)) {
    const isBody = open.brackets === 0;
    if (sign === '(' && open.braces === 0) open.brackets += 1;
    if (sign === ')' && open.braces === 0) open.brackets -= 1;
    if (sign === '{' && isBody) open.braces += 1;
    if (sign === '}' && isBody) open.braces -= 1;
    const isOver = open.brackets < 0 || (sign === '}' && isBody && open.braces <= 0);
    if (isOver) return false;
  }
  return open.braces > 0;
}

function textBetween(lines: readonly string[], from: ScriptPosition, to: ScriptPlace): string {
  if (from.line === to.line) return (lines[from.line] ?? '').slice(from.column, to.column);
  const first = (lines[from.line] ?? '').slice(from.column);
  return [first, ...lines.slice(from.line + 1, to.line), (lines[to.line] ?? '').slice(0, to.column)].join('\n');
}

/** Brackets, and what may have some that count for nothing: strings, regular expressions and comments. */
const signs =
  /[{}()]|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[^])*`|\/\/.*|\/\*[^]*?\*\/|(?<=[(,=:[!&|?{};]\s*)\/(?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\//g;
