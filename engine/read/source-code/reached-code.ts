import { withoutDots } from '../../../protocol/machine-path.ts';
import { type CodePart, codePartsIn, everyName } from './code-parts.ts';

/** Where to begin in a file: at these names, and at the parts that a range of the text touches. */
export interface CodeRoot {
  /** Absolute. */
  readonly path: string;
  /** `everyName` for all of the file. */
  readonly names: readonly string[];
  /** In UTF-16 units; null for none. */
  readonly range: readonly [start: number, end: number] | null;
}

/** The parts of each file that may run, in their order, by absolute path. */
export type ReachedCode = ReadonlyMap<string, readonly CodePart[]>;

/**
 * The code that some code can reach, by the names that it mentions, through relative imports. It may include
 * more than that. It misses what is called by a computed name, or through a package. `textOf`: null where there is no such
 * file.
 */
export async function reachedCode(
  roots: readonly CodeRoot[],
  textOf: (path: string) => Promise<string | null>,
): Promise<ReachedCode> {
  return reachedParts(roots, async (path) => {
    const text = await textOf(path);
    return text === null ? null : codePartsIn(text, path);
  });
}

/** As `reachedCode`, for callers that keep the parts of files. `partsOf` gives null for a missing file. */
export async function reachedParts(
  roots: readonly CodeRoot[],
  partsOf: (path: string) => Promise<readonly CodePart[] | null>,
): Promise<ReachedCode> {
  const files = new Map<string, ReachedFile>();
  const open = async (path: string): Promise<ReachedFile | null> => {
    const known = files.get(path);
    const parts = known === undefined && files.size < MAX_FILES ? await partsOf(path) : null;
    if (parts === null) return known ?? null;
    const file = new ReachedFile(path, parts);
    files.set(path, file);
    return file;
  };
  const found = async (from: string, module: string): Promise<ReachedFile | null> => {
    for (const path of pathsOf(from, module)) {
      const file = await open(path);
      if (file !== null) return file;
    }
    return null;
  };
  const grown = new Set<ReachedFile>();
  for (const { path, names, range } of roots) {
    const file = await open(path);
    if (file?.take(names, range) === true) grown.add(file);
  }
  for (const file of grown) {
    grown.delete(file);
    for (const module of file.loads) {
      const loaded = await found(file.path, module);
      if (loaded?.take([...file.names, 'default'], null) === true) grown.add(loaded);
    }
  }
  return new Map([...files.values()].map((file) => [file.path, file.reached]));
}

/** Beyond it, files are not opened: the code of a function is nearly always in fewer. */
const MAX_FILES = 500;

/** One file, as far as it is reached. */
class ReachedFile {
  readonly path: string;
  readonly #parts: readonly CodePart[];
  readonly #reached = new Set<CodePart>();
  readonly #declared = new Set<string>();
  /** Names that something mentions that may reach this file. */
  readonly names = new Set<string>();
  /** Relative modules that the reached parts load. */
  readonly loads = new Set<string>();

  constructor(path: string, parts: readonly CodePart[]) {
    this.path = path;
    this.#parts = parts;
  }

  get reached(): readonly CodePart[] {
    return this.#parts.filter((part) => this.#reached.has(part));
  }

  /** Whether there are new names, with which it may reach more. */
  take(names: readonly string[], range: CodeRoot['range']): boolean {
    const before = this.names.size + this.#reached.size;
    for (const name of names) this.names.add(name);
    if (range !== null)
      for (const part of this.#parts) if (part.start < range[1] && part.end > range[0]) this.#reach(part);
    for (let size = -1; size !== this.#reached.size;) {
      size = this.#reached.size;
      for (const part of this.#parts) if (!this.#reached.has(part) && this.#isMeant(part)) this.#reach(part);
    }
    return this.names.size + this.#reached.size > before;
  }

  #isMeant({ names, mentions }: CodePart): boolean {
    if (this.names.has(everyName)) return true;
    // An effect on something that is reached may change it.
    if (names.length === 0) return [...mentions].some((name) => this.#declared.has(name));
    return names.some((name) => name === everyName || this.names.has(name));
  }

  #reach(part: CodePart): void {
    this.#reached.add(part);
    for (const name of part.names) this.#declared.add(name);
    for (const name of part.mentions) this.names.add(name);
    for (const module of part.loads) if (/^\.\.?(?:\/|$)/.test(module)) this.loads.add(module);
  }
}

/** The files that a relative module may be, the most likely first. TypeScript writes `./a.js` for `a.ts`. */
export function pathsOf(from: string, module: string): readonly string[] {
  const whole = withoutDots(`${from.slice(0, Math.max(from.lastIndexOf('/'), from.lastIndexOf('\\')))}/${module}`);
  const typed = whole.replace(/\.([cm]?)js(x?)$/, '.$1ts$2');
  const written = /\.\w+$/.test(module) ? [whole, ...(typed === whole ? [] : [typed])] : [];
  return [...written, ...endings.map((ending) => `${whole}${ending}`), ...endings.map((one) => `${whole}/index${one}`)];
}

const endings = ['.ts', '.js', '.tsx', '.jsx', '.mjs', '.cjs', '.mts', '.cts'];
