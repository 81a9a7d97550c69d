import { readFileSync } from 'node:fs';
import path from 'node:path';
import { filePathOf } from '../../engine/read/files/file-path.ts';
import type { Report } from '../../protocol/report.ts';
import type { ReportLine } from '../../protocol/report-code.ts';
import type { Block, Setup } from './read-projects.ts';
import { hotLine } from './timed-block.ts';

/**
 * What is said of a block: `right`, on its line and certain; `guess`, on its line and said to be a guess; `function`,
 * the first line of its function as a guess; `elsewhere`, another line as a guess; `built file`, a line of what a tool made,
 * which is said to have no source map; `wrong`, another line as certain; `not own`, only as code of others; `nothing`.
 */
export type Verdict =
  | 'right'
  | 'guess'
  | 'function'
  | 'elsewhere'
  | 'built file'
  | 'wrong'
  | 'not own'
  | 'nothing'
  | 'did not run';

export interface Judged {
  readonly block: Block;
  readonly verdict: Verdict;
  /** The lines, or the function, that are shown in its place, in words. */
  readonly shown: string;
  /** The longest time that it measured, in ms; null: it did not run. */
  readonly trueMs: number | null;
  /** The longest time of its line in one turn; null where the line is not shown. */
  readonly shownMs: number | null;
  /** The code of its line is in what is printed for a person, too. */
  readonly isPrinted: boolean;
}

/** What each block measured of itself, in ms, by its name. */
export type Times = ReadonlyMap<string, readonly number[]>;

/** What `hotspan analyze` says of a recording. */
export interface Said {
  readonly report: Report;
  /** What it prints for a person: the report has no lines of threads on which no event loop waits. */
  readonly text: string;
}

/** Judges each block of a project in `folder`. */
export function judge(blocks: readonly Block[], folder: string, times: Times, said: Said): readonly Judged[] {
  const places = blocks.map((block) => placeOf(block, folder));
  const others = said.report.lines.filter((line) => !places.some((place) => isAt(line, place)));
  return blocks.map((block) => {
    const trueMs = Math.max(...(times.get(block.name) ?? []), 0);
    const isPrinted = said.text.includes(`// HOT ${block.name}`);
    if (trueMs === 0) return { block, verdict: 'did not run', shown: '', trueMs: null, shownMs: null, isPrinted };
    return { block, trueMs, isPrinted, ...judgeBlock(block, folder, trueMs, said, others) };
  });
}

type OneVerdict = Pick<Judged, 'verdict' | 'shown' | 'shownMs'>;

function judgeBlock(
  block: Block,
  folder: string,
  trueMs: number,
  { report, text }: Said,
  others: readonly ReportLine[],
): OneVerdict {
  const place = placeOf(block, folder);
  const here = report.lines.find((line) => isAt(line, place));
  const shownMs = here === undefined ? null : here.worstUs / 1000;
  if (here !== undefined && isEnough(here.worstUs, trueMs)) {
    const isSure = here.precision === 'exact';
    return { verdict: isSure ? 'right' : 'guess', shown: lineText(here, folder), shownMs };
  }
  const near = others.filter(({ worstUs }) => Math.abs(worstUs / 1000 / trueMs - 1) < nearness);
  return judgeInWorker(block, place.line, text) ?? { ...missed(block, near, report, folder), shownMs };
}

/**
 * Lines of at least `leastMs`, as certain, that are those of no block: bundles, runtimes, or the block's own under another
 * name. A guess that stands in for a block's line says that it is one.
 */
export function otherLines(blocks: readonly Block[], folder: string, report: Report): readonly string[] {
  const places = blocks.map((block) => placeOf(block, folder));
  return report.lines
    .filter(({ worstUs, precision }) => precision === 'exact' && worstUs >= leastMs * 1000)
    .filter((line) => !places.some((place) => isAt(line, place)))
    .map((line) => `${lineText(line, folder)} ${Math.round(line.worstUs / 1000)} ms`);
}

/**
 * What is wrong with the functions that must be found: each with time, its declaration at its line, and where a file is
 * named in a thread that counts. A sentence each, by name.
 */
export function missingFunctions({ functions, project }: Setup, report: Report): ReadonlyMap<string, string> {
  const wrong = Object.entries(functions).flatMap(([name, file]) => {
    const found = report.functions.filter((fn) => fn.name === name);
    const line = (project.files[file] ?? '').split('\n').findIndex((text) => text.includes(`function ${name}(`)) + 1;
    const here = found.filter((fn) => file === '' || (fn.url.endsWith(`/${file}`) && fn.line === line));
    if (here.some(({ worstUs }) => file === '' || worstUs > 0)) return [];
    const places = found.map((fn) => `${fn.url}:${fn.line} ${fn.worstUs} µs`).join(', ');
    return [[name, `${name} is not at ${file}:${line}${places === '' ? '' : `, but at ${places}`}`] as const];
  });
  return new Map(wrong);
}

const leastMs = 20;
/** Least part of the time that the block measured: samples are lost on a busy machine. */
const leastOf = 0.6;
/**
 * Largest relative distance to the time of the line that stands in for a block's own. So the blocks of one set-up, of
 * which one is twice as long as the other, can be told apart.
 */
const nearness = 0.2;

/** By a heading such as `240 ms in a worker  parse  src/cart.ts:13`, and the code below it; null: there is none. */
function judgeInWorker({ name, file }: Block, hot: number, text: string): OneVerdict | null {
  const found = [...text.matchAll(/^≈?([\d.]+) ms in a worker {2}(\S+) {2}(\S+):(\d+)\n(.*)$/gm)];
  const [, ms, , , line, code = ''] = found.find(([, , fn, place]) => fn === name && place === file) ?? [];
  if (line === undefined) return null;
  const isGuess = code.includes('≈');
  const verdict = Number(line) === hot ? (isGuess ? 'guess' : 'right') : isGuess ? 'elsewhere' : 'wrong';
  return { verdict, shown: `in a worker: ${isGuess ? '≈ ' : ''}${file}:${line}`, shownMs: Number(ms) };
}

interface Place {
  readonly source: string;
  readonly line: number;
}

function placeOf({ name, file }: Block, folder: string): Place {
  const source = path.join(folder, file);
  return { source, line: hotLine(name, readFileSync(source, 'utf8')) };
}

function isAt({ url, line }: ReportLine, place: Place): boolean {
  return filePathOf(url) === place.source && line === place.line;
}

function isEnough(us: number, trueMs: number): boolean {
  return us / 1000 >= trueMs * leastOf;
}

function missed(
  { name, file }: Block,
  all: readonly ReportLine[],
  { functions }: Report,
  folder: string,
): Pick<Judged, 'verdict' | 'shown'> {
  const source = path.join(folder, file);
  const fn = functions.find((one) => one.name === name);
  const at = fn === undefined ? '' : `function ${name} ${shortUrl(fn.url, folder)}:${fn.line}`;
  if (fn?.own === false) return { verdict: 'not own', shown: at };
  const inSource = all.filter(({ url }) => filePathOf(url) === source);
  const near = inSource.length > 0 ? inSource : all;
  if (near.length === 0) return { verdict: 'nothing', shown: at };
  const isSure = near.some(({ precision }) => precision === 'exact');
  const declared =
    readFileSync(source, 'utf8')
      .split('\n')
      .findIndex((line) => line.startsWith(`function ${name}(`)) + 1;
  const isFunction = near.every(({ url, line }) => filePathOf(url) === source && line === declared);
  const shown = near.map((line) => lineText(line, folder)).join(', ');
  if (near.every((line) => isBuilt(line, functions))) return { verdict: 'built file', shown };
  return { verdict: isSure ? 'wrong' : isFunction ? 'function' : 'elsewhere', shown };
}

/** Some function of its file is said to be built; what people wrote never stands in such a file. */
function isBuilt({ url }: ReportLine, functions: Report['functions']): boolean {
  return functions.some((fn) => fn.url === url && fn.role === 'built');
}

function lineText({ url, line, precision }: ReportLine, folder: string): string {
  const mark = precision === 'oneOf' ? 'one of ' : precision === 'shared' ? '≈ ' : '';
  return `${mark}${shortUrl(url, folder)}:${line}`;
}

function shortUrl(url: string, folder: string): string {
  const file = filePathOf(url);
  return file?.startsWith(`${folder}${path.sep}`) === true ? path.relative(folder, file) : url.slice(0, 60);
}
