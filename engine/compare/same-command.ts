/** A command that was recorded, as the words of its own program, and the folder in which it ran. */
export interface RanCommand {
  readonly words: readonly string[];
  readonly cwd: string | null;
}

/** The command with its folder as `.`. */
export function commandText({ words, cwd }: RanCommand): string {
  return words.map((word) => (cwd === null ? word : withRootAsDot(word, cwd))).join(' ');
}

/**
 * Whether both ran one command. Two checkouts of a project lie in different folders, so their words may name one file by
 * two paths: a runner in the `node_modules` of the root, above the package in which the command runs.
 */
export function isSameCommand(one: RanCommand, other: RanCommand): boolean {
  if (one.words.length !== other.words.length) return false;
  const [root, otherRoot] = rootsOf(one.cwd ?? '', other.cwd ?? '');
  return one.words.every((word, at) => {
    const there = other.words[at] ?? '';
    return word === there || withRootAsDot(word, root) === withRootAsDot(there, otherRoot);
  });
}

/** The highest folders above two folders from which both are at the same path below. */
function rootsOf(one: string, other: string): readonly [string, string] {
  const [above, name] = split(one);
  const [otherAbove, otherName] = split(other);
  const isHigher = name !== '' && name === otherName && above !== '' && otherAbove !== '';
  return isHigher ? rootsOf(above, otherAbove) : [one, other];
}

/** The folder that contains it, and its name. */
function split(folder: string): readonly [string, string] {
  const end = Math.max(folder.lastIndexOf('/'), folder.lastIndexOf('\\'));
  return [folder.slice(0, Math.max(0, end)), folder.slice(end + 1)];
}

/** What only begins like the root, such as `/app.env` beside `/app`, stays. */
function withRootAsDot(word: string, root: string): string {
  if (root === '') return word;
  const [first = '', ...rest] = word.split(root);
  return rest.reduce((text, part) => `${text}${/^(?:$|[\\/"'\s:;,&|)])/.test(part) ? '.' : root}${part}`, first);
}
