import type { Analysis } from '../../engine/analysis.ts';
import { loopSummaries } from '../../words/loop-summaries.ts';
import { filePathOf, isRecorder } from '../../engine/read/files/file-path.ts';
import { hotFunctions } from '../../engine/hot-functions.ts';
import { leftOutText } from '../../words/left-out.ts';
import { processOf, threadNames } from '../../words/thread-names.ts';
import { changedFilesText, secondRunText } from '../../words/tier-words.ts';
import { blamesByName, summaryOf, blameName, isOfProgram } from '../../words/summary.ts';
import { changedSince, plural, duration, upTo } from '../../words/formats/figures.ts';
import { microseconds } from '../../protocol/units.ts';
import { plainText } from './terminal.ts';
import { cut, longestPath, shownPlace, type Sources } from './shown-code.ts';
import {
  type HotspotView,
  type FunctionView,
  hotspotView,
  functionViews,
  shownUrlsOf,
  type ViewOptions,
} from './hotspot-view.ts';
import { type VerdictView, verdictView } from './finding-view.ts';
import { importedAt } from '../../words/places.ts';
import { estimatesText, orderText, waitsText } from '../../words/order-and-doubt.ts';
import { routeText } from '../../words/route-texts.ts';
import { startOf } from '../../engine/read/samples/sample-stream.ts';
import { routeWaits } from '../../engine/judge/requests/route-waits.ts';
import { takenForText, warningTexts } from '../../words/given-recordings.ts';
import { withSlashes } from '../../engine/read/functions/find-workspace.ts';

const packages = '/node_modules/';

/** What the table and the Markdown show. All texts are plain: one line, without anything that a terminal would obey. */
export interface ResultView {
  /** What would disappear if it were fixed, and what is not shown of that. */
  readonly found: VerdictView;
  /** Whether all hotspots are listed below the verdict. */
  readonly isAll: boolean;
  /**
   * Hotspots in the order in which they are shown: application, tests, workers, and those that were long only the first
   * time.
   */
  readonly hotspots: readonly HotspotView[];
  /** With `--all`, every function that is over the threshold with what it calls, whoever wrote it. Else empty. */
  readonly functions: readonly FunctionView[];
  /** What held the loop without the person's code on the stack, worst first: `bcryptjs up to 118 ms (6 ×)`. */
  readonly blamed: readonly string[];
  /**
   * Operations that many short calls of own code fill together, such as `up to 35 ms (3 ×)`; null where there are none.
   */
  readonly shortCalls: string | null;
  /**
   * A sentence such as `Tiers are from a second run, 2 minutes ago.`; null where they are of this run, or not known.
   */
  readonly tiersFrom: string | null;
  /**
   * A sentence such as `src/cart.ts changed since it was recorded: …`; null where no file with a hotspot has changed,
   * as far as is known.
   */
  readonly changed: string | null;
  /**
   * Sentences such as `Event loop busy 62 % of 12.3 s · …`, one for each program; empty where turns were not measured.
   */
  readonly eventLoop: readonly string[];
  /** Threads that ran and are in no figure; null where there are none. */
  readonly leftOut: string | null;
  /** Which routes waited behind other requests, worst first. Without `--all`, only the first few. */
  readonly routes: readonly string[];
  /** Said on top where times depend on other processes; null where none does. */
  readonly waits: string | null;
  /** In which order kinds of functions stand; null where it is the worst first and nothing else. */
  readonly order: string | null;
  /** Why many figures are estimates; null where only few are. */
  readonly estimates: string | null;
  /** The result in one sentence; null where a hotspot on an event loop says it. */
  readonly verdict: string | null;
  /** What several recordings were taken for; null where there is one. */
  readonly takenFor: string | null;
  /** With `--all`, a line for each process and thread, where there are several. Else empty. */
  readonly processes: readonly string[];
  readonly warnings: readonly string[];
}

/** `sources` must have those of `shownUrlsOf(analysis)`. */
export function resultView(analysis: Analysis, { all, sources }: ViewOptions): ResultView {
  const hotspots = hotFunctions(analysis).flatMap((hot): readonly HotspotView[] => {
    const fn = analysis.functions.functions[hot.functionId];
    return fn === undefined ? [] : [hotspotView(hot, fn, analysis, { all, sources })];
  });
  const routes = routeViews(analysis);
  return {
    found: verdictView(analysis, { all, sources }),
    isAll: all || analysis.several?.takenFor === 'runs',
    hotspots,
    functions: all ? functionViews(analysis, sources) : [],
    blamed: blamedTexts(analysis, sources),
    shortCalls: shortCallsText(analysis),
    tiersFrom: tiersFromText(analysis),
    changed: changedText(analysis, sources),
    eventLoop: shownLoops(loopSummaries(analysis.streams).map(plainText), all),
    leftOut: leftOutOf(analysis, all),
    routes: all ? routes : routes.slice(0, mostRoutes),
    waits: waitsText(analysis),
    order: orderText(analysis),
    estimates: estimatesText(analysis),
    verdict: verdictOf(analysis),
    takenFor: takenForOf(analysis),
    processes: all ? processViews(analysis).map(plainText) : [],
    warnings: warningTexts(analysis).map(plainText),
  };
}

/** Says which files with hotspots have changed. Lines of other files are not shown. */
function changedText(analysis: Analysis, sources: Sources): string | null {
  const paths = new Set(shownUrlsOf(analysis).flatMap((url) => filePathOf(url) ?? []));
  const [first, ...others] = [...paths].filter((path) => analysis.changed.paths.has(path));
  if (first === undefined) return null;
  const shown = cut(plainText(sources.shownPath(first)), longestPath);
  const rest = others.length === 0 ? '' : ` and ${plural(others.length, 'other file')}`;
  return `${shown}${rest} ${changedSince}: lines are those of the text that ran.`;
}

function tiersFromText(analysis: Analysis): string | null {
  const sentences = [secondRunText(analysis, Date.now()), changedFilesText(analysis)].filter((text) => text !== null);
  return sentences.length === 0 ? null : plainText(sentences.join(' '));
}

function takenForOf({ several }: Analysis): string | null {
  const text = several === undefined ? null : takenForText(several);
  return text === null ? null : plainText(text);
}

function verdictOf(analysis: Analysis): string | null {
  const { worst, isForeign, verdict } = summaryOf(analysis, '');
  if (isForeign) return plainText(describeForeign(analysis));
  return worst === null ? plainText(verdict) : null;
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

function shortCallsText(analysis: Analysis): string | null {
  const own = blamesByName(analysis).find(({ kind }) => kind === 'own');
  return own === undefined ? null : upTo(own);
}

function shownLoops(loops: readonly string[], all: boolean): readonly string[] {
  const rest = loops.length - mostLoops;
  return all || rest <= 0 ? loops : [...loops.slice(0, mostLoops), `and ${plural(rest, 'more program')}: --all`];
}

const mostLoops = 3;
const mostRoutes = 10;

function leftOutOf(analysis: Analysis, all: boolean): string | null {
  const text = leftOutText(analysis);
  return text === null ? null : plainText(all ? text : `${text} --all lists them.`);
}

/**
 * Which routes waited, worst first: `GET /autocomplete: 12 % of 800 wait > 10 ms, 5.1 % > 100 ms, behind parseQuery
 * src/q.ts:31`. Routes without a request that waited are left out.
 */
function routeViews(analysis: Analysis): readonly string[] {
  return routeWaits(analysis)
    .filter(({ over10Ms }) => over10Ms > 0)
    .map((route) => plainText(routeText(route, analysis)));
}

/**
 * One line for each thread, such as `server.js · process 7, worker 2 (background) · 1.2 s · 1100 samples · longest
 * operation 312 ms`; empty where there is only one.
 */
export function processViews({ streams, operations }: Analysis): readonly string[] {
  if (streams.length === 1) return [];
  const longest = streams.map(() => 0);
  for (const { stream, held } of operations) longest[stream] = Math.max(longest[stream] ?? 0, held);
  return streams.map((stream, index) => {
    const { threadId, threadKind } = stream.isolate;
    const ran = threadNames(streams)[index]?.ran ?? null;
    const process = `${ran === null ? '' : `${plainText(ran)} · `}${processOf(stream.isolate)}`;
    const thread = threadId === null || threadId === 0 ? '' : `, worker ${threadId} (${threadKind})`;
    if (stream.times.length === 0) return `${process}${thread} · no samples`;
    const figures = [
      duration(microseconds(stream.end - startOf(stream))),
      plural(stream.times.length, 'sample'),
      `longest operation ${stream.turns === null ? '≈' : ''}${duration(microseconds(longest[index] ?? 0))}`,
    ];
    return [`${process}${thread}`, ...figures].join(' · ');
  });
}

/** For a profile without a file of the project: says where its code is, and what to do. */
function describeForeign(analysis: Analysis): string {
  const origin = originOfPage(analysis);
  if (origin !== undefined)
    return `This profile is of code from ${origin}, which has no file in this project: see --all.`;
  const nothing = `No file of this profile is in ${analysis.roots.join(', ')}`;
  const folder = folderOfCode(analysis);
  return folder === undefined
    ? `${nothing}: name the project's folder with --root, or see --all.`
    : `${nothing}. They are in ${folder}: give that folder, or the project's around it, with --root, or see --all.`;
}

/** The origin such as `http://localhost:3000` where a page ran; undefined where any function has a file. */
function originOfPage({ functions }: Analysis): string | undefined {
  if (functions.functions.some(({ path }) => path !== null)) return undefined;
  const [first] = functions.functions.flatMap(({ url }) => /^[\w+.-]+:\/\/[^/]*/.exec(url) ?? []);
  return first;
}

/**
 * The innermost folder that contains all files outside of `node_modules`, or else the folder that contains their
 * `node_modules`; undefined where that is the root or nothing.
 */
function folderOfCode({ functions }: Analysis): string | undefined {
  const files = functions.functions.flatMap(({ path }) =>
    path === null || isRecorder(path) ? [] : [withSlashes(path)],
  );
  const written = files.filter((file) => !file.includes(packages)).map((file) => file.split('/').slice(0, -1));
  const installed = files.map((file) => file.slice(0, Math.max(0, file.indexOf(packages))).split('/'));
  const [first = [], ...others] = written.length > 0 ? written : installed;
  const shared = others.reduce((length, parts) => sharedLength(first.slice(0, length), parts), first.length);
  return shared > 1 ? first.slice(0, shared).join('/') : undefined;
}

function sharedLength(a: readonly string[], b: readonly string[]): number {
  const different = a.findIndex((part, index) => part !== b[index]);
  return different === -1 ? a.length : different;
}
