import { maxOf } from '../protocol/figures.ts';
import { isIncomplete, unseenTimes } from '../engine/judge/hotspots/losses.ts';
import type { Analysis } from '../engine/analysis.ts';
import type { Blame } from '../engine/judge/hotspots/judged-run.ts';
import { duration, plural, timeText, upTo, waitedAndRan, labelWithPlace } from './formats/figures.ts';
import { nothingToDo, quietVerdict, shortCallsBlock } from './formats/quiet-verdict.ts';
import { commandTextIn } from './formats/command-text.ts';
import type { BlameKind } from '../protocol/report.ts';
import { estimatesText } from './order-and-doubt.ts';
import type { Headline, NamedTime, Summary, SummaryBlame } from '../protocol/summary.ts';
import { type Microseconds, microseconds } from '../protocol/units.ts';
import { type HotFunction, hotFunctions } from '../engine/hot-functions.ts';
import { findingName, reasonNames } from './findings.ts';
import { importedAt, placeOf, placeText, shortPath } from './places.ts';
import { isRecorder } from '../engine/read/files/file-path.ts';
import { isAtOrBelow, isInside } from '../protocol/path-spelling.ts';
import type { WorstFigure } from '../protocol/figures.ts';
import { groupBy } from '../engine/basics/lists.ts';
import { bareRuns } from '../engine/cut/operations/cut-run.ts';
import { type BlamedOperation, blamedOperations, longBlames, worstBlamed } from '../engine/judge/hotspots/blame.ts';
import { givenTexts, warningTexts } from './given-recordings.ts';
import { type Finding, isUncertain } from '../engine/judge/findings/finding.ts';

/** A recording in short, for the status bar, the messages and the head of the page; `without` some functions. */
export function summaryOf(whole: Analysis, recording: string, without: ReadonlySet<number> = noFunctions): Summary {
  const analysis = without.size === 0 ? whole : withoutFindings(whole, without);
  const all = hotFunctions(analysis).filter(({ functionId }) => !without.has(functionId));
  const hot = all.filter(({ firstTime }) => typeof firstTime?.loads !== 'string');
  const loading = new Set(all.filter((fn) => !hot.includes(fn)).map(({ functionId }) => functionId));
  const { several } = analysis;
  const isTiers = analysis.streams.some(({ tiered }) => tiered !== null);
  const waited = hot.filter(({ tone }) => tone !== 'background');
  const { functions } = analysis.functions;
  // Application code comes before tests.
  const worstHot = waited.find(({ functionId }) => functions[functionId]?.role === 'app') ?? waited[0];
  const worst = worstHot === undefined ? null : named(analysis, worstHot.functionId, worstHot);
  const first = firstFinding(analysis);
  const headline = several?.takenFor === 'runs' ? worst : first === undefined ? null : headlineOf(first, analysis, hot);
  const longest = longestOf(analysis, loading);
  const facts = {
    ...{ headline, worst, longest, hotspotCount: hot.length, isUnseen: isUnseen(analysis) },
    ...quietFactsOf(analysis),
    opensAt: opensAt(first, worst),
    findingCount: analysis.findings.all.filter(({ open }) => open).length,
    isForeign: hot.length === 0 && isForeign(analysis),
    thresholdUs: analysis.thresholdUs,
  };
  return {
    recording,
    more: (several?.paths ?? []).filter((path) => path !== recording),
    title: `${isTiers ? 'V8 tiers of ' : ''}${titleOf(analysis, recording)}`,
    where: whereOf(analysis, recording),
    startedAt: analysis.recording.startedAt,
    ...facts,
    verdict: `${verdictOf(facts, waited.length)}${builtSentence(analysis, worst)}${importSentence(analysis, facts)}`,
    isTiers,
    warnings: [...givenTexts(several), ...warningTexts(analysis), estimatesText(analysis) ?? []].flat(),
  };
}

const noFunctions: ReadonlySet<number> = new Set();

function withoutFindings(analysis: Analysis, without: ReadonlySet<number>): Analysis {
  const stays = ({ subject }: Finding): boolean => subject.type !== 'function' || !without.has(subject.functionId);
  const { findings } = analysis;
  return { ...analysis, findings: { ...findings, all: findings.all.filter(stays) } };
}

/** What was run; of several runs, how often. */
function titleOf({ recording: { command, cwd }, several }: Analysis, recording: string): string {
  const name = (command === null ? null : commandTextIn(cwd, command)) ?? recording.replace(/^.*[/\\]/s, '');
  return several?.takenFor === 'runs' ? `${name}, ${plural(several.paths.length, 'run')}` : name;
}

/** The folder in which the command ran; of a foreign profile, its own folder. */
function whereOf({ recording: { command, cwd }, roots }: Analysis, recording: string): string {
  const folder = command === null && isProfile.test(recording) ? recording.replace(/[/\\][^/\\]*$/, '') : cwd;
  return folder === null ? '' : shortPath(`${folder}/`, roots).replace(/[/\\]$/, '');
}

const isProfile = /\.(?:cpuprofile|json|log|gz)$/i;

/** Shells end with 128 and more after a signal, which is not a failure. */
function failureOf(exitCode: number): Pick<Summary, 'failedWith'> {
  return exitCode > 0 && exitCode < 128 ? { failedWith: exitCode } : {};
}

/** The longest presence of an own function that does not only load modules. */
function longestOf(analysis: Analysis, loading: ReadonlySet<number>): NamedTime | null {
  const own = analysis.functions.functions.filter((fn) => fn.own && !fn.moduleBody && !loading.has(fn.id));
  const app = own.filter(({ role }) => role === 'app');
  const longest = (app.length > 0 ? app : own)
    .map(({ id }) => ({ id, us: analysis.figures[id]?.presence.worst ?? 0 }))
    .reduce((found, fn) => (fn.us > found.us ? fn : found), { id: -1, us: 0 });
  const presence = analysis.figures[longest.id]?.presence;
  if (presence === undefined) return null;
  const { worst: worstUs, estimated, runs } = presence;
  const tone = app.length > 0 ? 'plain' : 'dim';
  return named(analysis, longest.id, { worstUs, estimated, tone, ...(runs === undefined ? {} : { runs }) });
}

function named(
  analysis: Analysis,
  functionId: number,
  { worstUs: us, estimated, tone, waited = null, runs }: WorstFigure & Pick<NamedTime, 'tone'>,
): NamedTime | null {
  const fn = analysis.functions.functions[functionId];
  if (fn === undefined) return null;
  const time = { us, estimated, tone, ...(waited === null ? {} : { waited }), ...(runs === undefined ? {} : { runs }) };
  return { functionId, label: fn.label, place: placeOf(fn, analysis), ...time };
}

/** What needs no finding to be said: the largest blame, and that the verdict may not hold for the whole program. */
export function quietFactsOf(
  analysis: Analysis,
): Pick<Summary, 'blame' | 'isIncomplete' | 'isUncertain' | 'firstCall' | 'failedWith'> {
  const { exitCode } = analysis.recording;
  const { all } = analysis.findings;
  const [first] = all.filter(isFirstCall).toSorted((a, b) => b.worstUs - a.worstUs);
  return {
    blame: blameOf(analysis),
    isIncomplete: isIncomplete(analysis),
    isUncertain: !all.some(({ open }) => open) && firstUncertain(analysis) !== undefined,
    ...(first === undefined ? {} : { firstCall: firstCallOf(first, analysis) }),
    ...failureOf(exitCode ?? 0),
  };
}

function isFirstCall({ closedBecause }: Finding): boolean {
  return closedBecause === 'firstCall';
}

function firstCallOf(finding: Finding, analysis: Analysis): NonNullable<Summary['firstCall']> {
  const { worstUs: us, estimated } = finding;
  return { label: findingName(finding, analysis), place: placeOfFinding(finding, analysis), us, estimated };
}

/** The largest blame of long operations, on event loops that something waits for. */
function blameOf(analysis: Analysis): Summary['blame'] {
  const blames = blamedOperations(analysis).filter(({ blame }) => isOfProgram(blame));
  if (blames.length === 0) return unseenOf(analysis) ?? bareOf(analysis, analysis.thresholdUs);
  const long = blamesByName(analysis).filter(isOfProgram);
  const [worst] = long;
  if (worst === undefined) return mixOf(blames, analysis.thresholdUs);
  const isOwn = worst.kind === 'own';
  const own = isOwn ? undefined : long.find(({ kind }) => kind === 'own');
  const shortCalls = own === undefined ? {} : { shortCalls: figuresOf(own) };
  return { isOwn, name: blameName(worst), ...figuresOf(worst), ...shortCalls };
}

function figuresOf({ worstUs, estimated, count, runs }: NamedBlame): NonNullable<SummaryBlame['shortCalls']> {
  return { worstUs, estimated, count, ...(runs === undefined ? {} : { runs }) };
}

/** What is blamed for long operations: the longest of them, and their number. Of several runs, the medians. */
export interface NamedBlame extends Pick<Blame, 'kind' | 'name'>, NonNullable<SummaryBlame['shortCalls']> {}

/** What held the loop beside culprits, by name, the longest first. */
export function blamesByName(analysis: Analysis): readonly NamedBlame[] {
  const { several } = analysis;
  if (several?.takenFor === 'runs') return several.blames.toSorted((a, b) => b.worstUs - a.worstUs);
  return namedBlames(longBlames(analysis));
}

/** These operations by the name of their blame, the longest first. */
export function namedBlames(blamed: readonly BlamedOperation[]): readonly NamedBlame[] {
  const groups = groupBy(blamed, ({ blame }) => blameName(blame));
  return [...groups.values()]
    .flatMap((group): readonly NamedBlame[] => {
      const worst = worstBlamed(group);
      if (worst === undefined) return [];
      const { blame, estimated } = worst;
      return [{ ...blame, worstUs: blame.us, estimated, count: group.length }];
    })
    .toSorted((a, b) => b.worstUs - a.worstUs);
}

/** The blame for long operations in which no single function or package is over the threshold. */
function mixOf(blames: readonly BlamedOperation[], thresholdUs: Microseconds): Summary['blame'] {
  const [worst] = blames.toSorted((a, b) => b.durationUs - a.durationUs);
  if (worst === undefined) return null;
  const name = `a mix of work (mostly ${blameName(worst.blame)}, none alone over ${duration(thresholdUs)})`;
  return { isOwn: false, name, worstUs: worst.durationUs, estimated: worst.estimated, count: blames.length };
}

/** In the place of a name. */
export const unseenWork = 'work that no sample shows';

/** The blame for time that no sample shows, as on a machine that is too busy. */
function unseenOf(analysis: Analysis): Summary['blame'] {
  const times = unseenTimes(analysis);
  if (times.length === 0) return null;
  return { isOwn: false, name: unseenWork, worstUs: microseconds(maxOf(times)), estimated: false, count: times.length };
}

/** The blame for long runs of samples in which no JavaScript was seen, and which are therefore no operations. */
export function bareOf(analysis: Analysis, limitUs: Microseconds): Summary['blame'] {
  const long = bareRuns(analysis).filter(({ us }) => us > limitUs);
  const [worst] = long.toSorted((a, b) => b.us - a.us);
  if (worst === undefined) return null;
  const name = `${kindNames[worst.isGc ? 'gc' : 'native']} without any JavaScript`;
  return { isOwn: false, name, worstUs: worst.us, estimated: true, count: long.length };
}

/** Whether a blame concerns the program: nothing waits for its start-up or for the test runner. */
export function isOfProgram({ kind }: Pick<Blame, 'kind'>): boolean {
  return kind !== 'loading' && kind !== 'runner';
}

const kindNames: Readonly<Record<BlameKind, string>> = {
  own: 'short calls of your own code',
  package: 'a package',
  loading: 'loading of modules',
  runner: 'the test runner',
  other: 'code outside of the workspace',
  node: 'Node.js itself',
  gc: 'garbage collection',
  native: 'native code',
};

/** `bcryptjs`, `loading of modules`. */
export function blameName({ kind, name }: Pick<Blame, 'kind' | 'name'>): string {
  return kind === 'package' ? name : kindNames[kind];
}

/**
 * Whether a recording has files or pages, none of which, dependencies included, is in the workspace. Packages may be linked
 * from elsewhere: if only packages and the recorder were seen, the command's folder decides.
 */
export function isForeign({ functions, roots, recording: { cwd } }: Analysis): boolean {
  // Node transforms TypeScript by its own WebAssembly, which is not a file.
  const written = functions.functions.filter(({ path, url }) => path !== null || /^(?!wasm:)[\w+.-]+:\/\//.test(url));
  const isHere = written.some(({ path }) => path !== null && isInside(path, roots));
  const ranHere = cwd !== null && roots.some((root) => isAtOrBelow(cwd, root));
  const isInstalled = written.every(({ kind, path }) => kind === 'dependency' || kind === 'runner' || isRecorder(path));
  return written.length > 0 && !isHere && !(ranHere && isInstalled);
}

/** Whether a sample is of own code. */
export function hasOwnCode({ functions }: Pick<Analysis, 'functions'>): boolean {
  return functions.functions.some(({ own }) => own);
}

/**
 * Whether own code did not run, as in a command that failed at its start, or a replayed cache. Where no sample was taken
 * it may have.
 */
export function isUnseen(analysis: Analysis): boolean {
  return !showsProgram(analysis) && unseenTimes(analysis).length === 0;
}

/** Whether own code was seen, or packages were, beside which it may be too short to be seen. */
export function showsProgram(analysis: Analysis): boolean {
  return hasOwnCode(analysis) || blamedOperations(analysis).some(({ blame }) => blame.kind === 'package');
}

type Facts = Parameters<typeof quietVerdict>[0] &
  Parameters<typeof nothingToDo>[0] &
  Pick<Summary, 'headline' | 'worst' | 'isForeign' | 'isUnseen' | 'opensAt'>;

/** The verdict in one sentence. `waited`: the number of hotspots on event loops that something waits for. */
function verdictOf(facts: Facts, waited: number): string {
  const { headline, worst, blame, opensAt: functionId } = facts;
  if (facts.isForeign) return 'No file of this profile is in this workspace. The flamegraph shows it all.';
  if (worst !== null) {
    const figure = figureText(headline ?? worst, waited);
    if (headline !== null) return figure;
    const isSaid = !facts.isUncertain && facts.firstCall?.label === worst.label;
    return isSaid ? nothingToDo(facts) : `${nothingToDo(facts)} ${figure}`;
  }
  if (headline !== null && functionId !== null && blame?.isOwn === true) {
    const { us: worstUs, estimated } = headline;
    return `${shortCallsBlock}: ${upTo({ ...blame, worstUs, estimated }, ' in one go')}, in ${withPlace(headline)}.`;
  }
  if (headline !== null && headline.label !== blame?.name) return figureText(headline, waited);
  if (!facts.isUnseen || blame?.isOwn === true) return quietVerdict(facts);
  const without = blame === null ? '' : ` Without it, ${blame.name} blocks ${upTo(blame)}.`;
  return `None of your code was seen in this run.${without}`;
}

/** `24 ms worst in parse, src/rules.ts:13 · 3 hotspots`. */
function figureText(time: Headline, hotspots: number): string {
  const parts = [
    withPlace(time),
    ...waitedAndRan({ ...time, worstUs: time.us }),
    ...(time.doubt === undefined ? [] : [time.doubt]),
    ...(hotspots === 0 ? [] : [plural(hotspots, 'hotspot')]),
  ];
  return `${timeText(time)} worst in ${parts.join(' · ')}`;
}

function withPlace({ label, place }: Headline): string {
  return labelWithPlace(label, place);
}

/** Added if only built files hold the loop. */
function builtSentence({ functions }: Analysis, worst: NamedTime | null): string {
  const isBuilt = functions.functions[worst?.functionId ?? -1]?.role === 'built';
  return isBuilt ? ' · in built files: build with source maps to see your own lines' : '';
}

/** The own lines that import the package of the verdict. */
function importSentence(analysis: Analysis, { worst, blame, isForeign }: Facts): string {
  const imported =
    worst !== null || blame === null || isForeign
      ? null
      : importedAt(analysis, blame.name, (place) => placeText(place, analysis));
  return imported === null ? '' : ` It is ${imported}.`;
}

/** A finding with its own worst, and why it is uncertain. */
function headlineOf(finding: Finding, analysis: Analysis, hot: readonly HotFunction[]): Headline {
  const { subject, parts, worstUs: us, estimated, closedBecause } = finding;
  const alone = parts.length === 0 && subject.type === 'function' ? subject.functionId : null;
  const waited = hot.find(({ functionId }) => functionId === alone)?.waited ?? null;
  return {
    label: findingName(finding, analysis),
    place: placeOfFinding(finding, analysis),
    ...{ us, estimated, tone: 'plain' },
    ...(waited === null ? {} : { waited }),
    ...(closedBecause === null ? {} : { doubt: reasonNames[closedBecause] }),
  };
}

/**
 * Id of the function that the flamegraph opens at: that of the first finding, else the worst culprit. Null for a package,
 * whose frames are folded.
 */
function opensAt(first: Finding | undefined, worst: NamedTime | null): number | null {
  if (first === undefined) return worst?.functionId ?? null;
  return first.subject.type === 'function' ? first.subject.functionId : null;
}

/** The first open finding; else the first uncertain one, if nothing else held the loop for longer. Several runs have none. */
export function firstFinding(analysis: Analysis): Finding | undefined {
  const open = analysis.findings.all.find((finding) => finding.open);
  const first = open ?? firstUncertain(analysis);
  return first === undefined || first.open || !isOutweighed(first, blameOf(analysis)) ? first : undefined;
}

/** The first finding in own code that more runs may confirm. */
function firstUncertain({ findings: { all }, functions: { functions } }: Analysis): Finding | undefined {
  return all.find(
    ({ subject, closedBecause }) =>
      isUncertain(closedBecause) && subject.type === 'function' && functions[subject.functionId]?.role !== 'test',
  );
}

/** Short calls of own code may be of the finding itself, which explains those of which it has half. */
function isOutweighed({ worstUs }: Finding, blame: SummaryBlame | null): boolean {
  return blame !== null && worstUs < (blame.isOwn ? blame.worstUs / 2 : blame.worstUs);
}

/** The place of the function; of a package, its first import in own code; `''` if unknown. */
function placeOfFinding({ subject }: Finding, analysis: Analysis): string {
  if (subject.type === 'package') {
    const [first] = analysis.packages.find(({ name }) => name === subject.name)?.imports ?? [];
    return first === undefined ? '' : placeText(first, analysis);
  }
  const fn = subject.type === 'function' ? analysis.functions.functions[subject.functionId] : undefined;
  return fn === undefined ? '' : placeOf(fn, analysis);
}
