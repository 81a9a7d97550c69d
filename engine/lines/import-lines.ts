import type { JudgedRun } from '../hotspots/judged-run.ts';
import type { FunctionInfo } from '../functions/function-table.ts';
import { resolveReference } from '../files/file-path.ts';
import type { Line1, Microseconds } from '../../protocol/units.ts';
import type { SourceIndex } from '../source-code/source-index.ts';
import type { SourceIndexes } from '../source-code/source-indexes.ts';
import { firstDifference, compareTexts } from '../basics/compare.ts';
import type { LinePrecision } from '../../protocol/report-code.ts';

/** A line of own code that imports a module which took long to load, with the time that this import took. */
export interface ImportLine {
  /** Url of the module body that contains the line. */
  readonly url: string;
  readonly line: Line1;
  /** Url of the module that it imports. */
  readonly module: string;
  /** Load time of that module, with all that it loads, where this line's module asked for it. */
  readonly us: Microseconds;
  /** `oneOf`: the module is imported on several lines, and any of them may have been first. */
  readonly precision: Exclude<LinePrecision, 'shared'>;
}

/**
 * The lines over the threshold, longest first. Only loading that is nested in the importer is known, so there are none
 * between ES modules.
 */
export async function importLines(
  { modules, functions: { functions }, thresholdUs }: Pick<JudgedRun, 'modules' | 'functions' | 'thresholdUs'>,
  indexes: SourceIndexes,
): Promise<readonly ImportLine[]> {
  const bodies = new Map(functions.filter(({ moduleBody }) => moduleBody).map((body) => [body.url, body]));
  const found: ImportLine[] = [];
  for (const { url: module, askers } of modules) {
    for (const { url, us } of askers) {
      const [asker, loaded] = [bodies.get(url), bodies.get(module)];
      if (us <= thresholdUs || loaded === undefined || asker?.own !== true) continue;
      const index = await indexes.of(url);
      const lines = index === null ? [] : linesOfImport(index, asker, loaded);
      const precision = lines.length === 1 ? 'exact' : 'oneOf';
      found.push(...lines.map((line) => ({ url, line, module, us, precision }) as const));
    }
  }
  return found.toSorted((a, b) => firstDifference(b.us - a.us, compareTexts(a.url, b.url), a.line - b.line));
}

/** The lines that import anything of a package, ascending. */
export function linesOfPackage(index: SourceIndex, name: string): readonly Line1[] {
  return linesWhere(index, (from) => isOfPackage(from, name));
}

/** The lines that import a module. For a package, those that name the very file, if any do. */
function linesOfImport(index: SourceIndex, asker: FunctionInfo, loaded: FunctionInfo): readonly Line1[] {
  const { packageName } = loaded;
  if (packageName === null) return linesWhere(index, (from) => isFile(from, asker, loaded));
  const file = `/node_modules/`;
  const inside = stem(loaded.url.slice(loaded.url.lastIndexOf(file) + file.length));
  const exact = linesWhere(index, (from) => stem(from) === inside || `${stem(from)}/index` === inside);
  return exact.length > 0 ? exact : linesOfPackage(index, packageName);
}

function linesWhere({ imports }: SourceIndex, isWanted: (from: string) => boolean): readonly Line1[] {
  const lines = new Set(imports.filter(({ from }) => isWanted(from)).map(({ line }) => line));
  return [...lines].toSorted((a, b) => a - b);
}

function isOfPackage(from: string, name: string): boolean {
  return from === name || from.startsWith(`${name}/`);
}

/**
 * Whether an import means this file. `./cart.js` may be `cart.ts`, and `./cart` a folder; a name that only tools
 * resolve (`@/cart`) ends as the path does.
 */
function isFile(from: string, asker: FunctionInfo, { path, url }: FunctionInfo): boolean {
  const target = stem(path ?? url);
  if (from.startsWith('.')) {
    const meant = stem(resolveReference(from, asker.path ?? asker.url));
    return meant === target || `${meant.replace(/\/$/, '')}/index` === target;
  }
  const tail = stem(from).replace(/^[^/]*\//, '/');
  return tail.startsWith('/') && (target.endsWith(tail) || target.endsWith(`${tail}/index`));
}

/** A path with `/` and without the extension of a source. */
function stem(path: string): string {
  return path.replaceAll('\\', '/').replace(/\.[cm]?[jt]sx?$/, '');
}
