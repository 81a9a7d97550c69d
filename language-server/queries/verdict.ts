import type { Analysis } from '../../engine/analysis.ts';
import type { Finding } from '../../engine/judge/findings/finding.ts';
import type { FunctionInfo } from '../../engine/read/functions/function-table.ts';
import { furtherRuns } from '../../engine/compare/runs/make-sure.ts';
import { durationClassOf } from '../../protocol/figures.ts';
import type { FindingItem, Verdict } from '../../protocol/list-rows.ts';
import {
  causeText,
  callersText,
  createWhereabouts,
  findingName,
  findingSentences,
  leftText,
  mostIn,
  nextAction,
  reasonNames,
  type Whereabouts,
  whereText,
  makeSureRow,
} from '../../words/findings.ts';
import { rowFigures } from '../../words/formats/figures.ts';
import { nothingToDo } from '../../words/formats/quiet-verdict.ts';
import { placeOf, placeText } from '../../words/places.ts';
import { firstFinding, quietFactsOf } from '../../words/summary.ts';
import { importOf, shortPlace } from './hotspot-items.ts';
import { locate, locateHottestLine, whyNoLine } from './locate.ts';

/** What to fix; in one closed row what is uncertain or needs no action. */
export function verdictOf(analysis: Analysis, folders: readonly string[]): Verdict {
  const { all, longOperations } = analysis.findings;
  const whoWaits = createWhereabouts(analysis);
  const item = (finding: Finding): FindingItem => findingItem(finding, whoWaits(finding), analysis, folders);
  const further = analysis.recording.command === null ? null : furtherRuns(analysis);
  const nothingLeft = nothingToDo(quietFactsOf(analysis));
  return {
    findings: all.filter(({ open }) => open).map(item),
    closed: all
      .filter(({ open }) => !open)
      .slice(0, MAX_CLOSED)
      .map(item),
    fixed: [],
    left: leftText(analysis.findings),
    makeSure: further === null ? null : makeSureRow(further),
    nothingLeft,
    nothing: firstFinding(analysis) !== undefined || longOperations === 0 ? null : nothingLeft,
  };
}

/** Limit of listed closed findings. The list of all hotspots has each of their functions. */
const MAX_CLOSED = 50;

function findingItem(finding: Finding, who: Whereabouts, analysis: Analysis, folders: readonly string[]): FindingItem {
  const { subject, worstUs, closedBecause } = finding;
  const fn = subject.type === 'function' ? analysis.functions.functions[subject.functionId] : undefined;
  const { lead, place, location } = whereIs(finding, fn, analysis, folders);
  const { figure, rest: counts } = rowFigures(finding);
  const rest = subject.type === 'function' ? counts : counts.slice(0, 1); // A package has no stacks.
  const reason = closedBecause === null ? [] : [reasonNames[closedBecause]];
  const sentences = findingSentences(finding, who, analysis);
  return {
    functionId: fn?.id ?? -1,
    figure,
    label: findingName(finding, analysis),
    description: [...reason, ...rest, `${lead}${shortPlace(place)}`].filter((part) => part !== '').join(' · '),
    tooltip: [`${lead}${place}`, ...whyNoLine(analysis, fn?.id ?? -1), ...sentences]
      .filter((part) => part !== '')
      .join('\n'),
    class: durationClassOf(worstUs),
    tone: fn?.role === 'test' ? 'dim' : 'plain',
    worstUs,
    location,
    place,
    sentences,
  };
}

/** `lead`: the words before the place, which is `''` where there is none. */
interface FindingPlace extends Required<Pick<FindingItem, 'place' | 'location'>> {
  readonly lead: string;
}

/** The code that a finding leads to. `fn`: the function that it is named after, if there is one. */
function whereIs(
  finding: Finding,
  fn: FunctionInfo | undefined,
  analysis: Analysis,
  folders: readonly string[],
): FindingPlace {
  const { subject } = finding;
  if (fn !== undefined)
    return { lead: '', place: placeOf(fn, analysis), location: locateHottestLine(analysis, folders, fn.id) };
  if (subject.type === 'package') {
    const { place, location } = importOf(analysis, folders, subject.name);
    return { lead: place === '' ? '' : 'imported at ', place, location };
  }
  const most = mostIn(finding, analysis);
  if (most === null) return { lead: '', place: '', location: null };
  return { lead: 'most in ', place: placeText(most, analysis), location: locate(analysis, folders, most) };
}

/** Sentences without a full stop. */
export interface FindingTexts {
  /** `all of it in fraction.js`. */
  readonly cause: string;
  /** Null where it is unknown. */
  readonly callers: string | null;
  /** The routes in whose requests it runs; null where there are none. */
  readonly routes: string | null;
  /** What to do, if the line has no remedy. */
  readonly next: string;
}

/** The finding of a function; null where it is none, nor a part of one. */
export function findingOf(analysis: Analysis, functionId: number): FindingTexts | null {
  const { all } = analysis.findings;
  const own = all.find(({ subject }) => subject.type === 'function' && subject.functionId === functionId);
  const finding = own ?? all.find(({ parts }) => parts.some((part) => part.functionId === functionId));
  if (finding === undefined) return null;
  const { routes } = createWhereabouts(analysis)(finding);
  return {
    cause: causeText(finding, analysis),
    callers: callersText(finding, analysis),
    routes: routes.length === 0 ? null : whereText({ tests: null, routes }),
    next: nextAction(finding, analysis),
  };
}
