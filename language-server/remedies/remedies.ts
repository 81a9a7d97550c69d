import type { RemedyPage } from '../../protocol/remedy-pages.ts';
import { type Line0, toLine1 } from '../../protocol/units.ts';
import { lineSyntax } from '../../engine/source-code/line-syntax.ts';
import {
  callsAny,
  callsBcryptjs,
  childProcesses,
  compresses,
  compressesInJavaScript,
  encryptsInJavaScript,
  hasTwin,
  keyDerivation,
  readsFiles,
} from './blocking-calls.ts';
import { type CodeLine, codeLine } from './code-line.ts';
import { fixFor } from './fixes.ts';
import {
  capturesStacks,
  clonesByJson,
  growsByCopies,
  handlesJson,
  loadsLate,
  matchesSlowly,
  sorts,
} from './costly-code.ts';

/** What could be done about a line, as Markdown of our own words, and the page that says more. */
export interface Remedy {
  readonly text: string;
  readonly page: RemedyPage;
  /** Code in the person's own names; null where they are not certain. */
  readonly fix: string | null;
}

/** A remedy for a line that was seen to be slow. No rule is applied to a line without samples. */
interface Rule extends Omit<Remedy, 'fix'> {
  /** True where the loop waits in such a call, and computes nothing. */
  readonly waits?: boolean;
  /** Only the first matching rule of a family is used. A rule without one stands alone. */
  readonly family?: 'json' | 'package';
  readonly matches: (line: CodeLine) => boolean;
}

const callback = 'A callback does not make it non-blocking.';

/** The rules, with the most specific of each family first. */
const rules: readonly Rule[] = [
  {
    page: 'json-clone',
    family: 'json',
    matches: clonesByJson,
    text: 'A deep clone by JSON writes and reads everything. Copy only what changes. `structuredClone` is slower for many small objects.',
  },
  {
    page: 'key-derivation',
    matches: (line) => callsAny(line, keyDerivation),
    text: 'The same function without `Sync` does this work in the thread pool.',
  },
  {
    page: 'compression',
    matches: compresses,
    text: 'The same function without `Sync` compresses in the thread pool; streams do it piece by piece.',
  },
  {
    page: 'child-processes',
    waits: true,
    matches: (line) => callsAny(line, childProcesses),
    text: 'The loop waits for the other process. `spawn` and `execFile` do not.',
  },
  {
    page: 'files',
    waits: true,
    matches: readsFiles,
    text: 'The loop waits for the disk. `node:fs/promises` does not make it wait. Read what never changes once, at start.',
  },
  {
    page: 'twins',
    waits: true,
    matches: hasTwin,
    text: 'This package has the same function without `Sync`, which leaves the loop free.',
  },
  {
    page: 'json',
    family: 'json',
    matches: handlesJson,
    text: 'JSON of this size takes its time in one go. Send less of it, split it, or do it in a worker.',
  },
  {
    page: 'bcryptjs',
    family: 'package',
    matches: callsBcryptjs,
    text: `\`bcryptjs\` computes in JavaScript, on the loop. ${callback} The package \`bcrypt\` computes in the thread pool.`,
  },
  {
    page: 'crypto-in-javascript',
    family: 'package',
    matches: encryptsInJavaScript,
    text: `This package computes in JavaScript, on the loop. ${callback} \`node:crypto\` does it in native code, many times as fast.`,
  },
  {
    page: 'compression-in-javascript',
    family: 'package',
    matches: compressesInJavaScript,
    text: 'This package compresses in JavaScript, on the loop. `node:zlib` does it in the thread pool.',
  },
  {
    page: 'regular-expressions',
    matches: matchesSlowly,
    text: 'A regular expression over long input can take time that grows with its square, or worse. Bound the input, and avoid repetitions within repetitions.',
  },
  {
    page: 'late-loading',
    waits: true,
    matches: loadsLate,
    text: 'Loading a module here makes the first caller wait. Load it at start.',
  },
  {
    page: 'sorting',
    matches: sorts,
    text: 'Sorting holds the loop until it is done. Sort once instead of in a loop, or keep the data sorted.',
  },
  {
    page: 'growing-copies',
    matches: growsByCopies,
    text: 'Each run of this line copies all that is there. In a loop that grows with the square: add to one list or object.',
  },
  {
    page: 'stacks',
    matches: capturesStacks,
    text: 'Capturing a stack costs far more than a line of log. Do it for errors alone.',
  },
];

const mostRemedies = 2;

/** A line of a source, as it is now. */
export interface AskedLine {
  readonly source: string;
  readonly line: Line0;
  /** The path of the source, which tells the language. */
  readonly path: string;
  /** True where the line held the loop while it waited: then only what waits is to blame. */
  readonly waited: boolean;
}

/** What could be done about a line; empty where nothing is certain. */
export function remediesFor({ source, line, path, waited }: AskedLine): readonly Remedy[] {
  const code = codeLine(source, line);
  const found = rules.filter(({ matches, waits = false }) => (!waited || waits) && matches(code));
  const first = found.filter(
    ({ family }, index) => family === undefined || found.findIndex((rule) => rule.family === family) === index,
  );
  const shown = first.slice(0, mostRemedies);
  const syntax = shown.length === 0 ? null : lineSyntax(source, path, toLine1(line));
  return shown.map(({ text, page }) => ({ text, page, fix: syntax === null ? null : fixFor(page, syntax) }));
}
