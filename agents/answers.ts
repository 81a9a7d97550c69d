import type { Analysis } from '../engine/analysis.ts';
import { furtherRuns } from '../engine/compare/runs/make-sure.ts';
import { type HotFunction, hotFunctions } from '../engine/hot-functions.ts';
import type { Finding } from '../engine/judge/findings/finding.ts';
import type { AnalysedRecording } from '../language-server/queries/file-annotations.ts';
import type { Figures } from '../protocol/figures.ts';
import { createWhereabouts, findingName, findingSentences, leftText, makeSureHint } from '../words/findings.ts';
import { duration, worstTime } from '../words/formats/figures.ts';
import { importedAt, placeText, shortPath } from '../words/places.ts';
import { blameName, blamesByName, isOfProgram, quietFactsOf, summaryOf } from '../words/summary.ts';
import { type Answer, data, dataNote, fitting } from './tools.ts';
import { explain } from './explain.ts';
import { PlacesNow } from './places-now.ts';

/** What was recorded last, and whether it still holds. */
export interface Status extends Answer {
  /** `npm test`, `npm test in packages/api`. */
  readonly recorded: string;
  /** ISO 8601; null where it is not known. */
  readonly startedAt: string | null;
  readonly failedWith?: number;
  /** The verdict in one sentence. */
  readonly verdict: string;
  readonly findings: number;
  readonly hotspots: number;
  /**
   * `shared`: other programs had the processor for a part of the time, which is in no figure. `busy`: for most of it, or
   * figures are estimates because of that.
   */
  readonly machine: 'quiet' | 'shared' | 'busy';
  readonly warnings: readonly string[];
  /** Files whose code is another one than ran. */
  readonly changedSince: readonly string[];
  /** Warnings and files that are left out. */
  readonly omitted: number;
}

async function status(recorded: AnalysedRecording, path: string): Promise<Status> {
  const { analysis } = recorded;
  const places = new PlacesNow(recorded);
  const summary = summaryOf(await places.analysis(), path);
  const { title, where, startedAt, failedWith, verdict, findingCount, hotspotCount, warnings } = summary;
  const changed = fitting(
    (await places.changedFiles()).map((file) => data(file, MAX_PLACE)),
    MAX_FILES,
  );
  const shown = warnings.slice(0, MAX_WARNINGS);
  return {
    recorded: data(where === '' ? title : `${title} in ${where}`, MAX_PLACE),
    startedAt,
    ...(failedWith === undefined ? {} : { failedWith }),
    verdict: data(verdict, MAX_SENTENCE),
    findings: findingCount,
    hotspots: hotspotCount,
    machine: machineOf(analysis),
    warnings: shown.map((text) => data(text, MAX_SENTENCE)),
    changedSince: changed.shown,
    omitted: changed.omitted + warnings.length - shown.length,
    data: dataNote,
    next: statusNext(analysis, { findingCount, hotspotCount, isChanged: changed.shown.length > 0 }),
  };
}

function statusNext(
  analysis: Analysis,
  found: { readonly findingCount: number; readonly hotspotCount: number; readonly isChanged: boolean },
): string {
  const open = analysis.findings.all.filter((finding) => finding.open);
  const shown = open.length > 0 ? open : hotFunctions(analysis);
  if (isBusy(analysis) && shown.length > 0 && shown.every(({ estimated }) => estimated)) return measureAgain;
  if (found.findingCount > 0) return 'findings';
  if (found.hotspotCount > 0) return 'hotspots';
  return found.isChanged ? 'profile again: the code has changed' : afterNothing(analysis);
}

/** What to do where no function of the program is long. */
function afterNothing(analysis: Analysis): string {
  if (analysis.findings.all.some(({ open }) => open)) return 'findings'; // Of a package.
  const facts = quietFactsOf(analysis);
  if (facts.isIncomplete) return 'profile again: not all was recorded';
  return facts.blame === null
    ? 'nothing to do: profile something that takes longer'
    : 'look at what blocks: no single function of yours does';
}

function isBusy(analysis: Analysis): boolean {
  return machineOf(analysis) === 'busy';
}

/** Only where the next step is to act on an estimate: other figures are without the waits for the processor. */
const measureAgain = 'measure again (profile) when the machine is quieter: do not fix by figures of a busy machine';

function machineOf({ warnings }: Analysis): Status['machine'] {
  const isEstimate = warnings.some(({ type }) => type === 'noProcessor' || type === 'lateSamples');
  const waits = warnings.find((warning) => warning.type === 'busyMachine');
  if (isEstimate || (waits !== undefined && waits.ran < waits.waited)) return 'busy';
  return waits === undefined ? 'quiet' : 'shared';
}

/** What would disappear if it were fixed, the largest part first. */
export interface FindingsAnswer extends Answer {
  readonly verdict: string;
  readonly findings: readonly FindingRow[];
  /** What is uncertain, or removes little; absent where nothing is left out. */
  readonly left?: string;
  readonly makeSure?: string;
  readonly machine: Status['machine'];
  readonly omitted: number;
}

interface FindingRow extends Row {
  /** Why it is slow, what disappears with it, and what to do. */
  readonly why: string;
}

/** A function, or what else held the event loop. */
interface Row {
  readonly name: string;
  /** Its hottest line as the file is now; null for code that is in no file. */
  readonly at: string | null;
  /** The longest hold of the event loop: `312 ms`, `≈312 ms` for an estimate. */
  readonly worst: string;
  /** How often it was over the threshold. */
  readonly times: number;
  /** Ways it was called; absent for packages. */
  readonly stacks?: number;
  readonly kind?: string;
  /** Present where its code is another one than was measured. */
  readonly changed?: true;
}

async function findings(recorded: AnalysedRecording, path: string): Promise<FindingsAnswer> {
  const places = new PlacesNow(recorded);
  const analysis = await places.analysis();
  const open = analysis.findings.all.filter((finding) => finding.open);
  const whoWaits = createWhereabouts(analysis);
  const rowOf = async (finding: Finding): Promise<FindingRow> => {
    const { subject } = finding;
    const name = findingName(finding, analysis);
    const row = await rowIn(places, name, subject.type === 'function' ? subject.functionId : null, finding);
    const imported = importedAt(analysis, name, (place) => placeText(place, analysis));
    const why = [...findingSentences(finding, whoWaits(finding), analysis), ...(imported === null ? [] : [imported])];
    return { ...row, why: data(why.join(' '), MAX_WHY) };
  };
  const { shown, omitted } = fitting(await Promise.all(open.slice(0, MAX_ROWS).map(rowOf)), MAX_FINDINGS);
  const further = analysis.recording.command === null ? null : furtherRuns(analysis);
  const { verdict, headline, blame } = summaryOf(analysis, path);
  const left = leftText(analysis.findings, headline === null ? blame?.name : '');
  return {
    verdict: data(verdict, MAX_SENTENCE),
    findings: shown,
    ...(left === null ? {} : { left: data(left, MAX_SENTENCE) }),
    ...(further === null ? {} : { makeSure: makeSureHint(further) }),
    machine: machineOf(analysis),
    omitted: omitted + Math.max(0, open.length - MAX_ROWS),
    data: dataNote,
    next: nextAfter(shown, analysis, 'hotspots: no finding is certain'),
  };
}

/** The next step after a list: for the first row that has a place or a reason, and whose code is as it was measured. */
function nextAfter(rows: readonly (Row | FindingRow)[], analysis: Analysis, otherwise: string): string {
  const next = rows.find((row) => row.changed === undefined && (row.at !== null || 'why' in row));
  const edited = rows.find(({ at }) => at !== null);
  if (next === undefined) return edited === undefined ? otherwise : `recheck ${edited.at ?? ''}: its code has changed`;
  if (isBusy(analysis) && next.worst.startsWith('≈')) return measureAgain;
  return next.at === null ? `follow the "why" of ${next.name}` : `explain ${next.at}`;
}

/** Which hotspots are asked for. */
export interface HotspotsAsked {
  readonly limit?: number | undefined;
  /** A file or a folder below the root; all where absent. */
  readonly path?: string | undefined;
}

/** The functions that held the event loop longest: application code first, then tests and first calls. */
export interface HotspotsAnswer extends Answer {
  readonly hotspots: readonly Row[];
  readonly machine: Status['machine'];
  readonly omitted: number;
}

async function hotspots(
  recorded: AnalysedRecording,
  { limit = MAX_FINDINGS, path }: HotspotsAsked,
): Promise<HotspotsAnswer> {
  const { analysis } = recorded;
  const places = new PlacesNow(recorded);
  const { functions } = analysis.functions;
  const own = hotFunctions(analysis).map(async (hot): Promise<Row> => {
    const row = await rowIn(places, functions[hot.functionId]?.label ?? '', hot.functionId, hot);
    const kind = kindOf(hot, analysis);
    return kind === null ? row : { ...row, kind };
  });
  const others = blamesByName(analysis)
    .filter(isOfProgram)
    .map((blame): Row => {
      const worst = worstTime({ worstUs: blame.worstUs, estimated: blame.estimated });
      const kind = blame.kind === 'own' ? 'no single one of your functions' : 'not one of your functions';
      return { name: data(blameName(blame)), at: null, worst, times: blame.count, kind };
    });
  const folder = shortPath(`${path ?? ''}/`, analysis.roots)
    .replaceAll('\\', '/')
    .replaceAll(/^\.\/|\/+$/g, '');
  const isWanted = ({ at }: Row): boolean => folder === '' || isBelow(at ?? '', folder);
  const all = [...(await Promise.all(own)), ...others].filter(isWanted);
  const { shown, omitted } = fitting(all, Math.min(MAX_ROWS, Math.max(1, limit)));
  const nothing = folder === '' ? afterNothing(analysis) : `hotspots without a path: ${whyNone(folder, analysis)}`;
  return {
    hotspots: shown,
    machine: machineOf(analysis),
    omitted,
    data: dataNote,
    next: nextAfter(shown, analysis, nothing),
  };
}

/** Why no hotspot is in a file or folder. */
function whyNone(folder: string, { functions: { functions }, roots, thresholdUs }: Analysis): string {
  const isThere = functions.some(
    ({ own, path }) => own && path !== null && isBelow(shortPath(path, roots).replaceAll('\\', '/'), folder),
  );
  const where = data(folder, MAX_PLACE);
  return isThere ? `nothing in ${where} took over ${duration(thresholdUs)}` : `no code in ${where} was seen`;
}

function isBelow(at: string, folder: string): boolean {
  return at === folder || at.startsWith(`${folder}/`) || at.startsWith(`${folder}:`);
}

function kindOf({ functionId, tone, firstTime }: HotFunction, { functions: { functions } }: Analysis): string | null {
  if (firstTime !== null) return firstTime.loads === null ? 'first call only' : 'loads modules';
  if (tone === 'background') return 'in a worker that nothing waits for';
  const role = functions[functionId]?.role;
  return role === 'test' ? 'test code' : role === 'built' ? 'built file' : null;
}

async function rowIn(places: PlacesNow, name: string, functionId: number | null, figures: Figures): Promise<Row> {
  const { at, isChanged } = functionId === null ? { at: null, isChanged: false } : await places.of(functionId);
  return {
    name: data(name),
    at: at === null ? null : data(at, MAX_PLACE),
    worst: worstTime(figures),
    times: figures.longCount,
    ...(functionId === null ? {} : { stacks: figures.distinctStacks }),
    ...(isChanged ? { changed: true } : {}),
  };
}

const MAX_ROWS = 50;
const MAX_FINDINGS = 10;
const MAX_FILES = 5;
const MAX_WARNINGS = 3;
/** In characters. */
const MAX_SENTENCE = 300;
const MAX_WHY = 380;
const MAX_PLACE = 160;

/** The questions of agents about a recording; `path` is its own. */
export const agentQuestions = {
  agentStatus: async (recorded: AnalysedRecording, path: string): Promise<Status> => status(recorded, path),
  agentFindings: async (recorded: AnalysedRecording, path: string): Promise<FindingsAnswer> => findings(recorded, path),
  agentHotspots: async (recorded: AnalysedRecording, asked: HotspotsAsked): Promise<HotspotsAnswer> =>
    hotspots(recorded, asked),
  agentExplain: explain,
  /** Id of the function that a place or a name means; null for none. */
  agentFunction: async (recorded: AnalysedRecording, typed: string): Promise<number | null> =>
    new PlacesNow(recorded).functionAt(typed),
};
