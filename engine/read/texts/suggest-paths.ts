import type { PathRule, PathSuggestion } from '../../../protocol/path-rules.ts';
import { compareTexts, firstDifference, groupBy } from '../../basics/lists.ts';
import { trimEnd } from '../files/file-path.ts';
import { comparable, isOfWindows } from '../files/path-map.ts';

/** A file of a recording, and a file here that has the same name. Both paths are absolute. */
export interface SameNamed {
  readonly there: string;
  readonly here: string;
  /** Whether the text here can be what ran: `unknown` where the recording tells nothing of the text. */
  readonly text: 'like' | 'unlike' | 'unknown';
}

/**
 * Folders that can stand for each other, by the paths and the texts of files that have the same name. Each rule has at
 * least one file whose text fits, and leads into one of `folders`. Null where there is none. `files` is the number of
 * files that were looked for.
 */
export function suggestPaths(
  pairs: readonly SameNamed[],
  files: number,
  folders: readonly string[],
): PathSuggestion | null {
  let open = pairs.filter(({ text }) => text !== 'unlike');
  const rules: Candidate[] = [];
  const first = candidatesOf(open, folders);
  for (let found = first; rules.length < mostRules; found = candidatesOf(open, folders)) {
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

/** Nobody reads a longer question. */
const mostRules = 3;

interface Candidate extends PathRule {
  /** Paths there of the files that the rule finds, and of those whose text fits. */
  readonly files: Set<string>;
  readonly proven: Set<string>;
}

/** All rules of which at least one file is proven: those that find the most files first, then those with shorter folders. */
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
    // A rule about a whole drive, or into no folder of the person's, is none.
    if (partsOf(from).filter((part) => !/^[a-z]:$/i.test(part)).length === 0 || !isIn(to, folders)) break;
    rules.push({ from, to });
  }
  return rules;
}

function partsOf(path: string): readonly string[] {
  return path.split(/[\\/]/).filter((part) => part !== '');
}

/** The path without these parts at its end, as it is written. */
function start(path: string, parts: readonly string[]): string {
  return trimEnd(path.slice(0, path.length - parts.join('/').length));
}

function isIn(path: string, folders: readonly string[]): boolean {
  const plain = comparable(path);
  return folders.map(comparable).some((folder) => plain === folder || plain.startsWith(`${folder}/`));
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
export function nameOf(path: string): string {
  return (partsOf(path).at(-1) ?? '').toLowerCase();
}

function shared(there: string, here: string): number {
  const [theirs, ours] = [partsOf(there).toReversed(), partsOf(here).toReversed()];
  const end = theirs.findIndex((part, index) => part.toLowerCase() !== ours[index]?.toLowerCase());
  return end === -1 ? theirs.length : end;
}
