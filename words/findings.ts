import type { RunCost } from '../engine/compare/tests-to-run.ts';
import type { Analysis } from '../engine/analysis.ts';
import { mostCollected, mostLoaded } from '../engine/judge/hotspots/function-details.ts';
import type { Finding, FindingPart, Findings } from '../engine/judge/findings/finding.ts';
import { testKey } from '../engine/read/samples/sample-stream.ts';
import { operationRoutes } from '../engine/judge/requests/route-waits.ts';
import { type ClosedBecause, closedReasons, type FindingCauseKind } from '../protocol/report-findings.ts';
import { maxOf } from '../protocol/figures.ts';
import { microseconds } from '../protocol/units.ts';
import { declaredPlace, placeText } from './places.ts';
import type { FurtherRuns, Surety } from '../engine/compare/runs/make-sure.ts';
import { duration, percent, plural, labelWithPlace } from './formats/figures.ts';
import { remedyTexts } from './remedies.ts';

/** How findings read on every surface. */

/**
 * The function's label, the package, `garbage collection` or `loading of modules`. Functions that take turns share one
 * figure, which differs from that at their lines: `parse + 2 others`.
 */
export function findingName({ subject, parts }: Finding, { functions: { functions } }: Analysis): string {
  switch (subject.type) {
    case 'function': {
      const others = parts.filter(({ functionId }) => functionId !== subject.functionId).length;
      const label = functions[subject.functionId]?.label ?? '';
      return others === 0 ? label : `${label} + ${plural(others, 'other')}`;
    }
    case 'package':
      return subject.name;
    case 'garbage':
      return garbageName;
    case 'loading':
      return 'loading of modules';
  }
}

const garbageName = 'garbage collection';

/** Why the time is spent, without a full stop: `all of it in fraction.js`. */
export function causeText(finding: Finding, analysis: Analysis): string {
  const { cause, parts } = finding;
  const [first, ...others] = parts;
  const text = causeWords(finding);
  const isInlined = cause.kind === 'own' && cause.name !== null;
  if (first === undefined || isInlined) return text;
  const labelOf = ({ functionId }: FindingPart): string => analysis.functions.functions[functionId]?.label ?? '';
  const share = shareText(first.us / parts.reduce((sum, part) => sum + part.us, 0));
  const most = `${others.length > 0 && share === allOfIt ? `nearly ${allOfIt}` : share} in ${labelOf(first)}`;
  return `${most}${restText(finding, labelOf)}${cause.kind === 'own' ? '' : `: ${text}`}`;
}

/** Where all but the largest part is: `, the rest in sort() callback in rank`; `''` where that is all. */
function restText({ subject, parts }: Finding, labelOf: (part: FindingPart) => string): string {
  const [first, other, ...more] = parts;
  if (first === undefined || other === undefined) return '';
  if (more.length === 0) return `, the rest in ${labelOf(other)}`;
  const others = [other, ...more];
  const isOfSubject = subject.type === 'function' && first.functionId === subject.functionId;
  return isOfSubject && others.every(({ isInside }) => isInside)
    ? `, the rest in ${others.length} functions inside it`
    : `, in turns with ${others.length} other functions`;
}

const allOfIt = 'all of it';

/** `all of it`, `most of it`, `62 % of it`. */
function shareText(share: number): string {
  if (share >= 0.95) return allOfIt;
  return share >= 0.75 ? 'most of it' : `${percent(share)} of it`;
}

function causeWords({ cause: { kind, name, share, line, doubt = null }, parts, remedy }: Finding): string {
  const at = line === null ? '' : `, line ${line}`;
  if (remedy === 'growing-copies' && kind === 'allocation')
    return `it ${doubt === null ? '' : 'probably '}copies all that came before, again and again${at}`;
  const most = doubt === null ? shareText(share) : `${shareText(share)} probably`;
  const short = parts.length === 0 ? 'short calls of it and below it' : 'many short calls';
  const texts: Readonly<Record<FindingCauseKind, string>> = {
    regex: `${most} in a regular expression${at}`,
    json: `${most} in JSON${at}`,
    sort: `${most} in sorting${at}`,
    syncCall: `${most} in ${callWords(name)}${at}`,
    waiting: `${most} waiting${name === null ? '' : ` in ${name}`}${at}`,
    package: `${most} in ${packageWords(name)}${line === null ? '' : `, from line ${line}`}`,
    loop: `its own loop${at}`,
    recursion: `it calls itself${name === null ? '' : ` through ${name}`}`,
    allocation: `it makes much garbage: ${most} is collection`,
    manyCalls: name === null ? short : `its calls in a loop of ${name}${at}`,
    gc: 'V8 collects garbage',
    own: name === null ? 'its own code' : `${most} in ${name}, which V8 inlined`,
  };
  return texts[kind];
}

/** A package may be called as a file is: `fraction.js`. */
function packageWords(name: string | null): string {
  return name === null ? 'a package' : `the package ${name}`;
}

function callWords(name: string | null): string {
  if (name === null) return 'a synchronous call';
  return hasOtherForm(name) ? `the synchronous ${name}` : `${name} of Node`;
}

/**
 * Whether Node also has a form of the function that does not wait. V8 names zlib's functions `syncBufferWrapper`; those of
 * crypto work in the thread pool if they get a callback.
 */
function hasOtherForm(name: string): boolean {
  return (
    name.endsWith('Sync') ||
    /^(?:syncBufferWrapper|randomBytes|randomInt|signOneShot|verifyOneShot|diffieHellman)$/.test(name)
  );
}

/**
 * The nearest own callers, the first with the line of the call, else of its declaration: `called by simplify
 * src/simplify.ts:12, below main`; null if none is known. `textOf` writes the place; without it, it is relative to the project.
 */
export function callersText(
  { callers, calledAt }: Finding,
  analysis: Analysis,
  textOf: PlaceWriter = (place) => placeText(place, analysis),
): string | null {
  const [first, second] = callers.flatMap((id) => analysis.functions.functions[id] ?? []);
  if (first === undefined) return null;
  const above = second === undefined ? '' : `, below ${second.label}`;
  const place = calledAt === null ? declaredPlace(first, analysis) : { url: first.url, line: calledAt };
  return `called by ${labelWithPlace(first.label, textOf(place), ' ')}${above}`;
}

/** The function with over half of the collections, or the module with over half of the loading; else null. */
export function mostIn({ subject, operations }: Finding, analysis: Analysis): ReturnType<typeof declaredPlace> | null {
  const most = subject.type === 'garbage' ? mostCollected : subject.type === 'loading' ? mostLoaded : () => null;
  const fn = analysis.functions.functions[most(analysis, operations) ?? -1];
  return fn === undefined ? null : declaredPlace(fn, analysis);
}

type PlaceWriter = (place: ReturnType<typeof declaredPlace>) => string;

/** In what a finding was long. */
export interface Whereabouts {
  /** Number of tests; null if the recording has no tests. */
  readonly tests: number | null;
  /** `GET /users/:id`, in the order of time. */
  readonly routes: readonly string[];
}

/** Reads the routes of a server once for all findings. */
export function createWhereabouts(analysis: Analysis): (finding: Finding) => Whereabouts {
  const routes = operationRoutes(analysis);
  const knowsTests = analysis.streams.some(({ tests }) => tests !== null);
  return ({ operations }) => {
    const tests = operations.flatMap((number) => analysis.operations[number]?.test ?? []);
    return {
      tests: knowsTests ? new Set(tests.map(testKey)).size : null,
      routes: [...new Set(operations.flatMap((number) => [...(routes?.get(number) ?? [])]))],
    };
  };
}

/** `in 3 tests`, `in GET /users/:id and 2 other routes`; null where neither is known. */
export function whereText({ tests, routes }: Whereabouts): string | null {
  const [first, ...others] = routes;
  if (first !== undefined)
    return `in ${first}${others.length === 0 ? '' : ` and ${plural(others.length, 'other route')}`}`;
  return tests === null || tests === 0 ? null : `in ${plural(tests, 'test')}`;
}

/** Why findings are closed, with their counts: `seen once (50), few samples (12)`; `''` if none is. */
function closedText(all: readonly Finding[]): string {
  return closedReasons
    .map((reason) => ({ reason, count: all.filter(({ closedBecause }) => closedBecause === reason).length }))
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => b.count - a.count)
    .map(({ reason, count }) => `${reasonNames[reason]} (${count})`)
    .join(', ');
}

export const reasonNames: Readonly<Record<ClosedBecause, string>> = {
  once: 'seen once',
  fewSamples: 'few samples',
  firstCall: 'first call only',
  gc: garbageName,
  waiting: 'asleep in no known call',
  test: 'test code',
  loading: 'loading',
  notAgain: 'not seen again',
};

/** The certain findings that remove less: `24 more that remove at most 12 ms each, together 18 %`; `''` if there are none. */
function moreText({ all, explainableUs }: Findings): string {
  const more = all.filter(({ open, closedBecause, removesUs }) => !open && closedBecause === null && removesUs > 0);
  const removes = more.reduce((sum, { removesUs }) => sum + removesUs, 0);
  if (more.length === 0) return '';
  const most = duration(microseconds(maxOf(more.map(({ removesUs }) => removesUs))));
  const share = percent(removes, Math.max(1, explainableUs));
  if (more.length === 1) return `1 more that removes ${most}, ${share}`;
  return `${more.length} more that remove at most ${most} each, together ${share}`;
}

/** Its cause and callers, what its fix removes and what waits, and what to do. */
export function findingSentences(
  finding: Finding,
  who: Whereabouts,
  analysis: Analysis,
  textOf?: PlaceWriter,
): readonly string[] {
  const [removed, all] = [duration(finding.removesUs), duration(analysis.findings.explainableUs)];
  const why = [causeText(finding, analysis), callersText(finding, analysis, textOf)].filter((text) => text !== null);
  const waits = [`removes ${removed} of ${all} over the threshold`, whereText(who)].filter((text) => text !== null);
  return [sentence(why.join(', ')), sentence(waits.join('; ')), nextAction(finding, analysis)];
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

export function nextAction({ cause, remedy }: Finding, { tiers }: Pick<Analysis, 'tiers'>): string {
  const sure = cause.doubt === 'calls' ? ' To be sure, put the calls of that line on lines of their own.' : '';
  if (remedy !== null) return `${remedyTexts[remedy].replaceAll('`', '')}${sure}`;
  const { kind, name } = cause;
  if (kind === 'own' && name !== null) return tiers === null ? ofInlined : 'Look there first.';
  return kind === 'syncCall' && name !== null && !hasOtherForm(name) ? onlyForm : actions[kind];
}

const ofInlined = "Look there first. A recording of V8's tiers shows what was inlined.";

/** For a function of Node that has no other form. */
const onlyForm = 'Call it less often or with less at a time, or in a worker.';

const actions: Readonly<Record<FindingCauseKind, string>> = {
  regex:
    'Match shorter texts, or less often. Some regular expressions take time that grows with the square of the text.',
  json: remedyTexts.json,
  sort: remedyTexts.sorting,
  syncCall: 'Use the form of this call that does not wait, or do it once, at start.',
  waiting: 'Use the form of this call that does not block: the loop does nothing while it waits.',
  package: 'Call it with less at a time, or in a worker, or use another package.',
  loop: 'Do less in each run of the loop, or give way to others between runs.',
  recursion: 'Keep results that come again, or do the work in parts.',
  allocation: 'Make fewer objects: reuse them, or do not copy what only grows.',
  manyCalls: 'Call it less often: keep its result, or move what never changes out of the loop.',
  gc: 'Make fewer objects, or give V8 more room.',
  own: 'Open the flamegraph at it to see which calls take the time.',
};

/**
 * `Not shown: 24 more that remove at most 12 ms each, together 18 %; seen once (50).`; null if everything is shown. `named`:
 * what the verdict names in the place of a finding.
 */
export function leftText(findings: Findings, named = ''): string | null {
  const closed = findings.all.filter(({ subject }) => subject.type !== 'garbage' || named !== garbageName);
  const parts = [moreText(findings), closedText(closed)].filter((text) => text !== '');
  return parts.length === 0 ? null : `Not shown: ${parts.join('; ')}.`;
}

/** How often the tests of uncertain findings run again. */
export const furtherRunCount = 2;

/** The cost of the further runs: `2 × about 9 s, 3 test files`. */
export function furtherRunsText({ files, whyWhole, us }: FurtherRuns): string {
  const why = whyWhole === null ? '' : `, as ${wholeReasons[whyWhole]}`;
  const what = files === null ? `the whole command${why}` : plural(files.length, 'test file');
  return `${furtherRunCount} × about ${duration(us)}, ${what}`;
}

const wholeReasons = {
  outsideTests: 'some are outside of tests',
  manyFiles: 'they are in too many test files',
  sharedThread: 'test files share a thread',
} as const satisfies Record<NonNullable<FurtherRuns['whyWhole']>, string>;

/** A re-check makes at least so many runs: three of each side. */
export const MIN_RUNS = 6;

/** Eight of each side, where fewer leave it unclear. */
const MAX_RUNS = 16;

/** What a re-check costs: `6 to 16 × about 4 s, string.test.ts`. `us`: of one run; null where that is not known. */
export function planText({ files, us }: RunCost): string {
  const names = files.map((file) => file.slice(file.lastIndexOf('/') + 1));
  const what = files.length === 0 ? 'the whole command' : names.join(', ');
  const runs = `${MIN_RUNS} to ${MAX_RUNS}`;
  return us === null ? `${runs} runs, ${what}` : `${runs} × about ${duration(us)}, ${what}`;
}

/** The row that starts the further runs. */
export function makeSureRow(further: FurtherRuns): { readonly text: string; readonly description: string } {
  return { text: `Make sure of ${plural(further.findings.length, 'finding')}`, description: furtherRunsText(further) };
}

export function makeSureHint(further: FurtherRuns): string {
  return `To be sure of ${plural(further.findings.length, 'uncertain finding')}: "hotspan make-sure" (${furtherRunsText(further)}).`;
}

/** `12 uncertain findings: 3 seen again, 9 not.` */
export function suretyText({ seenAgain: { runs, findings }, changedFiles }: Surety): string {
  const again = findings.filter(({ seenIn }) => seenIn * 2 >= runs).length;
  const counts = `${again} seen again, ${findings.length - again} not`;
  const said = findings.length === 0 ? [] : [`${plural(findings.length, 'uncertain finding')}: ${counts}.`];
  const [file, ...others] = changedFiles;
  const more = others.length === 0 ? '' : ` and ${plural(others.length, 'other file')}`;
  const changed = `${file ?? ''}${more} changed since the recording: profile again to know about what is there.`;
  return [...said, ...(file === undefined ? [] : [changed])].join(' ');
}
