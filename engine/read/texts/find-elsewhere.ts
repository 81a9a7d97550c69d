import type { PathSuggestion } from '../../../protocol/path-rules.ts';
import { groupBy } from '../../basics/lists.ts';
import { isInside, isRecorder } from '../files/file-path.ts';
import { type World, longestNamed, readText, worldOfThisMachine } from '../files/world.ts';
import type { FunctionInfo } from '../functions/function-table.ts';
import { type SameNamed, nameOf, sameNamed, suggestPaths } from './suggest-paths.ts';

interface Recorded {
  /** Folder in which the program ran, as it was recorded; null where that is not known. */
  readonly cwd: string | null;
  readonly functions: readonly FunctionInfo[];
  /** The text that ran under a url; null where none was kept. */
  readonly textOf: (url: string) => Promise<string | null>;
}

/**
 * Whether files of a recording that are not at their paths on this machine are in `folders` under other paths. Null where
 * all are there, or none is found, or where the program ran on this machine: files that are gone were its own then. Nothing is read but files in `folders`: a path of a recording only says which names are
 * looked for.
 */
export async function findElsewhere(
  { cwd, functions, textOf }: Recorded,
  folders: readonly string[],
  anyWorld: World,
): Promise<PathSuggestion | null> {
  const world = worldOfThisMachine(anyWorld, folders);
  if (cwd !== null && (await world.listFiles(cwd)) !== undefined) return null;
  const missing = await missingFiles(functions, folders, world);
  if (missing.size === 0 || folders.length === 0) return null;
  const here = await filesBelow(folders, new Set([...missing.keys()].map(nameOf)), world);
  const pairs: SameNamed[] = [];
  for (const pair of sameNamed([...missing.keys()], here, mostOfOneName).slice(0, mostPairs)) {
    const inFile = missing.get(pair.there) ?? [];
    const now = await readText(pair.here, world, longestNamed.text);
    const before = await textOf(inFile[0]?.url ?? '');
    pairs.push({ ...pair, text: now === null ? 'unlike' : textLike(now, before, inFile) });
  }
  return suggestPaths(pairs, missing.size, folders);
}

/** Most files that are looked for, files here that have one name, and files that are read. */
const mostMissing = 300;
const mostOfOneName = 20;
const mostPairs = 2_000;

/** The functions of each file that is not here, by its path. Packages and the tools around the program are not looked for. */
async function missingFiles(
  functions: readonly FunctionInfo[],
  folders: readonly string[],
  world: World,
): Promise<ReadonlyMap<string, readonly FunctionInfo[]>> {
  const isAsked = ({ path, kind }: FunctionInfo): boolean =>
    path !== null && (kind === 'own' || kind === 'other') && !isRecorder(path) && !isInside(path, folders);
  const missing = new Map<string, readonly FunctionInfo[]>();
  for (const [path, inFile] of groupBy(functions.filter(isAsked), (fn) => fn.path ?? '')) {
    if (missing.size === mostMissing) break;
    if ((await world.sizeOf?.(path)) === undefined) missing.set(path, inFile);
  }
  return missing;
}

/** Paths of the files in these folders that have one of the names, without those of packages and of hidden folders. */
async function filesBelow(
  folders: readonly string[],
  names: ReadonlySet<string>,
  world: World,
): Promise<readonly string[]> {
  const found: string[] = [];
  const open = [...folders];
  for (let looked = 0; looked < mostFolders; looked++) {
    const folder = open.shift();
    if (folder === undefined) break;
    for (const { name } of (await world.listFiles(folder)) ?? [])
      if (names.has(name.toLowerCase())) found.push(`${folder}/${name}`);
    const inside = (await world.listFolders?.(folder)) ?? [];
    open.push(...inside.filter((name) => !isPassed.test(name)).map((name) => `${folder}/${name}`));
  }
  return found;
}

/** Most folders that are looked into, those near the top first. It takes about a second. */
const mostFolders = 10_000;
const isPassed = /^(?:node_modules|\..*)$/;

/**
 * Whether a text can be what ran: half of its lines are those of the text that the recording has kept, else half of the
 * functions that have a name stand where they ran.
 */
export function textLike(
  text: string,
  kept: string | null,
  functions: readonly Pick<FunctionInfo, 'name' | 'line' | 'moduleBody'>[],
): SameNamed['text'] {
  const lines = linesOf(text);
  if (kept !== null) {
    const now = new Set(lines);
    const before = linesOf(kept).filter((line) => line !== '');
    return before.filter((line) => now.has(line)).length * 2 >= before.length ? 'like' : 'unlike';
  }
  const named = functions.filter(({ name, line, moduleBody }) => !moduleBody && line >= 0 && lastName(name) !== '');
  if (named.length === 0) return 'unknown';
  const standing = named.filter(({ name, line }) => lines[line]?.includes(lastName(name)) === true);
  return standing.length * 2 >= named.length ? 'like' : 'unlike';
}

function linesOf(text: string): readonly string[] {
  return text.split('\n').map((line) => line.trim());
}

/** The name as it stands in the source: `total` of `Cart.total`, `price` of `get price`. Empty for `(anonymous)`. */
function lastName(name: string): string {
  return /[\w$#]+$/.exec(name)?.[0] ?? '';
}
