import type { Analysis } from '../../engine/analysis.ts';
import { longestOperations, loopSummaries, leftOutText } from '../../words/loop-texts.ts';
import { isRecorder } from '../../engine/read/files/file-path.ts';
import { hotFunctions } from '../../engine/hot-functions.ts';
import { processOf, threadNames } from '../../words/thread-names.ts';
import { changedFilesText, secondRunText } from '../../words/tier-words.ts';
import { blamesByName, summaryOf, blameName, isOfProgram } from '../../words/summary.ts';
import { changedSince, plural, duration, upTo } from '../../words/formats/figures.ts';
import { nothingToDo } from '../../words/formats/quiet-verdict.ts';
import { microseconds } from '../../protocol/units.ts';
import { plainText } from './terminal.ts';
import { cut, MAX_PATH, shownPlace, type Sources } from './shown-code.ts';
import type { HotspotView, FunctionView, ViewOptions, VerdictView } from './hotspot-view.ts';
import { hotspotView, functionViews, otherViews, shownFigures, shownUrlsOf, verdictView } from './hotspot-view.ts';
import type { FunctionInfo } from '../../engine/read/functions/function-table.ts';
import { hottestPlace, importedAt } from '../../words/places.ts';
import { estimatesText, orderText, waitsText } from '../../words/order-and-doubt.ts';
import { routeText, shownRoutes } from '../../words/operation-words.ts';
import { startOf } from '../../engine/read/samples/sample-stream.ts';
import { takenForText, warningTexts } from '../../words/given-recordings.ts';
import { systemPath } from '../../protocol/path-spelling.ts';

/**
 * What the table and the Markdown show. Each text is one line, without characters that a terminal obeys; `''` or an empty
 * list where there is nothing to say.
 */
export interface ResultView {
  readonly found: VerdictView;
  /** Whether all hotspots are listed below the verdict. */
  readonly isAll: boolean;
  /** In the order of display: application, tests, workers, and those that were long the first time only. */
  readonly hotspots: readonly HotspotView[];
  /** With all hotspots, what the verdict leaves out, with the reasons. */
  readonly others: readonly FunctionView[];
  /** With `--all`, every function that is over the threshold with what it calls, own code or not. */
  readonly functions: readonly FunctionView[];
  /** What held the loop without own code on the stack, worst first: `bcryptjs up to 118 ms (6 ×)`. */
  readonly blamed: readonly string[];
  /** Operations that many short calls of own code fill together: `up to 35 ms (3 ×)`. */
  readonly shortCalls: string;
  /** `Tiers are from a second run, 2 minutes ago.` */
  readonly tiersFrom: string;
  /** `src/cart.ts changed since it was recorded: …`, about files with hotspots. */
  readonly changed: string;
  /** `Event loop busy 62 % of 12.3 s · …`, one for each program. */
  readonly eventLoop: readonly string[];
  /** Threads that ran and are in no figure. */
  readonly leftOut: string;
  /** Which routes waited behind other requests, worst first. Without `--all`, only the first few. */
  readonly routes: readonly string[];
  /** That shown times depend on other processes. */
  readonly waits: string;
  /** With all hotspots, the order of the kinds of functions, unless it is simply the worst first. */
  readonly order: string;
  /** Why many of the shown figures are estimates. */
  readonly estimates: string;
  /** The result in one sentence, unless hotspots on event loops say it, or `instead`. */
  readonly verdict: string;
  /** Where no finding is open: `Uncertain: ≈54 ms worst in hash, src/hash.js:4 · seen once.`, or that nothing is to do. */
  readonly instead: string;
  /** How several recordings were combined. */
  readonly takenFor: string;
  /** With `--all`, a line for each thread, if there are several. */
  readonly processes: readonly string[];
  readonly warnings: readonly string[];
}

/** `sources` must have those of `shownUrlsOf(analysis)`. */
export function resultView(analysis: Analysis, { all, sources }: ViewOptions): ResultView {
  const { several } = analysis;
  const own = blamesByName(analysis).find(({ kind }) => kind === 'own');
  const placeText = (fn: FunctionInfo): string => shownPlace(hottestPlace(fn, analysis), sources);
  const routes = shownRoutes(analysis).map((route) => plainText(routeText(route, analysis, placeText)));
  const left = leftOutText(analysis);
  const isAll = all || several?.takenFor === 'runs';
  const figures = shownFigures(analysis, isAll);
  return {
    found: verdictView(analysis, { all, sources }),
    isAll,
    hotspots: hotFunctions(analysis).flatMap((hot): readonly HotspotView[] => {
      const fn = analysis.functions.functions[hot.functionId];
      return fn === undefined ? [] : [hotspotView(hot, fn, analysis, { all, sources })];
    }),
    others: isAll ? otherViews(analysis, { all, sources }) : [],
    functions: all ? functionViews(analysis, sources) : [],
    blamed: blamedTexts(analysis, sources),
    shortCalls: own === undefined ? '' : upTo(own),
    tiersFrom: plainText(
      [secondRunText(analysis, Date.now()) ?? [], changedFilesText(analysis) ?? []].flat().join(' '),
    ),
    changed: changedText(analysis, sources),
    eventLoop: shownLoops(loopSummaries(analysis.streams).map(plainText), all),
    leftOut: left === null ? '' : plainText(all ? left : `${left} --all lists them.`),
    routes: all ? routes : routes.slice(0, MAX_ROUTES),
    waits: waitsText(figures) ?? '',
    order: (isAll ? orderText(analysis) : null) ?? '',
    estimates: estimatesText(analysis, figures) ?? '',
    ...verdictTexts(analysis),
    takenFor: plainText((several === undefined ? null : takenForText(several)) ?? ''),
    processes: all ? processViews(analysis).map(plainText) : [],
    warnings: warningTexts(analysis).map(plainText),
  };
}

const MAX_ROUTES = 10;

/** Which files with hotspots have changed; lines of other files are not shown. */
function changedText(analysis: Analysis, sources: Sources): string {
  const paths = new Set(shownUrlsOf(analysis).flatMap((url) => sources.pathOf(url) ?? []));
  const [first, ...others] = [...paths].filter((path) => analysis.changed.paths.has(path));
  if (first === undefined) return '';
  const shown = cut(plainText(sources.shownPath(first)), MAX_PATH);
  const rest = others.length === 0 ? '' : ` and ${plural(others.length, 'other file')}`;
  return `${shown}${rest} ${changedSince}: lines are those of the text that ran.`;
}

function verdictTexts(analysis: Analysis): Pick<ResultView, 'verdict' | 'instead'> {
  const summary = summaryOf(analysis, '');
  const { worst, headline, blame, isForeign, verdict } = summary;
  if (isForeign) return { verdict: plainText(describeForeign(analysis)), instead: '' };
  if (worst === null || (headline === null && blame !== null)) return { verdict: plainText(verdict), instead: '' };
  if (headline === null) return { verdict: '', instead: nothingToDo(summary) };
  return { verdict: '', instead: headline.doubt === undefined ? '' : plainText(`Uncertain: ${verdict}.`) };
}

function blamedTexts(analysis: Analysis, sources: Sources): readonly string[] {
  const importText = (name: string): string => {
    const imported = importedAt(analysis, name, (place) => shownPlace(place, sources));
    return imported === null ? '' : `, ${imported}`;
  };
  return blamesByName(analysis)
    .filter((blame) => isOfProgram(blame) && blame.kind !== 'own')
    .map((blame) => {
      const name = blameName(blame);
      return `${plainText(name)} ${upTo(blame)}${plainText(importText(name))}`;
    });
}

function shownLoops(loops: readonly string[], all: boolean): readonly string[] {
  const rest = loops.length - MAX_LOOPS;
  return all || rest <= 0 ? loops : [...loops.slice(0, MAX_LOOPS), `and ${plural(rest, 'more program')}: --all`];
}

const MAX_LOOPS = 3;

/** `server.js · process 7, worker 2 (background) · 1.2 s · 1100 samples · longest operation 312 ms`; empty for one thread. */
export function processViews(analysis: Analysis): readonly string[] {
  const { streams } = analysis;
  if (streams.length === 1) return [];
  const longest = longestOperations(analysis);
  return streams.map((stream, index) => {
    const { threadId, threadKind } = stream.isolate;
    const ran = threadNames(streams)[index]?.ran ?? null;
    const process = `${ran === null ? '' : `${plainText(ran)} · `}${processOf(stream.isolate)}`;
    const thread = threadId === null || threadId === 0 ? '' : `, worker ${threadId} (${threadKind})`;
    if (stream.times.length === 0) return `${process}${thread} · no samples`;
    const figures = [
      duration(microseconds(stream.end - startOf(stream))),
      plural(stream.times.length, 'sample'),
      `longest operation ${longest[index]?.text}`,
    ];
    return [`${process}${thread}`, ...figures].join(' · ');
  });
}

/** For a profile without a file of the project: says where its code is, and what to do. */
function describeForeign(analysis: Analysis): string {
  const origin = originOfPage(analysis);
  if (origin !== null) return `This profile is of code from ${origin}, which has no file in this project: see --all.`;
  const nothing = `No file of this profile is in ${analysis.roots.map((root) => systemPath(root)).join(', ')}`;
  const folder = folderOfCode(analysis);
  return folder === null
    ? `${nothing}: name the project's folder with --root, or see --all.`
    : `${nothing}. They are in ${folder}: if that is on this machine, give it, or the project's folder around it, with --root, or see --all.`;
}

/** The origin of a page, such as `http://localhost:3000`; null if any function has a file. */
function originOfPage({ functions: { functions } }: Analysis): string | null {
  if (functions.some(({ path }) => path !== null)) return null;
  return functions.flatMap(({ url }) => /^[\w+.-]+:\/\/[^/]*/.exec(url) ?? [])[0] ?? null;
}

/**
 * The innermost folder that contains all files outside of `node_modules`, else the folder with their `node_modules`; null
 * if that is the root or nothing.
 */
function folderOfCode({ functions }: Analysis): string | null {
  const files = functions.functions.flatMap(({ path }) => (path === null || isRecorder(path) ? [] : path));
  const packages = '/node_modules/';
  const written = files.filter((file) => !file.includes(packages)).map((file) => file.split('/').slice(0, -1));
  const installed = files.map((file) => file.slice(0, Math.max(0, file.indexOf(packages))).split('/'));
  const [first = [], ...others] = written.length > 0 ? written : installed;
  const shared = others.reduce((length, parts) => sharedLength(first.slice(0, length), parts), first.length);
  return shared > 1 ? systemPath(first.slice(0, shared).join('/')) : null;
}

function sharedLength(a: readonly string[], b: readonly string[]): number {
  const different = a.findIndex((part, index) => part !== b[index]);
  return different === -1 ? a.length : different;
}
