import type { Analysis } from '../../engine/analysis.ts';
import { type HotFunction, hotFunctions } from '../../engine/hot-functions.ts';
import type { Finding } from '../../engine/judge/findings/finding.ts';
import { furtherRuns } from '../../engine/compare/runs/make-sure.ts';
import { makeSureHint } from '../../words/make-sure.ts';
import { createWhoWaits, findingSentences, findingName, leftText } from '../../words/findings.ts';
import { lineFigures, packageFigures } from '../../words/formats/figures.ts';
import { durationClassOf } from '../../protocol/figures.ts';
import { type HotspotView, hotspotView, type ViewOptions } from './hotspot-view.ts';
import { cut, shownPlace } from './shown-code.ts';
import { plainText } from './terminal.ts';

/** One row of the verdict: the function with its lines, and sentences about it. */
export interface FindingView extends HotspotView {
  /** Its cause and callers, who waits, and what to do. */
  readonly sentences: readonly string[];
}

export interface VerdictView {
  readonly findings: readonly FindingView[];
  /** What is not shown, with the reasons; null where all is. */
  readonly left: string | null;
  /** How to be sure of the uncertain ones, and what that costs; null where there are none, or nothing can run again. */
  readonly makeSure: string | null;
}

/** The verdict: the open findings, and what was left out. */
export function verdictView(analysis: Analysis, options: ViewOptions): VerdictView {
  const hot = new Map(hotFunctions(analysis).map((one) => [one.functionId, one]));
  const whoWaits = createWhoWaits(analysis);
  const findings = analysis.findings.all
    .filter(({ open }) => open)
    .flatMap((finding): readonly FindingView[] => {
      const view = viewOf(finding, hot, analysis, options);
      const sentences = findingSentences(finding, whoWaits(finding), analysis).map((text) =>
        cut(plainText(text), longestSentence),
      );
      return view === null ? [] : [{ ...view, sentences }];
    });
  const left = leftText(analysis.findings);
  const further = analysis.recording.command === null ? null : furtherRuns(analysis);
  return {
    findings,
    left: left === null ? null : plainText(left),
    makeSure: further === null ? null : makeSureHint(further),
  };
}

const longestSentence = 400;

function viewOf(
  finding: Finding,
  hot: ReadonlyMap<number, HotFunction>,
  analysis: Analysis,
  options: ViewOptions,
): HotspotView | null {
  const { subject, worstUs, longCount, distinctStacks, estimated } = finding;
  if (subject.type !== 'function') return packageView(finding, analysis, options);
  const fn = analysis.functions.functions[subject.functionId];
  if (fn === undefined) return null;
  const figures = { worstUs, longCount, distinctStacks, estimated };
  const alone = finding.parts.length === 0 ? hot.get(fn.id) : undefined;
  const shown: HotFunction = alone ?? {
    ...figures,
    functionId: fn.id,
    tone: 'plain',
    firstTime: null,
    totalUs: worstUs,
  };
  const view = hotspotView(shown, fn, analysis, options);
  if (alone !== undefined) return view;
  const label = cut(plainText(findingName(finding, analysis)));
  return { ...view, label, figures: lineFigures(figures, analysis.thresholdUs) };
}

function packageView(finding: Finding, analysis: Analysis, { sources }: ViewOptions): HotspotView {
  const name = findingName(finding, analysis);
  const found = analysis.packages.find((one) => one.name === name);
  const [first] = found?.imports ?? [];
  const { worstUs, longCount, estimated } = finding;
  const runs = found?.runs === undefined ? {} : { runs: found.runs };
  return {
    label: cut(plainText(name)),
    place: first === undefined ? 'no line of yours on the stack' : shownPlace(first, sources),
    figures: packageFigures({ worstUs, longCount, estimated, ...runs }, analysis.thresholdUs),
    class: durationClassOf(worstUs),
    tone: 'plain',
    role: 'app',
    isChanged: false,
    byClock: null,
    ran: null,
    tiers: [],
    lines: [],
  };
}
