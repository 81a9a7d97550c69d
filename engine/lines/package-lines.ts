import type { JudgedRun } from '../hotspots/judged-run.ts';
import { olderTextOf } from '../files/text-version.ts';
import { groupBy } from '../basics/group-by.ts';
import { foldersBelow } from '../files/folders-below.ts';
import { longBlames } from '../hotspots/long-blames.ts';
import { type Line1, type Microseconds, microseconds } from '../../protocol/units.ts';
import type { World } from '../files/world.ts';
import { linesOfPackage } from './import-lines.ts';
import type { SourceIndexes } from '../source-code/source-indexes.ts';
import { firstDifference, compareTexts } from '../basics/compare.ts';

/** A dependency that held the loop without the person's code on the stack. */
export interface BlamedPackage {
  readonly name: string;
  /** Its largest part in one operation. */
  readonly worst: Microseconds;
  /** Number of operations in which it is blamed for a part over the threshold. */
  readonly longCount: number;
  /** Lines of own code that import it, by url and line. The call is behind one of them. */
  readonly imports: readonly PackageImport[];
}

export interface PackageImport {
  /** Url as that of functions; the path of a file in which nothing was sampled. */
  readonly url: string;
  readonly line: Line1;
  /** True where the file was seen in this recording; else nobody knows whether it ran. */
  readonly seen: boolean;
}

type Found = Pick<JudgedRun, 'operations' | 'verdicts' | 'streams' | 'thresholdUs' | 'functions' | 'roots'>;

/**
 * Packages, the worst first. Imports are looked for in own files that were sampled; for packages that none of these
 * imports, also in the other sources of the workspace, which then are marked as not seen. A profile without own code is
 * of another program, and has none.
 */
export async function blamedPackages(
  found: Found,
  indexes: SourceIndexes,
  world: World,
): Promise<readonly BlamedPackage[]> {
  const blamed = longBlames(found).filter(({ blame }) => blame.kind === 'package');
  if (blamed.length === 0) return [];
  const byName = groupBy(blamed, ({ blame }) => blame.name);
  const sampled = found.functions.functions
    .filter(({ own, role, path, url }) => own && role !== 'built' && path !== null && olderTextOf(url) === null)
    .map(({ url }) => url);
  const imports = await importsIn(new Set(sampled), true, [...byName.keys()], indexes);
  const missing = [...byName.keys()].filter((name) => !imports.has(name));
  const others = sampled.length === 0 || missing.length === 0 ? [] : await sourcesIn(found.roots, world);
  for (const [name, lines] of await importsIn(others, false, missing, indexes)) imports.set(name, lines);
  return [...byName]
    .map(([name, operations]) => ({
      name,
      worst: microseconds(operations.reduce((most, { blame }) => Math.max(most, blame.us), 0)),
      longCount: operations.length,
      imports: imports.get(name) ?? [],
    }))
    .toSorted((a, b) => firstDifference(b.worst - a.worst, compareTexts(a.name, b.name)));
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

/** Whether a text may import a package. To parse every file of a program would take longer than all the rest. */
function mayImport(text: string, name: string): boolean {
  const isQuoted = (quote: string): boolean =>
    text.includes(`${quote}${name}${quote}`) || text.includes(`${quote}${name}/`);
  return name !== '' && (isQuoted("'") || isQuoted('"') || isQuoted('`'));
}

/** Paths of the sources that people write, without what is built from them. */
async function sourcesIn(roots: readonly string[], world: World): Promise<readonly string[]> {
  const paths: string[] = [];
  for (const root of roots) {
    const { folders } = await foldersBelow(root, world);
    const all = [{ path: root, files: (await world.listFiles(root)) ?? [] }, ...folders];
    for (const { path, files } of all) {
      if (/\/(dist|build|out|coverage)(\/|$)/.test(path.slice(root.length))) continue;
      const sources = files.filter(({ name, size }) => size < longestSource && isSource(name));
      paths.push(...sources.map(({ name }) => `${path}/${name}`));
    }
  }
  return paths.slice(0, mostSources);
}

function isSource(name: string): boolean {
  return /\.[cm]?[jt]sx?$/.test(name) && !/\.d\.[cm]?ts$/.test(name);
}

/** Longest source in bytes. */
const longestSource = 500_000;
const mostSources = 1_000;
