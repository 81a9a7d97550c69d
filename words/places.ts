import type { Analysis } from '../engine/analysis.ts';
import { type FunctionInfo, isBundleBody } from '../engine/read/functions/function-table.ts';
import { filePathOf } from '../engine/read/files/file-path.ts';
import { isInside, pathBelow, systemPath, trimEnd } from '../protocol/path-spelling.ts';
import { fileNameOf } from '../protocol/machine-path.ts';
import { withLine } from './formats/figures.ts';
import { visible } from './formats/foreign-text.ts';
import { type Line1, type Microseconds, microseconds, toLine1 } from '../protocol/units.ts';
import type { HotLine } from '../engine/judge/lines/hot-lines.ts';
import { inlinedOn, type CallReason, type LineReason } from '../engine/judge/lines/line-shares.ts';

/**
 * A path relative to its innermost workspace folder, whose name is added if there are several; else the whole path.
 * With `\` on Windows.
 */
export function shortPath(path: string, roots: readonly string[]): string {
  const [root] = roots.filter((one) => isInside(path, [one])).toSorted((a, b) => b.length - a.length);
  if (root === undefined) return systemPath(path);
  const inside = pathBelow(path, root) ?? '';
  const short = roots.length > 1 ? `${fileNameOf(trimEnd(root))}/${inside}` : inside;
  return systemPath(short, path);
}

/** The heaviest marked line of a function. */
export function hottestLine(analysis: Analysis, functionId: number): HotLine | undefined {
  return markedLines(analysis, functionId)[0];
}

/** The marked lines of a function, the one with the largest part of it first. Others may have larger parts there. */
export function markedLines({ lines }: Analysis, functionId: number): readonly HotLine[] {
  return lines
    .filter(({ decorated, functionIds }) => decorated && functionIds.includes(functionId))
    .toSorted((a, b) => partOf(b, functionId) - partOf(a, functionId));
}

/** What a function has of one of its lines, at most. */
export function partOf({ functionIds, partsUs, worst }: HotLine, functionId: number): Microseconds {
  return functionIds.length === 1 ? worst : (partsUs[functionIds.indexOf(functionId)] ?? microseconds(0));
}

/**
 * The heaviest line of a hot function, in a bundle's body maybe in another file; else, and where that line is of a
 * function that V8 inlined, the first line.
 */
export function hottestPlace(fn: FunctionInfo, analysis: Analysis): Pick<HotLine, 'url' | 'line'> {
  const line = hottestLine(analysis, fn.id);
  return line === undefined || inlinedOn(line) !== null ? { url: fn.url, line: toLine1(fn.line) } : line;
}

/** Where a function is declared; in the body of a bundle, which consists of several files, its hottest place. */
export function declaredPlace(fn: FunctionInfo, analysis: Analysis): Pick<HotLine, 'url' | 'line'> {
  return isBundleBody(fn) ? hottestPlace(fn, analysis) : { url: fn.url, line: toLine1(fn.line) };
}

/** The hottest place of a function, `src/rules.ts:13`; without a file, its url. */
export function placeOf(fn: FunctionInfo, analysis: Analysis): string {
  if (fn.path === null) return fn.url === '' ? 'native' : fn.url;
  return placeText(hottestPlace(fn, analysis), analysis);
}

/** `src/rules.ts:13`. */
export function placeText({ url, line }: { readonly url: string; readonly line: number }, { roots }: Analysis): string {
  return url === '' ? 'native' : withLine(shortPath(filePathOf(url, roots) ?? url, roots), line);
}

/** Why code with this url, which names no file of this machine, cannot be opened. */
export function noFileText(url: string): string {
  if (url.startsWith('node:')) return 'This is code of Node.js itself: there is no file to open.';
  return url === ''
    ? 'V8 names no file for this code: it is built in, or was made by eval or new Function.'
    : `There is no file to open: this code ran from ${visible(url, 300)}.`;
}

/** Why a function of a file cannot be opened. */
export function notFoundText(path: string): string {
  return `${fileText(path)} has another text than ran, and this function was not found in it.`;
}

/** Why the top level of a bundle cannot be opened at a line. */
export function noLineText(path: string): string {
  return `This is the top level of the bundle ${fileText(path)}: which of its lines took the time is not known.`;
}

function fileText(path: string): string {
  return visible(path.replace(/^.*[/\\]/, ''), 300);
}

/** `imported at src/a.ts:3, src/b.ts:1`: up to three own lines that import a package; null if there are none. */
export function importedAt(
  { packages }: Analysis,
  name: string,
  textOf: (place: { readonly url: string; readonly line: Line1 }) => string,
): string | null {
  const imports = packages.find((one) => one.name === name)?.imports ?? [];
  if (imports.length === 0) return null;
  const places = imports.slice(0, 3).map(textOf).join(', ');
  return imports.every(({ seen }) => seen)
    ? `imported at ${places}`
    : `imported only at ${places}, where nothing was seen in this run`;
}

/** Why the time of a line may not be its own, without a full stop. */
export function lineReasonText(reason: LineReason): string {
  switch (reason.type) {
    case 'severalLines':
      return 'the built file has several lines of the source in one';
    case 'noMap':
      return 'no source map shows the line for certain';
    case 'noFile':
      return 'a line of what the bundler made: build with source maps';
    case 'fileGone':
      return 'the file was deleted before the program had ended, and no source map tells what it was made of';
    case 'foundByName':
      return 'the file may have another text than the one that ran: the function is known, its lines are not';
    case 'functionNotThere':
      return 'the source has no function there: it may be of another build, or the function a helper of the compiler';
    case 'splitBySamples':
      return reason.lines === 1 ? 'the rest is in code that V8 inlined' : `split over ${reason.lines} lines by samples`;
    case 'linesLost':
      return 'V8 gave many of its samples without a line';
    case 'splitAsElsewhere':
      return 'its line was not sampled here: split as in its other calls';
    case 'splitFromRegExp':
      return 'split between a regular expression and the rest by samples';
    case 'regExpOnLines':
      return `${reason.lines === 1 ? 'this line and others may' : `${reason.lines} lines`} use regular expressions`;
    case 'inlined':
      return `V8 inlined ${reason.callee} and counts its line for the caller`;
    case 'mayBeInlined':
      return `some of it may be of ${reason.callee}, which it calls`;
    case 'callOnLines':
    case 'unnamedCallOnLines':
    case 'calledByAnotherName':
      return callText(reason);
    case 'wholeFunction':
      return 'the whole function: no one line is known to have its time';
  }
}

function callText({ type, callee, lines, withoutPositions }: CallReason): string {
  const texts = {
    callOnLines: `${callee} may be called on ${lines} lines`,
    unnamedCallOnLines: `a function without a name may be called on ${lines} lines`,
    calledByAnotherName: `${callee} has another name where it is called`,
  };
  return `${texts[type]}${withoutPositions ? sparkplugText : ''}`;
}

const sparkplugText = ", and V8's log has no positions of the code that ran (Sparkplug, before Node.js 26)";
