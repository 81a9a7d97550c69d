import type { Analysis } from '../engine/analysis.ts';
import type { Finding, FindingCause, Findings } from '../engine/judge/findings/finding.ts';
import { operationRoutes } from '../engine/judge/requests/operation-routes.ts';
import { type ClosedBecause, closedReasons, type FindingCauseKind } from '../protocol/report-findings.ts';
import type { Microseconds } from '../protocol/units.ts';
import { duration, plural } from './formats/figures.ts';
import { placeOf } from './places.ts';
import { remedyTexts } from './remedies.ts';

/** How findings read on every surface: their names, causes, callers, who waits, and what to do next. */

/**
 * Name for people: the function's label, the package, `garbage collection` or `loading of modules`. Functions that take
 * turns have one figure together, which is not that at their lines: `parse + 2 others`.
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
      return 'garbage collection';
    case 'loading':
      return 'loading of modules';
  }
}

/** Why the time is spent, without a full stop: `all of it in fraction.js`, `waits in execSync`. */
export function causeText(finding: Finding, analysis: Analysis): string {
  const { cause, parts, remedy } = finding;
  const text = remedy === 'growing-copies' && cause.kind === 'allocation' ? copyWords(cause) : causeWords(cause);
  const [first, ...others] = parts;
  if (first === undefined) return text;
  const name = analysis.functions.functions[first.functionId]?.label ?? '';
  const rest = others.length === 0 ? '' : `, in turns with ${plural(others.length, 'other function')}`;
  return `${mostOf(first.us, parts)} in ${name}${rest}${cause.kind === 'own' ? '' : `: ${text}`}`;
}

function mostOf(us: Microseconds, parts: Finding['parts']): string {
  return shareText(us / parts.reduce((sum, part) => sum + part.us, 0));
}

/** `all of it`, `most of it`, `62 % of it`. */
function shareText(share: number): string {
  if (share >= 0.95) return 'all of it';
  return share >= 0.75 ? 'most of it' : `${Math.round(100 * share)} % of it`;
}

function copyWords({ line }: FindingCause): string {
  return `it copies all that came before, again and again${line === null ? '' : `, line ${line}`}`;
}

function causeWords({ kind, name, share, line }: FindingCause): string {
  const at = line === null ? '' : `, line ${line}`;
  const most = shareText(share);
  switch (kind) {
    case 'regex':
      return `${most} in a regular expression${at}`;
    case 'json':
      return `${most} in JSON${at}`;
    case 'sort':
      return `${most} in sorting${at}`;
    case 'syncCall':
      return `${most} in ${callWords(name)}${at}`;
    case 'waiting':
      return `${most} waiting${name === null ? '' : ` in ${name}`}${at}`;
    case 'package':
      return `${most} in ${packageWords(name)}${line === null ? '' : `, from line ${line}`}`;
    case 'loop':
      return `its own loop${at}`;
    case 'recursion':
      return `it calls itself${name === null ? '' : ` through ${name}`}`;
    case 'allocation':
      return `it makes much garbage: ${most} is collection`;
    case 'manyCalls':
      return name === null ? 'many short calls below it' : `many short calls, in a loop of ${name}${at}`;
    case 'gc':
      return 'V8 collects garbage';
    case 'own':
      return 'its own code';
  }
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
 * Whether Node has the function in a form that does not wait, too. Of zlib's functions V8 has an inner name; these of
 * crypto work in the thread pool where they get a callback.
 */
function hasOtherForm(name: string): boolean {
  return (
    name.endsWith('Sync') ||
    /^(?:syncBufferWrapper|randomBytes|randomInt|signOneShot|verifyOneShot|diffieHellman)$/.test(name)
  );
}

/** The nearest own callers: `_exactFraction src/simplify.ts:12, called by simplify`; null where none is known. */
export function callersText({ callers }: Finding, analysis: Analysis): string | null {
  const [first, second] = callers.flatMap((id) => analysis.functions.functions[id] ?? []);
  if (first === undefined) return null;
  const above = second === undefined ? '' : `, below ${second.label}`;
  return `called by ${first.label} ${placeOf(first, analysis)}${above}`;
}

/** Who waits while it holds the loop. */
export interface WhoWaits {
  /** Number of tests; null where the recording knows no tests. */
  readonly tests: number | null;
  /** Routes such as `GET /users/:id`, in the order of time. */
  readonly routes: readonly string[];
}

/** Finds who waits for each finding. The routes of a server are read once for all of them. */
export function createWhoWaits(analysis: Analysis): (finding: Finding) => WhoWaits {
  const routes = operationRoutes(analysis);
  const knowsTests = analysis.streams.some(({ tests }) => tests !== null);
  return ({ operations }) => {
    const tests = new Set(operations.map((number) => analysis.operations[number]?.test ?? null));
    tests.delete(null);
    return {
      tests: knowsTests ? tests.size : null,
      routes: [...new Set(operations.flatMap((number) => [...(routes?.get(number) ?? [])]))],
    };
  };
}

/** `3 tests wait`, `GET /users/:id and 2 other routes wait`; null where nobody is known to. */
export function whoWaitsText({ tests, routes }: WhoWaits): string | null {
  const [first, ...others] = routes;
  if (first !== undefined) {
    const rest = others.length === 0 ? ' waits' : ` and ${plural(others.length, 'other route')} wait`;
    return `${first}${rest}`;
  }
  if (tests === null || tests === 0) return null;
  return `${plural(tests, 'test')} ${tests === 1 ? 'waits' : 'wait'}`;
}

/** What goes away with it: `removes 1.8 s of 12.2 s over the threshold`. */
function removesText({ removesUs }: Finding, { explainableUs }: Findings): string {
  return `removes ${duration(removesUs)} of ${duration(explainableUs)} over the threshold`;
}

/** Why findings are collapsed, with their counts: `seen once (50), few samples (12)`; null where none is. */
function closedText({ all }: Findings): string | null {
  const counts = closedReasons.map((reason) => ({
    reason,
    count: all.filter(({ closedBecause }) => closedBecause === reason).length,
  }));
  const some = counts.filter(({ count }) => count > 0).toSorted((a, b) => b.count - a.count);
  return some.length === 0 ? null : some.map(({ reason, count }) => `${reasonNames[reason]} (${count})`).join(', ');
}

/** Why a finding is collapsed. */
export const reasonNames: Readonly<Record<ClosedBecause, string>> = {
  once: 'seen once',
  fewSamples: 'few samples',
  firstCall: 'first call only',
  gc: 'garbage collection',
  waiting: 'asleep in no known call',
  test: 'test code',
  loading: 'loading',
  notAgain: 'not seen again',
};

/** The findings that are certain and remove little: `24 more, together 18 %`; null where there are none. */
function moreText({ all, explainableUs }: Findings): string | null {
  const more = all.filter(({ open, closedBecause, removesUs }) => !open && closedBecause === null && removesUs > 0);
  if (more.length === 0) return null;
  const removes = more.reduce((sum, { removesUs }) => sum + removesUs, 0);
  return `${more.length} more, together ${Math.round((100 * removes) / Math.max(1, explainableUs))} %`;
}

/** What a person reads of a finding: its cause and callers, what it removes and who waits, and what to do. */
export function findingSentences(finding: Finding, who: WhoWaits, analysis: Analysis): readonly string[] {
  const why = [causeText(finding, analysis), callersText(finding, analysis)].filter((text) => text !== null);
  const waits = [removesText(finding, analysis.findings), whoWaitsText(who)].filter((text) => text !== null);
  return [sentence(why.join(', ')), sentence(waits.join('; ')), nextAction(finding)];
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** What to do about a finding. */
export function nextAction({ cause, remedy }: Finding): string {
  if (remedy !== null) return remedyTexts[remedy].replaceAll('`', '');
  const { kind, name } = cause;
  return kind === 'syncCall' && name !== null && !hasOtherForm(name) ? onlyForm : actions[kind];
}

/** For a function of Node that computes on the loop in any case. */
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

/** What the verdict leaves out: `24 more, together 18 %; seen once (50), few samples (12).` Null where it is all. */
export function leftText(findings: Findings): string | null {
  const closed = closedText(findings);
  const parts = [moreText(findings), closed].filter((text) => text !== null);
  return parts.length === 0 ? null : `Not shown: ${parts.join('; ')}.`;
}

/** Said where something was long, and no finding is open. */
export const nothingToDo = 'Nothing to do here: what was long needs no action.';
