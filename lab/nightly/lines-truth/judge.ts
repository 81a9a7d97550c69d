import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { analyze } from '../../../engine/analyze.ts';
import type { Analysis } from '../../../engine/analysis.ts';
import { describeFailure } from '../../../words/failures.ts';
import { lineReasonText } from '../../../words/places.ts';
import { isList, numberOf, parseJson } from '../../../protocol/json-value.ts';
import { hotLines, type HotLine } from '../../../engine/judge/lines/hot-lines.ts';
import { SourceIndexes } from '../../../engine/read/source-code/source-indexes.ts';
import { filePathOf } from '../../../engine/read/files/file-path.ts';
import { diskWorld } from '../../../recordings/disk-world.ts';
import { mapsSuffix } from '../../../protocol/recording.ts';
import { milliseconds } from '../../../protocol/units.ts';
import type { Force } from './forced-program.ts';
import { openSourceMaps } from '../../../engine/read/texts/open-mappers.ts';

/**
 * What Hotspan says of a forced line: `right`, exactly this one; `marked`, this one as an estimate or as one of several;
 * `elsewhere`, only others, as estimates; `wrong`, another one exactly; `lost`, nothing.
 */
export type Verdict = 'right' | 'marked' | 'elsewhere' | 'wrong' | 'lost';

export interface Judged {
  readonly force: Force;
  readonly verdict: Verdict;
  /** `ledger.ts:12 exact, …`, and the reasons. */
  readonly said: string;
}

/** Compares the marks of each forced operation, taken alone, to the line that was forced. Forces that were too short for the threshold, or got hardly a sample, are left out. */
export async function judge(folder: string, recording: string, forces: readonly Force[]): Promise<readonly Judged[]> {
  const options = { thresholdUs: milliseconds(8), roots: [folder], sourceMaps: true };
  const result = await analyze([recording], diskWorld, options);
  if (result.type !== 'analyzed') throw new Error(describeFailure(result.failure));
  const linesOf = await linesByTime(result.analysis, recording);
  const judged: Judged[] = [];
  for (const [id, start, end] of truthIn(folder)) {
    const force = forces[id];
    if (force === undefined || heldIn(start, end, result.analysis) < 12_000) continue;
    if (samplesIn(start, end, result.analysis) < 8) continue;
    judged.push({ force, ...verdictOn(force, await linesOf(start, end), folder) });
  }
  return judged;
}

/** In µs, without what the program waited for a processor. */
function heldIn(start: number, end: number, { operations }: Analysis): number {
  const here = operations.filter((operation) => operation.start < end && operation.end > start);
  return here.reduce((most, { held }) => Math.max(most, held), 0);
}

/** On a busy machine the sampler gets no time either. */
function samplesIn(start: number, end: number, { streams }: Analysis): number {
  return Math.max(...streams.map(({ times }) => [...times].filter((time) => time >= start && time < end).length));
}

/** The marks of the operations between two times, as if nothing else had been recorded. */
async function linesByTime(
  analysis: Analysis,
  recording: string,
): Promise<(start: number, end: number) => Promise<readonly HotLine[]>> {
  const maps = readdirSync(recording).filter((name) => name.endsWith(mapsSuffix));
  const mapper = await openSourceMaps(
    maps.map((name) => path.join(recording, name)),
    diskWorld,
    { roots: analysis.roots },
  );
  const indexes = new SourceIndexes((url) => mapper.textOf(url));
  return async (start, end) => {
    const inTime = analysis.ownParts.numbersOf((part) => {
      const operation = analysis.operations[analysis.ownParts.operationOf(part)];
      return operation !== undefined && operation.start < end && operation.end > start;
    });
    const ownParts = analysis.ownParts.picked(inTime);
    const culprits = new Map(Array.from(ownParts, (part) => [part.functionId, part.estimated]));
    const lines = await hotLines({ ...analysis, ownParts }, { mapper, indexes, isAttached: false });
    return lines
      .filter(({ decorated, functionIds }) => decorated && functionIds.some((id) => culprits.has(id)))
      .map((line) => (line.functionIds.some((id) => culprits.get(id) === true) ? asEstimate(line) : line));
  };
}

/** A figure with too few samples behind it has its `≈` from its function: its line may be right all the same, so it has no reason. */
function asEstimate(line: HotLine): HotLine {
  return line.precision === 'exact' ? { ...line, precision: 'shared', reason: null } : line;
}

function isOnlyFewSamples({ precision, reason }: HotLine): boolean {
  return precision === 'shared' && reason === null;
}

function whyNotExact(mark: HotLine): string {
  if (isOnlyFewSamples(mark)) return ' (few samples)';
  return mark.reason === null ? '' : ` (${lineReasonText(mark.reason)})`;
}

function verdictOn(
  { project, line }: Force,
  lines: readonly HotLine[],
  folder: string,
): { verdict: Verdict; said: string } {
  const file = path.join(folder, 'src', project === 'page' ? 'page.tsx' : `${project}.ts`);
  const isRight = (mark: HotLine): boolean => mark.line === line && filePathOf(mark.url) === file;
  const exact = lines.filter(({ precision }) => precision === 'exact');
  const said = lines.map((mark) => {
    const name = filePathOf(mark.url)?.startsWith(folder) === true ? path.basename(mark.url) : mark.url;
    return `${name}:${mark.line} ${mark.precision} ${mark.worst / 1000} ms${whyNotExact(mark)}`;
  });
  return { verdict: verdictOf(exact, lines, isRight), said: said.join(', ') };
}

function verdictOf(exact: readonly HotLine[], lines: readonly HotLine[], isRight: (mark: HotLine) => boolean): Verdict {
  if (exact.length > 0) return exact.every(isRight) ? 'right' : 'wrong';
  if (lines.length > 0 && lines.every((mark) => isRight(mark) && isOnlyFewSamples(mark))) return 'right';
  if (lines.length === 0) return 'lost';
  return lines.some(isRight) ? 'marked' : 'elsewhere';
}

function truthIn(folder: string): readonly (readonly [id: number, start: number, end: number])[] {
  const truth = parseJson(readFileSync(path.join(folder, 'truth.json'), 'utf8'));
  return (isList(truth) ? truth : [])
    .filter(isList)
    .map(([id, start, end]) => [numberOf(id, -1), numberOf(start, 0), numberOf(end, 0)]);
}
