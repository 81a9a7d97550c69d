import type { RemedyPage } from '../../../protocol/ids.ts';
import { type Line0, toLine1 } from '../../../protocol/units.ts';
import { lineSyntax } from '../../read/source-code/line-syntax.ts';
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

/** What could be done about a line: the page that says it. `words/remedies.ts` has a sentence for each. */
export interface MatchedRemedy {
  readonly page: RemedyPage;
  /** Code in the person's own names; null where they are not certain. */
  readonly fix: string | null;
  /** Lines of code that can stand in place of the line, without any other edit; null where there are none. */
  readonly replacement: string | null;
}

/** A remedy for a line that was seen to be slow. No rule is applied to a line without samples. */
interface Rule {
  readonly page: RemedyPage;
  /** True where the loop waits in such a call, and computes nothing. */
  readonly waits?: boolean;
  /** Only the first matching rule of a family is used. A rule without one stands alone. */
  readonly family?: 'json' | 'package';
  readonly matches: (line: CodeLine) => boolean;
}

/** The rules, with the most specific of each family first. */
const rules: readonly Rule[] = [
  {
    page: 'json-clone',
    family: 'json',
    matches: clonesByJson,
  },
  {
    page: 'key-derivation',
    matches: (line) => callsAny(line, keyDerivation),
  },
  {
    page: 'compression',
    matches: compresses,
  },
  {
    page: 'child-processes',
    waits: true,
    matches: (line) => callsAny(line, childProcesses),
  },
  {
    page: 'files',
    waits: true,
    matches: readsFiles,
  },
  {
    page: 'twins',
    waits: true,
    matches: hasTwin,
  },
  {
    page: 'json',
    family: 'json',
    matches: handlesJson,
  },
  {
    page: 'bcryptjs',
    family: 'package',
    matches: callsBcryptjs,
  },
  {
    page: 'crypto-in-javascript',
    family: 'package',
    matches: encryptsInJavaScript,
  },
  {
    page: 'compression-in-javascript',
    family: 'package',
    matches: compressesInJavaScript,
  },
  {
    page: 'regular-expressions',
    matches: matchesSlowly,
  },
  {
    page: 'late-loading',
    waits: true,
    matches: loadsLate,
  },
  {
    page: 'sorting',
    matches: sorts,
  },
  {
    page: 'growing-copies',
    matches: growsByCopies,
  },
  {
    page: 'stacks',
    matches: capturesStacks,
  },
];

/** Whether a fix needs nothing around its line to be another: other remedies import something, or must be awaited. */
function isAlone(page: RemedyPage, fix: string | null): boolean {
  return fix !== null && (page === 'json-clone' || page === 'growing-copies');
}

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
export function matchRemedies(asked: AskedLine): readonly MatchedRemedy[] {
  const pages = remedyPagesFor(asked);
  const syntax = pages.length === 0 ? null : lineSyntax(asked.source, asked.path, toLine1(asked.line));
  return pages.map((page) => {
    const fix = syntax === null ? null : fixFor(page, syntax);
    return { page, fix, replacement: syntax?.isStatement === true && isAlone(page, fix) ? fix : null };
  });
}

/** The pages alone, for which nothing is parsed. */
export function remedyPagesFor({ source, line, waited }: Omit<AskedLine, 'path'>): readonly RemedyPage[] {
  const code = codeLine(source, line);
  const found = rules.filter(({ matches, waits = false }) => (!waited || waits) && matches(code));
  const first = found.filter(
    ({ family }, index) => family === undefined || found.findIndex((rule) => rule.family === family) === index,
  );
  return first.slice(0, mostRemedies).map(({ page }) => page);
}
