import type { FigureRuns } from '../../../protocol/figures.ts';
import type { JudgedRun } from '../hotspots/judged-run.ts';
import type { FunctionInfo } from '../../read/functions/function-table.ts';
import { resolveReference, olderTextOf } from '../../read/files/file-path.ts';
import type { ReportImport } from '../../../protocol/report-code.ts';
import type { Line1, Microseconds } from '../../../protocol/units.ts';
import type { SourceIndex } from '../../read/source-code/source-index.ts';
import type { SourceIndexes } from '../../read/source-code/source-indexes.ts';
import { firstDifference, compareTexts, groupBy } from '../../basics/lists.ts';
import { type World, foldersBelow } from '../../read/files/world.ts';
import { isOfPackage, stem } from './call-targets.ts';
import { longBlames, worstBlamed } from '../hotspots/blame.ts';

/** The lines over the threshold, longest first. Only loading nested in the importer counts: none between ES modules. */
export async function importLines(
  {
    modules,
    functions: { functions },
    thresholdUs,
    roots,
  }: Pick<JudgedRun, 'modules' | 'functions' | 'thresholdUs' | 'roots'>,
  indexes: SourceIndexes,
): Promise<readonly ReportImport[]> {
  const bodies = new Map(functions.filter(({ moduleBody }) => moduleBody).map((body) => [body.url, body]));
  const found: ReportImport[] = [];
  for (const { url: module, askers } of modules) {
    for (const { url, us } of askers) {
      const [asker, loaded] = [bodies.get(url), bodies.get(module)];
      if (us <= thresholdUs || loaded === undefined || asker?.own !== true) continue;
      const index = await indexes.of(url);
      const lines = index === null ? [] : linesOfImport(index, asker, loaded, roots);
      const precision = lines.length === 1 ? 'exact' : 'oneOf';
      for (const line of lines) found.push({ url, line, module, us, precision });
    }
  }
  return found.toSorted((a, b) => firstDifference(b.us - a.us, compareTexts(a.url, b.url), a.line - b.line));
}

/** The lines that import anything of a package, ascending. */
function linesOfPackage(index: SourceIndex, name: string): readonly Line1[] {
  return linesWhere(index, (from) => isOfPackage(from, name));
}

/** The lines that import a module. For a package, those that name the very file, if any do. */
function linesOfImport(
  index: SourceIndex,
  asker: FunctionInfo,
  loaded: FunctionInfo,
  roots: readonly string[],
): readonly Line1[] {
  const { packageName } = loaded;
  if (packageName === null) return linesWhere(index, (from) => isFile(from, asker, loaded, roots));
  const file = `/node_modules/`;
  const inside = stem(loaded.url.slice(loaded.url.lastIndexOf(file) + file.length));
  const exact = linesWhere(index, (from) => stem(from) === inside || `${stem(from)}/index` === inside);
  return exact.length > 0 ? exact : linesOfPackage(index, packageName);
}

function linesWhere({ imports }: SourceIndex, isWanted: (from: string) => boolean): readonly Line1[] {
  const lines = new Set(imports.filter(({ from }) => isWanted(from)).map(({ line }) => line));
  return [...lines].toSorted((a, b) => a - b);
}

/** Whether an import means this file: `./cart.js` may be `cart.ts`, `./cart` a folder; of `@/cart` the end counts. */
function isFile(from: string, asker: FunctionInfo, { path, url }: FunctionInfo, roots: readonly string[]): boolean {
  const target = stem(path ?? url);
  if (from.startsWith('.')) {
    const meant = stem(resolveReference(from, asker.path ?? asker.url, roots));
    return meant === target || `${meant.replace(/\/$/, '')}/index` === target;
  }
  const tail = stem(from).replace(/^[^/]*\//, '/');
  return tail.startsWith('/') && (target.endsWith(tail) || target.endsWith(`${tail}/index`));
}

/** A dependency that held the loop without own code on the stack. */
export interface BlamedPackage {
  readonly name: string;
  /** Its largest part in one operation. */
  readonly worst: Microseconds;
  /** Whether that operation is an estimate; of several runs, whether it is in any. */
  readonly estimated: boolean;
  /** Number of operations in which it is blamed for a part over the threshold. */
  readonly longCount: number;
  /** Lines of own code that import it, by url and line. The call is behind one of them. */
  readonly imports: readonly PackageImport[];
  /** Only where several runs are shown together. */
  readonly runs?: FigureRuns;
}

interface PackageImport {
  /** Url as that of functions; the path of a file in which nothing was sampled. */
  readonly url: string;
  readonly line: Line1;
  /** True where the file was sampled in this recording; otherwise it is not known whether it ran. */
  readonly seen: boolean;
}

type Found = Pick<JudgedRun, 'operations' | 'verdicts' | 'streams' | 'thresholdUs' | 'functions' | 'roots'>;

/**
 * Packages, worst first. Their imports are searched in sampled own files, else in the other sources of the workspace
 * (`seen: false`). A profile without own code belongs to another program, so nothing is searched.
 */
export async function blamedPackages(
  found: Found,
  indexes: SourceIndexes,
  world: World,
): Promise<readonly BlamedPackage[]> {
  const blamed = longBlames(found).filter(({ blame }) => blame.kind === 'package');
  if (blamed.length === 0) return [];
  const byName = groupBy(blamed, ({ blame }) => blame.name);
  const sampled = sampledSources(found.functions.functions);
  const imports = await importsIn(sampled, true, [...byName.keys()], indexes);
  const missing = [...byName.keys()].filter((name) => !imports.has(name));
  const others = sampled.size === 0 || missing.length === 0 ? [] : await sourcesIn(found.roots, world);
  for (const [name, lines] of await importsIn(others, false, missing, indexes)) imports.set(name, lines);
  return [...byName]
    .flatMap(([name, operations]): readonly BlamedPackage[] => {
      const worst = worstBlamed(operations);
      if (worst === undefined) return [];
      const { blame, estimated } = worst;
      return [{ name, worst: blame.us, estimated, longCount: operations.length, imports: imports.get(name) ?? [] }];
    })
    .toSorted((a, b) => firstDifference(b.worst - a.worst, compareTexts(a.name, b.name)));
}

/**
 * Names of packages that only test code imports: of the blamed ones, whose imports are known, and of the named ones. A file
 * that only imports a package and hands it on may have no sample, so `otherSources` are read before a named one is in it.
 */
export async function packagesOfTests(
  { functions: { functions } }: Pick<JudgedRun, 'functions'>,
  blamed: readonly BlamedPackage[],
  names: readonly string[],
  { indexes, otherSources }: ImportSources,
): Promise<ReadonlySet<string>> {
  const tests = new Set(functions.flatMap(({ role, url }) => (role === 'test' ? [url] : [])));
  const known = new Map(blamed.map(({ name, imports }) => [name, imports]));
  const others = names.filter((name) => !known.has(name));
  const imports = [...known, ...(await importsIn(sampledSources(functions), true, others, indexes))];
  const isOfTests = (lines: readonly PackageImport[]): boolean =>
    lines.length > 0 && lines.every(({ url }) => tests.has(url));
  const ofTests = imports.flatMap(([name, lines]) => (isOfTests(lines) ? [name] : []));
  const doubtful = ofTests.filter((name) => others.includes(name));
  const used = await importsIn(doubtful.length === 0 ? [] : await otherSources(), false, doubtful, indexes);
  return new Set(ofTests.filter((name) => !used.has(name)));
}

/** Where imports are looked for. */
export interface ImportSources {
  readonly indexes: SourceIndexes;
  /** Paths of the sources of the workspace that are not test code. */
  readonly otherSources: () => Promise<readonly string[]>;
}

/** Urls of the sampled own files, without built ones and older texts. */
function sampledSources(functions: readonly FunctionInfo[]): ReadonlySet<string> {
  const written = functions.filter(
    ({ own, role, path, url }) => own && role !== 'built' && path !== null && olderTextOf(url) === null,
  );
  return new Set(written.map(({ url }) => url));
}

/** Imports by package. Packages that no file imports are not in it. */
async function importsIn(
  urls: Iterable<string>,
  seen: boolean,
  names: readonly string[],
  indexes: SourceIndexes,
): Promise<Map<string, readonly PackageImport[]>> {
  const found = new Map<string, PackageImport[]>();
  for (const url of [...urls].toSorted(compareTexts)) {
    const text = names.length === 0 ? null : await indexes.textOf(url);
    const named = names.filter((name) => text !== null && mayImport(text, name));
    const index = named.length === 0 ? null : await indexes.of(url);
    for (const name of index === null ? [] : named) {
      const lines = index === null ? [] : linesOfPackage(index, name).map((line) => ({ url, line, seen }));
      if (lines.length > 0) found.set(name, [...(found.get(name) ?? []), ...lines]);
    }
  }
  return found;
}

/** Whether a text may import a package: parsing every file of a program would take too long. */
function mayImport(text: string, name: string): boolean {
  const isQuoted = (quote: string): boolean =>
    text.includes(`${quote}${name}${quote}`) || text.includes(`${quote}${name}/`);
  return name !== '' && (isQuoted("'") || isQuoted('"') || isQuoted('`'));
}

/** Paths of source files, without built ones. */
export async function sourcesIn(roots: readonly string[], world: World): Promise<readonly string[]> {
  const paths = roots.map(async (root) => {
    const { folders } = await foldersBelow(root, world);
    const all = [{ path: root, files: (await world.listFiles(root)) ?? [] }, ...folders];
    return all
      .filter(({ path }) => !isBuilt.test(path.slice(root.length)))
      .flatMap(({ path, files }) => files.filter(isSource).map(({ name }) => `${path}/${name}`));
  });
  return (await Promise.all(paths)).flat().slice(0, MAX_SOURCES);
}

const isBuilt = /\/(dist|build|out|coverage)(\/|$)/;

function isSource({ name, size }: { readonly name: string; readonly size: number }): boolean {
  return size < MAX_SOURCE && /(?<!\.d(?=\.[cm]?ts$))\.[cm]?[jt]sx?$/.test(name);
}

/** In bytes. */
const MAX_SOURCE = 500_000;
const MAX_SOURCES = 1_000;
