import { codeText } from '../../protocol/code-text.ts';
import { pathBelow, trimEnd } from '../../protocol/path-spelling.ts';
import type { Line1 } from '../../protocol/units.ts';
import { firstFrom } from '../basics/lists.ts';
import { onceEach } from '../basics/once.ts';
import { filePathOf } from '../read/files/file-path.ts';
import type { CodePart } from '../read/source-code/code-parts.ts';
import type { FunctionIdentity } from './match-functions.ts';
import type { SideCollector, SideFunction } from './side.ts';

/** What one side ran. */
export interface SideCode {
  readonly collector: Pick<SideCollector, 'functions' | 'calls'>;
  readonly roots: readonly string[];
  /** The text of the file at an absolute path, always the same; null where it cannot be read. */
  readonly textOf: (path: string) => Promise<string | null>;
}

/** Finds the functions of a side that may have other inputs, because code that they reach is not on the other side. */
export class ChangedReach {
  readonly #side: SideCode;
  readonly #other: SideCode;
  readonly #known = new Map<FunctionIdentity, boolean>();

  constructor(side: SideCode, other: SideCode) {
    this.#side = side;
    this.#other = other;
  }

  /** Those on a stack with one of the changed functions, or with the innermost that mention what is on no stack. */
  async reachedBy(): Promise<(changed: ReadonlySet<FunctionIdentity>) => ReadonlySet<FunctionIdentity>> {
    const { calls } = this.#side.collector;
    const readers = await this.#readers();
    return (changed) => {
      const outer = calls.callersOf(new Set([...changed, ...readers]));
      const inner = readers.filter((fn) => !outer.has(fn));
      return new Set([...readers, ...calls.besides(new Set([...changed, ...inner]))]);
    };
  }

  /**
   * The functions that reach, by the names that they mention, code that the other side does not have: a constant of
   * another file, and what is too quick for a sample, are on no stack. Only functions over the threshold in a run, and
   * what calls them.
   */
  async #readers(): Promise<readonly FunctionIdentity[]> {
    const { collector } = this.#side;
    const all = collector.functions();
    const long = all.filter(({ runs }) => runs.some((run) => run?.isBelow === false));
    const asked = new Set(long.map(({ identity }) => identity));
    for (const caller of collector.calls.callersOf(asked)) asked.add(caller);
    // A module loads all that its file imports, and uses little of that while it loads.
    const wanted = all.filter(({ identity }) => asked.has(identity) && identity.names !== '');
    const fresh = wanted.filter(({ identity }) => !this.#known.has(identity));
    const files = await this.#filesAbove(fresh.flatMap(({ place }) => filePathOf(place.url) ?? []));
    for (const fn of fresh) this.#known.set(fn.identity, await this.#isReader(fn, files));
    return wanted.flatMap(({ identity }) => (this.#known.get(identity) === true ? identity : []));
  }

  /** Whether the function reaches changed code. `files`: all from which it can be reached. */
  async #isReader({ place, isTest }: SideFunction, files: ReadonlySet<string>): Promise<boolean> {
    const path = filePathOf(place.url);
    const text = path === null || !files.has(path) ? null : await this.#side.textOf(path);
    if (path === null || text === null) return false;
    const range = rangeOf(text, place.line);
    const isOwn = ({ start, end }: CodePart): boolean => start < range[1] && end > range[0];
    const { reachedParts } = await import('../read/source-code/reached-code.ts');
    const reached = await reachedParts([{ path, names: [], range }], async (file) => {
      const parts = files.has(file) ? await this.#partsOf(file) : null;
      // Other tests of its file name what a test names, and give it nothing.
      const isMeant = (part: CodePart): boolean => !isTest || file !== path || part.names.length > 0 || isOwn(part);
      return parts === null ? null : [...parts.keys()].filter(isMeant);
    });
    for (const [file, parts] of reached) {
      const changed = await this.#changedIn(file);
      if (parts.some((part) => changed.has(part))) return true;
    }
    return false;
  }

  /** The files that differ, of these and what they import, and those that import one of them. */
  async #filesAbove(files: readonly string[]): Promise<ReadonlySet<string>> {
    const importers = new Map<string, string[]>(files.map((file) => [file, []]));
    for (const [file] of importers)
      for (const imported of importers.size < MAX_FILES ? await this.#importsOf(file) : [])
        importers.set(imported, [...(importers.get(imported) ?? []), file]);
    const found = new Set<string>();
    for (const file of importers.keys()) if (await this.#isOther(file)) found.add(file);
    for (const file of found) for (const importer of importers.get(file) ?? []) found.add(importer);
    return found;
  }

  /** By each relative path that the text has in quotes, so that only files on the way to a change are parsed. */
  readonly #importsOf = onceEach(async (path: string): Promise<readonly string[]> => {
    const { pathsOf } = await import('../read/source-code/reached-code.ts');
    const text = (await this.#side.textOf(path)) ?? '';
    const imports: string[] = [];
    for (const [, module = ''] of text.matchAll(/['"`](\.\.?(?:\/[^'"`\n]*)?)['"`]/g)) {
      for (const file of pathsOf(path, module)) {
        if ((await this.#side.textOf(file)) === null) continue;
        imports.push(file);
        break;
      }
    }
    return imports;
  });

  /** The texts of a file on the other side; that of this side where it is in no root. */
  readonly #textsThere = onceEach(async (path: string): Promise<readonly (string | null)[]> => {
    const below = this.#side.roots.flatMap((root) => pathBelow(path, root) ?? [])[0];
    if (below === undefined) return [await this.#side.textOf(path)];
    return Promise.all(this.#other.roots.map(async (root) => this.#other.textOf(`${trimEnd(root)}/${below}`)));
  });

  async #isOther(path: string): Promise<boolean> {
    return !(await this.#textsThere(path)).includes(await this.#side.textOf(path));
  }

  readonly #partsOf = onceEach(async (path: string) => partsIn(path, await this.#side.textOf(path)));

  /** The parts of a file that it does not have on the other side. */
  readonly #changedIn = onceEach(async (path: string): Promise<ReadonlySet<CodePart>> => {
    if (!(await this.#isOther(path))) return new Set();
    const others = (await this.#textsThere(path)).map(async (text) => partsIn(path, text));
    const there = new Set((await Promise.all(others)).flatMap((parts) => [...(parts?.values() ?? [])]));
    return new Set([...((await this.#partsOf(path)) ?? [])].flatMap(([part, code]) => (there.has(code) ? [] : [part])));
  });
}

/** The code of each part of a text; null for a missing text. */
async function partsIn(path: string, text: string | null): Promise<ReadonlyMap<CodePart, string> | null> {
  if (text === null) return null;
  const { codePartsIn } = await import('../read/source-code/code-parts.ts');
  const { tokens, starts } = codeText(text, path);
  const codeOf = ({ start, end, loads }: CodePart): string =>
    [...tokens.slice(firstFrom(starts, start), firstFrom(starts, end)), ...loads].join(' ');
  return new Map(codePartsIn(text, path).map((part) => [part, codeOf(part)]));
}

/** Beyond it, files are not read. */
const MAX_FILES = 2000;

/** A line, in UTF-16 units. */
function rangeOf(text: string, line: Line1): readonly [start: number, end: number] {
  const lines = text.split(/(?<=\r\n|\n|\r(?!\n))/, line);
  const end = lines.reduce((sum, { length }) => sum + length, 0);
  return [end - (lines.at(-1)?.length ?? 0), end];
}
