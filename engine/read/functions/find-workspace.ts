import { isRecord, parseJson } from '../../../protocol/json-value.ts';
import { MAX_PATTERN_LENGTH, testPatterns } from '../../../protocol/test-files.ts';
import { type PathRule, canonicalPath, isAtOrBelow, pathBelow, trimEnd } from '../../../protocol/path-spelling.ts';
import { fileNameOf } from '../../../protocol/machine-path.ts';
import { type World, MAX_NAMED_BYTES, readText } from '../files/world.ts';
import type { Warning } from '../../../words/warnings/warning-text.ts';

export interface WorkspaceOptions {
  /** Absolute paths of the workspace folders; if empty, `cwd` or `currentFolder`, widened to its project. */
  readonly roots: readonly string[];
  /** Absolute path of the folder in which the command line or the editor runs. */
  readonly currentFolder?: string;
  /** Additional regular expressions for paths of tests, matched inside the workspace. */
  readonly testPatterns?: readonly string[];
  /** Where files that were recorded elsewhere are on this machine, as the user confirmed. */
  readonly pathRules?: readonly PathRule[];
}

interface RanIn {
  /** A path here. */
  readonly cwd: string | null;
  /** Those of all recordings, as they were recorded. */
  readonly cwds?: readonly string[];
  readonly evaluated: boolean;
}

/** The given workspace, else the project around `cwd`. Folders that path rules lead to belong to it. */
export async function findWorkspace(
  { cwd, cwds = [], evaluated }: RanIn,
  { roots, currentFolder, testPatterns = [], pathRules = [] }: WorkspaceOptions,
  world: World,
): Promise<{ readonly workspace: Workspace; readonly warnings: readonly Warning[] }> {
  const folder = cwd ?? currentFolder;
  const given = roots.map(canonicalPath);
  const found = given.length > 0 || folder === undefined ? given : [await projectAround(folder, world)];
  const targets = pathRules.map(({ to }) => canonicalPath(to));
  const mapped = targets.filter((to) => !found.some((root) => isAtOrBelow(to, root)));
  const all = [...found, ...mapped];
  const patterns = testPatterns.map((pattern) => ({ pattern, known: patternOf(pattern) }));
  return {
    workspace: {
      roots: all,
      evaluated,
      testPatterns: patterns.flatMap(({ known }) => (typeof known === 'string' ? [] : known)),
    },
    warnings: [
      ...patterns.flatMap(({ pattern, known }) =>
        typeof known === 'string' ? { type: 'patternRefused' as const, pattern, reason: known } : [],
      ),
      ...ranOutside(cwds.map(canonicalPath), all, pathRules),
    ],
  };
}

/** Of several recordings, those outside of the workspace: as in the jobs of a CI service, whose folders have numbers. */
function ranOutside(
  cwds: readonly string[],
  roots: readonly string[],
  pathRules: readonly PathRule[],
): readonly Warning[] {
  const [root] = roots;
  const isInside = (folder: string): boolean => roots.some((one) => isAtOrBelow(folder, one));
  const isMapped = (folder: string): boolean => pathRules.some(({ from }) => isAtOrBelow(folder, canonicalPath(from)));
  const outside = cwds.filter((folder) => !isInside(folder) && !isMapped(folder));
  if (root === undefined || cwds.length < 2 || outside.length === 0) return [];
  const inside = cwds.filter(isInside);
  const same = (from: string): string => inside.find((to) => fileNameOf(to) === fileNameOf(from)) ?? root;
  return [{ type: 'ranOutside', root, rules: outside.map((from) => ({ from, to: same(from) })) }];
}

/**
 * Whether a repeated group contains a repetition or alternatives, as `(a+)+` and `(a|a)*` do: the number of ways to
 * match grows with each character, and a match cannot be stopped.
 */
function repeatsRepetition(text: string): boolean {
  const plain = text.replaceAll(/\\./gs, 'x').replaceAll(/\[[^\]]*\]/g, 'x');
  const open: { isLoose: boolean }[] = [{ isLoose: false }];
  for (const [sign] of plain.matchAll(/\((?:\?(?:[:=!]|<[=!]|<[^>]*>))?|\)(?:[*+]|\{\d*,?\d*\})?|[*+?|]|\{\d/g)) {
    if (sign.startsWith('(')) open.push({ isLoose: false });
    else if (sign.startsWith(')')) {
      const inner = open.length > 1 ? open.pop() : undefined;
      if (inner?.isLoose === true && sign.length > 1) return true;
      const outer = open.at(-1);
      if (outer !== undefined) outer.isLoose ||= inner?.isLoose === true || sign.length > 1;
    } else {
      const here = open.at(-1);
      if (here !== undefined) here.isLoose = true;
    }
  }
  return false;
}

/** The pattern, or why it is refused. */
function patternOf(text: string): RegExp | Warning<'patternRefused'>['reason'] {
  if (text.length > MAX_PATTERN_LENGTH) return 'tooLong';
  if (repeatsRepetition(text)) return 'slow';
  try {
    return new RegExp(text);
  } catch {
    return 'noPattern';
  }
}

/** The nearest folder up with `.git`, else the outermost monorepo, else the nearest `package.json`, else `folder`. */
export async function projectAround(folder: string, world: World): Promise<string> {
  const candidates = foldersUpFrom(folder);
  // This is a folder, or a file in a linked work tree.
  const repository = await nearestWith(['.git/HEAD', '.git'], candidates, world);
  const project = repository ?? (await outermostMonorepo(candidates, world));
  return project ?? (await nearestWith(['package.json'], candidates, world)) ?? folder;
}

/** The outermost of several folders of monorepos: a workspace in a workspace is a part of it. */
async function outermostMonorepo(folders: readonly string[], world: World): Promise<string | null> {
  for (const folder of folders.toReversed()) {
    const description = await readText(`${folder}/package.json`, world, MAX_NAMED_BYTES.text);
    if (description === null) continue;
    const parsed = parseJson(description);
    if (isRecord(parsed) && 'workspaces' in parsed) return folder;
    if ((await nearestWith(monorepoFiles, [folder], world)) !== null) return folder;
  }
  return null;
}

const monorepoFiles = ['pnpm-workspace.yaml', 'lerna.json', 'nx.json', 'turbo.json', 'rush.json'];

async function nearestWith(files: readonly string[], folders: readonly string[], world: World): Promise<string | null> {
  for (const folder of folders) {
    for (const file of files)
      if ((await world.readFile(`${folder}/${file}`, MAX_NAMED_BYTES.text)) !== undefined) return folder;
  }
  return null;
}

/** The folder and those that contain it, nearest first, without the root of the file system. */
function foldersUpFrom(folder: string): readonly string[] {
  const [root = '', ...parts] = trimEnd(canonicalPath(folder), '/').split('/');
  return parts.map((_, index) => [root, ...parts.slice(0, parts.length - index)].join('/'));
}

export interface Workspace {
  /** Absolute paths in their canonical spelling. */
  readonly roots: readonly string[];
  /** Additional patterns of tests, matched against paths inside the workspace. */
  readonly testPatterns: readonly RegExp[];
  /** True where the program was given by `-e`: then code without a file is own code. */
  readonly evaluated: boolean;
}

/** The path inside the innermost workspace folder that contains it, with `/`; null outside of all folders. */
export function pathInWorkspace(path: string, workspace: Workspace): string | null {
  const inside = workspace.roots.map((root) => pathBelow(path, root)).filter((below) => below !== null);
  return inside.toSorted((a, b) => a.length - b.length)[0] ?? null;
}

export function isTestPath(pathInside: string, workspace: Workspace): boolean {
  return [...testPatterns, ...workspace.testPatterns].some((pattern) => pattern.test(pathInside));
}
