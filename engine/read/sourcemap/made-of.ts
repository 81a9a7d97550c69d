import { fileNameOf, folderOf, withoutDots } from '../../../protocol/machine-path.ts';
import type { ReadText } from '../files/world.ts';

export interface NamedSource {
  readonly url: string;
  readonly text: string;
}

/** How a tool names the file that it makes from a configuration. `stem`: the configuration's name without extension. */
interface MadeName {
  readonly name: RegExp;
  readonly stem: (match: RegExpExecArray) => string;
  /** True where the file also contains what the configuration imports. */
  readonly isBundle: boolean;
}

const madeNames: readonly MadeName[] = [
  // Rollup: rollup.config-1795356796704.mjs
  { name: /^(rollup\.config)-\d+\.[cm]?js$/, stem: ([, stem = '']) => stem, isBundle: true },
  // Next: next.config.compiled.js
  { name: /^(next\.config)\.compiled\.[cm]?js$/, stem: ([, stem = '']) => stem, isBundle: false },
  // Vite and Vitest: vite.config.ts.timestamp-1795356796704-4a9f3c1d2e.mjs, where it has no map
  { name: /^(.+)\.[cm]?[jt]s\.timestamp-[\w-]+\.[cm]?js$/, stem: ([, stem = '']) => stem, isBundle: true },
  // bundle-require (tsup, unbuild): tsup.config.bundled_k2x0d6h1a3.mjs
  { name: /^(.+)\.bundled_\w+\.[cm]?js$/, stem: ([, stem = '']) => stem, isBundle: true },
];

/** Whether a tool gave this file its name, for one run. */
export function isMadeName(path: string): boolean {
  return madeNames.some(({ name }) => name.test(fileNameOf(path)));
}

/**
 * The sources of a text that a tool made, imports first, as bundlers write them. Empty where the name shows nothing.
 */
export async function sourcesOfMade(path: string, readText: ReadText): Promise<readonly NamedSource[]> {
  for (const { name, stem, isBundle } of madeNames) {
    const match = name.exec(fileNameOf(path));
    if (match === null) continue;
    const folder = path.slice(0, path.length - fileNameOf(path).length);
    const config = await firstReadable(
      extensions.map((extension) => `${folder}${stem(match)}.${extension}`),
      readText,
    );
    if (config !== null) return isBundle ? withImports(config, readText) : [config];
  }
  return [];
}

const extensions = ['ts', 'mts', 'cts', 'mjs', 'js', 'cjs'];

async function withImports(config: NamedSource, readText: ReadText): Promise<readonly NamedSource[]> {
  const { indexSource } = await import('../source-code/index-source.ts');
  const known = new Map<string, NamedSource>([[config.url, config]]);
  const done: NamedSource[] = [];
  const open: { readonly source: NamedSource; readonly imports: string[] }[] = [];
  const enter = (source: NamedSource): void => {
    const imports = indexSource(source.text, source.url)?.imports ?? [];
    open.push({ source, imports: imports.flatMap(({ from }) => (from.startsWith('.') ? [from] : [])) });
  };
  enter(config);
  for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
    const next = last.imports.shift();
    if (next === undefined) {
      done.push(last.source);
      open.pop();
      continue;
    }
    const found =
      known.size >= MAX_SOURCES ? null : await firstReadable(filesOfImport(next, last.source.url), readText);
    if (found === null || known.has(found.url)) continue;
    known.set(found.url, found);
    enter(found);
  }
  return done;
}

const MAX_SOURCES = 30;

/** The files that an import may mean. TypeScript is imported by the name of its output, or without an extension. */
export function filesOfImport(from: string, importer: string): readonly string[] {
  const path = withoutDots(`${folderOf(importer).replaceAll('\\', '/')}/${from}`);
  const typed = path.replace(/\.([cm]?)jsx?$/, '.$1ts');
  const named = typed === path ? [path] : [path, typed];
  return [...named, ...extensions.map((one) => `${path}.${one}`), ...extensions.map((one) => `${path}/index.${one}`)];
}

async function firstReadable(paths: readonly string[], readText: ReadText): Promise<NamedSource | null> {
  for (const url of paths) {
    const text = await readText(url);
    if (text !== null) return { url, text };
  }
  return null;
}
