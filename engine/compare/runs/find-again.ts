import type { Analysis } from '../../analysis.ts';
import { olderTextOf } from '../../read/files/file-path.ts';
import type { FunctionInfo } from '../../read/functions/function-table.ts';
import { functionAt, type SourceIndex } from '../../read/source-code/source-index.ts';
import { type FunctionIdentity, identitiesIn } from '../match-functions.ts';
import { fileBelow } from '../side.ts';

/** One run with its own analysis. */
export interface AnalyzedRun {
  readonly path: string;
  readonly analysis: Analysis;
  readonly textOf: (url: string) => Promise<string | null>;
}

/** Which functions of several runs are the same. */
export interface FoundAgain {
  /** By run and function id: equal keys are one function, and each run has each key once. */
  readonly keys: readonly (readonly string[])[];
  /** Own files whose text is not the same in all runs that have it. */
  readonly differing: readonly OtherText[];
}

/** A file whose text differs between two runs, apart from white space and comments. */
export interface OtherText {
  /** Path below the root. */
  readonly file: string;
  /** Paths of the two recordings. */
  readonly first: string;
  readonly other: string;
}

/**
 * Finds the functions of each run again in the others: by their places in a file with one text; where texts differ, by
 * their names and order, as between the sides of a comparison.
 */
export async function findAgain(runs: readonly AnalyzedRun[]): Promise<FoundAgain> {
  const inRuns = await Promise.all(runs.map(textsOf));
  const { differing, read } = await differencesIn(inRuns);
  const keys = runs.map(({ analysis }, run) => {
    const textIn = (file: string): ReadText | undefined =>
      read.get(keyOfText(file, inRuns[run]?.texts.get(file) ?? ''));
    return eachOnce(analysis.functions.functions.map((fn) => keyOf(fn, analysis.roots, textIn)));
  });
  return { keys, differing };
}

/** The texts of own files that ran, by path below the root. */
export interface RunTexts extends Pick<AnalyzedRun, 'path'> {
  readonly texts: ReadonlyMap<string, string>;
}

/** The first file whose text is not the same in all runs that have it; undefined where they ran the same code. */
export async function otherTextIn(runs: readonly RunTexts[]): Promise<OtherText | undefined> {
  return (await differencesIn(runs)).differing[0];
}

/** `read`: the texts of each file that has several, by `keyOfText`. */
async function differencesIn(
  runs: readonly RunTexts[],
): Promise<{ readonly differing: readonly OtherText[]; readonly read: ReadonlyMap<string, ReadText> }> {
  const differing: OtherText[] = [];
  const read = new Map<string, ReadText>();
  const files = new Set(runs.flatMap(({ texts }) => [...texts.keys()]));
  for (const file of files) {
    const having = runs.flatMap(({ path, texts }) => {
      const text = texts.get(file);
      return text === undefined ? [] : { path, text };
    });
    const [first, ...others] = having;
    if (first === undefined || others.every(({ text }) => text === first.text)) continue;
    for (const { text } of having) if (!read.has(keyOfText(file, text))) read.set(...(await readOf(file, text)));
    const tokens = (text: string): string => read.get(keyOfText(file, text))?.tokens ?? text;
    const other = others.find(({ text }) => tokens(text) !== tokens(first.text));
    if (other !== undefined) differing.push({ file, first: first.path, other: other.path });
  }
  return { differing, read };
}

/** A text that differs between runs. `tokens`: without white space and comments. */
interface ReadText {
  readonly index: SourceIndex | null;
  readonly identities: readonly FunctionIdentity[];
  readonly tokens: string;
}

export async function textsOf({ path, analysis, textOf }: AnalyzedRun): Promise<RunTexts> {
  const urls = new Set(analysis.functions.functions.flatMap(({ own, url }) => (own ? [url] : [])));
  const texts = new Map<string, string>();
  for (const url of urls) {
    const text = olderTextOf(url) === null ? await textOf(url) : null;
    if (text !== null) texts.set(fileBelow(url, analysis.roots), text);
  }
  return { path, texts };
}

function keyOfText(file: string, text: string): string {
  return `${file}\n${text}`;
}

async function readOf(file: string, text: string): Promise<readonly [string, ReadText]> {
  const { indexSource } = await import('../../read/source-code/index-source.ts'); // It loads the parser.
  const index = indexSource(text, file);
  const identities = index === null ? [] : identitiesIn(file, text, index);
  return [keyOfText(file, text), { index, identities, tokens: identities[0]?.tokens.join(' ') ?? text }];
}

function keyOf(fn: FunctionInfo, roots: readonly string[], textOf: (file: string) => ReadText | undefined): string {
  const file = fileBelow(fn.url, roots);
  const { index = null, identities = [] } = (fn.own ? textOf(file) : undefined) ?? {};
  const found = index === null ? undefined : identities[functionAt(index, fn.line, fn.column, fn.name)];
  const place = found === undefined ? `${fn.line}:${fn.column}` : `${found.names}\n${found.ordinal}`;
  return [file, olderTextOf(fn.url) ?? '', fn.moduleBody, place, fn.name].join('\n');
}

/** Numbers repeated keys. */
function eachOnce(keys: readonly string[]): readonly string[] {
  const seen = new Map<string, number>();
  return keys.map((key) => {
    const count = seen.get(key) ?? 0;
    seen.set(key, count + 1);
    return count === 0 ? key : `${key}\n#${count}`;
  });
}
