import {
  type PathSuggestion,
  type PathRule,
  isAtOrBelow,
  isInside,
  isOfWindows,
  systemPath,
  trimEnd,
} from '../../../protocol/path-spelling.ts';
import { isInBase } from '../../../protocol/formats/folder-names.ts';
import { groupBy, compareTexts, firstDifference } from '../../basics/lists.ts';
import { isRecorder } from '../files/file-path.ts';
import { type World, MAX_NAMED_BYTES, readText, worldOfThisMachine } from '../files/world.ts';
import type { FunctionInfo } from '../functions/function-table.ts';
import { isLikeText, trimmedLines } from '../sourcemap/script-maps.ts';
import { lastName } from './find-functions.ts';

interface Recorded {
  /** Folder in which the program ran, as recorded. */
  readonly cwd: string | null;
  readonly functions: readonly FunctionInfo[];
  /** The text that ran under a url; null where none was kept. */
  readonly textOf: (url: string) => Promise<string | null>;
}

/**
 * Finds files of a recording that are missing at their paths on this machine, but in `folders` under other paths. Null
 * where none is missing or found, or where the program ran on this machine. Reads only files in `folders`.
 */
export async function findElsewhere(
  { cwd, functions, textOf }: Recorded,
  folders: readonly string[],
  anyWorld: World,
): Promise<PathSuggestion | null> {
  const world = worldOfThisMachine(anyWorld, folders);
  if (cwd !== null && (isInBase(cwd) || (await world.listFiles(cwd)) !== undefined)) return null;
  const missing = await missingFiles(functions, folders, world);
  if (missing.size === 0 || folders.length === 0) return null;
  const here = await filesBelow(folders, new Set([...missing.keys()].map(nameOf)), world);
  const pairs: SameNamed[] = [];
  for (const pair of sameNamed([...missing.keys()], here, MAX_OF_ONE_NAME).slice(0, MAX_PAIRS)) {
    const inFile = missing.get(pair.there) ?? [];
    const now = await readText(pair.here, world, MAX_NAMED_BYTES.text);
    const before = await textOf(inFile[0]?.url ?? '');
    pairs.push({ ...pair, text: now === null ? 'unlike' : textLike(now, before, inFile) });
  }
  return suggestPaths(pairs, missing.size, folders);
}

/** Limits of missing files, of files here with one name, and of files to read. */
const MAX_MISSING = 300;
const MAX_OF_ONE_NAME = 20;
const MAX_PAIRS = 2_000;

/** The functions of each missing file, by its path, without packages and tools around the program. */
async function missingFiles(
  functions: readonly FunctionInfo[],
  folders: readonly string[],
  world: World,
): Promise<ReadonlyMap<string, readonly FunctionInfo[]>> {
  const isAsked = ({ path, kind }: FunctionInfo): boolean =>
    path !== null && (kind === 'own' || kind === 'other') && !isRecorder(path) && !isInside(path, folders);
  const missing = new Map<string, readonly FunctionInfo[]>();
  for (const [path, inFile] of groupBy(functions.filter(isAsked), (fn) => fn.path ?? '')) {
    if (missing.size === MAX_MISSING) break;
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
  for (let looked = 0; looked < MAX_FOLDERS; looked++) {
    const folder = open.shift();
    if (folder === undefined) break;
    for (const { name } of (await world.listFiles(folder)) ?? [])
      if (names.has(name.toLowerCase())) found.push(`${folder}/${name}`);
    for (const name of (await world.listFolders?.(folder)) ?? [])
      if (!skippedFolder.test(name)) open.push(`${folder}/${name}`);
  }
  return found;
}

/** Folders near the top come first. Takes about a second. */
const MAX_FOLDERS = 10_000;
const skippedFolder = /^(?:node_modules|\..*)$/;

/** Whether half of the lines are those of the kept text, else half of the named functions are where they ran. */
export function textLike(
  text: string,
  kept: string | null,
  functions: readonly Pick<FunctionInfo, 'name' | 'line' | 'moduleBody'>[],
): SameNamed['text'] {
  if (kept !== null) return isLikeText(text, kept) ? 'like' : 'unlike';
  const lines = trimmedLines(text);
  const named = functions.filter(({ name, line, moduleBody }) => !moduleBody && line >= 0 && lastName(name) !== '');
  if (named.length === 0) return 'unknown';
  const standing = named.filter(({ name, line }) => lines[line]?.includes(lastName(name)) === true);
  return standing.length * 2 >= named.length ? 'like' : 'unlike';
}

/** A file of a recording, and a file here that has the same name. Both paths are absolute. */
export interface SameNamed {
  readonly there: string;
  readonly here: string;
  /** Whether the text here can be what ran: `unknown` where the recording has neither text nor names. */
  readonly text: 'like' | 'unlike' | 'unknown';
}

/**
 * Pairs of folders for each other, by paths and texts of files of the same name. Each rule has at least one file whose
 * text fits, and leads into one of `folders`; null without any. `files`: the number of files that were looked for.
 */
export function suggestPaths(
  pairs: readonly SameNamed[],
  files: number,
  folders: readonly string[],
): PathSuggestion | null {
  let open = pairs.filter(({ text }) => text !== 'unlike');
  const rules: Candidate[] = [];
  const first = candidatesOf(open, folders);
  for (let found = first; rules.length < MAX_RULES; found = candidatesOf(open, folders)) {
    const [best] = found;
    if (best === undefined) break;
    rules.push(best);
    open = open.filter(({ there }) => !best.files.has(there));
  }
  const [best] = rules;
  if (best === undefined) return null;
  const others = first.filter(({ from, to }) => from === best.from && to !== best.to);
  return {
    files,
    found: new Set(rules.flatMap((rule) => [...rule.files])).size,
    rules: rules.map(({ from, to }) => ({ from, to })),
    others: others.filter((other) => rank(other, best) === 0).map(({ to }) => to),
  };
}

/** The user does not read a longer question. */
const MAX_RULES = 3;

interface Candidate extends PathRule {
  readonly files: Set<string>;
  readonly proven: Set<string>;
}

/** Rules with at least one proven file: by number of files, then those with shorter folders. */
function candidatesOf(pairs: readonly SameNamed[], folders: readonly string[]): readonly Candidate[] {
  const known = new Map<string, Candidate>();
  for (const pair of pairs) {
    for (const { from, to } of rulesOf(pair, folders)) {
      const key = `${from}\n${to}`;
      const rule = known.get(key) ?? { from, to, files: new Set(), proven: new Set() };
      known.set(key, rule);
      rule.files.add(pair.there);
      if (pair.text === 'like') rule.proven.add(pair.there);
    }
  }
  const proven = [...known.values()].filter((rule) => rule.proven.size > 0);
  return proven.toSorted((a, b) =>
    firstDifference(rank(a, b), a.from.length - b.from.length, compareTexts(a.to, b.to)),
  );
}

function rank(a: Candidate, b: Candidate): number {
  return firstDifference(b.proven.size - a.proven.size, b.files.size - a.files.size);
}

/** The rules by which the file there is the one here: one for each folder that both paths end with. */
function rulesOf({ there, here }: SameNamed, folders: readonly string[]): readonly PathRule[] {
  const [theirs, ours] = [partsOf(there), partsOf(here)];
  const isWindows = isOfWindows(there);
  const isSame = (a = '', b = ''): boolean => (isWindows ? a.toLowerCase() === b.toLowerCase() : a === b);
  const rules: PathRule[] = [];
  for (let length = 1; length < theirs.length && isSame(theirs.at(-length), ours.at(-length)); length++) {
    const from = start(there, theirs.slice(-length));
    const to = start(here, ours.slice(-length));
    // A rule must not be about a whole drive, and must lead into a folder of the user.
    if (
      partsOf(from).filter((part) => !/^[a-z]:$/i.test(part)).length === 0 ||
      !folders.some((folder) => isAtOrBelow(to, folder))
    )
      break;
    rules.push({ from: systemPath(from), to: systemPath(to) });
  }
  return rules;
}

function partsOf(path: string): readonly string[] {
  return path.split(/[\\/]/).filter((part) => part !== '');
}

/** The path as written, without these parts at its end. */
function start(path: string, parts: readonly string[]): string {
  return trimEnd(path.slice(0, path.length - parts.join('/').length));
}

/** Pairs of files that have the same name, those that share the most of their paths first, at most `most` for each. */
export function sameNamed(
  there: readonly string[],
  here: readonly string[],
  most: number,
): readonly Omit<SameNamed, 'text'>[] {
  const byName = groupBy(here, nameOf);
  return there.flatMap((path) => {
    const others = byName.get(nameOf(path)) ?? [];
    const ranked = others.map((other) => ({ other, shared: shared(path, other) }));
    return ranked
      .toSorted((a, b) => firstDifference(b.shared - a.shared, compareTexts(a.other, b.other)))
      .slice(0, most)
      .map(({ other }) => ({ there: path, here: other }));
  });
}

/** The name of a file, in lower case because Windows may have written it. */
function nameOf(path: string): string {
  return (partsOf(path).at(-1) ?? '').toLowerCase();
}

function shared(there: string, here: string): number {
  const [theirs, ours] = [partsOf(there).toReversed(), partsOf(here).toReversed()];
  const end = theirs.findIndex((part, index) => part.toLowerCase() !== ours[index]?.toLowerCase());
  return end === -1 ? theirs.length : end;
}
