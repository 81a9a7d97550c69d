import { filePathOf } from '../engine/read/files/file-path.ts';
import type { AnalysedRecording } from '../language-server/queries/file-annotations.ts';
import { detailsOf, type FunctionDetails } from '../language-server/queries/function-details.ts';
import { toLine0 } from '../protocol/units.ts';
import {
  duration,
  functionFigures,
  hasWaited,
  labelWithPlace,
  totalTime,
  worstTime,
} from '../words/formats/figures.ts';
import { markedLines, partOf } from '../words/places.ts';
import { remediesFor } from '../words/remedies.ts';
import { type Answer, data, dataNote } from './tools.ts';
import { PlacesNow } from './places-now.ts';

/** One function: where its time goes, who calls it, and what helps. */
export interface Explanation extends Answer {
  readonly name: string;
  /** Its hottest line as the file is now; null for code that is in no file. */
  readonly at: string | null;
  /** `312 ms worst · 14 × >10 ms · 3 stacks`; null for a function that is not hot. */
  readonly figures: string | null;
  /** With what it calls, itself, and in collections. */
  readonly time: { readonly withCallees: string; readonly self: string; readonly total: string; readonly gc?: string };
  readonly doubt?: string;
  readonly changed?: true;
  /** Its hottest lines. `precision` is absent where the time is certainly that line's. */
  readonly lines: readonly {
    readonly at: string;
    readonly worst: string;
    readonly precision?: 'shared' | 'oneOf';
    readonly code: string;
  }[];
  /** The heaviest call paths, outermost first: `handler src/api.ts:3`. */
  readonly stacks: readonly { readonly worst: string; readonly path: readonly string[] }[];
  readonly cause?: string;
  /** What to do; `code` is whole, and has the names of the source. `page` is below docs/remedies. */
  readonly remedies: readonly { readonly text: string; readonly code?: string; readonly page?: string }[];
  readonly tests: readonly string[];
  readonly v8?: string;
  /** Lines and tests that are left out. */
  readonly omitted: number;
}

/** Null where no function of the recording is meant. */
export async function explain(recorded: AnalysedRecording, typed: string): Promise<Explanation | null> {
  const { analysis } = recorded;
  const places = new PlacesNow(recorded);
  const functionId = await places.functionAt(typed);
  const details = functionId === null ? null : detailsOf(await places.analysis(), functionId);
  if (functionId === null || details === null) return null;
  const { at, isChanged } = await places.of(functionId);
  const lines = await linesOf(recorded, places, functionId);
  const tests = [...new Set(details.tests)];
  const { hot, tiers, finding, presenceUs, isPresenceEstimated } = details;
  const presence = { worstUs: presenceUs, estimated: isPresenceEstimated };
  const doubt = doubtOf(details);
  const v8 = tiers === null ? [] : [...tiers.facts, ...(tiers.diagnosis === null ? [] : [tiers.diagnosis])];
  return {
    name: data(details.label),
    at: at === null ? null : data(at, MAX_PLACE),
    figures: hot === null ? null : functionFigures(hot, analysis.thresholdUs),
    time: {
      withCallees: worstTime(presence),
      self: duration(details.selfUs),
      total: totalTime(details.totalUs, presence),
      ...(details.gcUs > 0 ? { gc: duration(details.gcUs) } : {}),
    },
    ...(doubt === null ? {} : { doubt }),
    ...(isChanged ? { changed: true } : {}),
    lines: lines.shown,
    stacks: stacksOf(details),
    ...(finding === null ? {} : { cause: data([finding.cause, finding.routes ?? ''].filter(Boolean).join('; '), 200) }),
    remedies: remediesOf(recorded, functionId, details),
    tests: tests.slice(0, MAX_TESTS).map((name) => data(name, 120)),
    ...(v8.length === 0 ? {} : { v8: data(v8.join('. '), 300) }),
    omitted: lines.omitted + Math.max(0, tests.length - MAX_TESTS),
    data: dataNote,
    next: at === null ? 'change what calls it' : `change the code, then recheck ${data(at, MAX_PLACE)}`,
  };
}

/** In characters. */
const MAX_PLACE = 160;
const MAX_TESTS = 4;
const MAX_LINES = 4;
const MAX_FRAMES = 5;

function doubtOf({ hot, doubt, inferred, samples }: FunctionDetails): string | null {
  if (hot?.estimated !== true) return null;
  if (inferred) return 'an estimate: the profile does not say where operations end';
  if (doubt !== null) return 'an estimate: the machine was busy, the program waited, or recording took long';
  return `an estimate: ${samples} samples`;
}

async function linesOf(
  { analysis, texts }: AnalysedRecording,
  places: PlacesNow,
  functionId: number,
): Promise<{ readonly shown: Explanation['lines']; readonly omitted: number }> {
  const all = markedLines(analysis, functionId);
  const shown = await Promise.all(
    all.slice(0, MAX_LINES).map(async (hot) => {
      const { url, line, estimated, precision } = hot;
      const path = filePathOf(url, analysis.roots);
      const at = path === null ? null : await places.lineOf(functionId, path, toLine0(line));
      const text = texts.get(path ?? '')?.split('\n', line)[line - 1] ?? '';
      return {
        at: data(at ?? 'its code is gone', MAX_PLACE),
        worst: worstTime({ worstUs: partOf(hot, functionId), estimated }),
        ...(precision === 'exact' ? {} : { precision }),
        code: data(text.trim(), 160),
      };
    }),
  );
  return { shown, omitted: all.length - shown.length };
}

function stacksOf({ stacks }: FunctionDetails): Explanation['stacks'] {
  return stacks.map(({ frames, ...figure }) => ({
    worst: worstTime(figure),
    path: [
      ...(frames.length > MAX_FRAMES ? [`… ${frames.length - MAX_FRAMES} more`] : []),
      ...frames.slice(-MAX_FRAMES).map(({ label, place }) => data(labelWithPlace(label, place, ' '))),
    ],
  }));
}

function remediesOf(
  { analysis, texts }: AnalysedRecording,
  functionId: number,
  { hot, finding }: FunctionDetails,
): Explanation['remedies'] {
  const first = analysis.lines.find(({ decorated, functionIds }) => decorated && functionIds[0] === functionId);
  const path = first === undefined ? null : filePathOf(first.url, analysis.roots);
  const source = path === null ? undefined : texts.get(path);
  const waited = hot !== null && hasWaited(hot);
  const fn = analysis.functions.functions.find(({ id, url }) => id === functionId && url === first?.url) ?? null;
  const found =
    first === undefined || path === null || source === undefined || first.line < 1
      ? []
      : remediesFor({ source, path, line: toLine0(first.line), fn, waited, inCalls: first.inCalls });
  if (found.length === 0) return finding === null ? [] : [{ text: finding.next }];
  return found.map(({ text, fix, page }) => ({
    text: text.replaceAll('`', ''),
    ...(fix === null
      ? {}
      : {
          code: fix
            .split('\n')
            .map((line) => data(line, fix.length))
            .join('\n'),
        }),
    page,
  }));
}
