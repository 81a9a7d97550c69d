import type { Analyzed } from '../../engine/analyze.ts';
import {
  type CompareOptions,
  compareRecordings,
  type CompareResult,
  type GivenSide,
} from '../../engine/compare/compare-recordings.ts';
import { outdatedBuild } from '../../engine/judge/hotspots/losses.ts';
import { diskWorld } from '../../recordings/disk-world.ts';
import { mixedCodeTexts } from '../../words/given-recordings.ts';
import { warningText } from '../../words/warnings/warning-text.ts';
import type { Output } from '../views/terminal.ts';

/** Collects which sources of the work tree changed since the builds that its runs ran. */
export class OutdatedRuns {
  readonly #texts = new Set<string>();

  /** `heads`: the recordings of the work tree; others are ignored. */
  add(file: string, { analysis: { changed, roots } }: Pick<Analyzed, 'analysis'>, heads: readonly string[]): void {
    if (!heads.includes(file)) return;
    for (const warning of outdatedBuild(changed.outdated, roots)) this.#texts.add(warningText(warning));
  }

  /** The result with a warning of them. */
  in(result: CompareResult): CompareResult {
    if (result.type !== 'compared') return result;
    const { comparison } = result;
    return { ...result, comparison: { ...comparison, warnings: [...comparison.warnings, ...this.#texts] } };
  }
}

/** Compares recordings of the work tree with others. Of these it says nothing: the code may have changed since they ran. */
export async function compareWithHead(
  base: GivenSide,
  head: GivenSide,
  options: CompareOptions,
): Promise<CompareResult> {
  const outdated = new OutdatedRuns();
  const onRead = async (file: string, read: Analyzed): Promise<void> => outdated.add(file, read, head.runs.flat());
  return outdated.in(await compareRecordings(base, head, diskWorld, { ...options, onRead }));
}

/** Whether runs did not run the code that is judged, or a side had several versions, so no figure is shown; says why. */
export function ranOtherCode({ comparison, mixedFiles }: ComparedRuns, { say }: Output): boolean {
  const sentences = [...mixedCodeTexts(mixedFiles), ...comparison.warnings];
  for (const sentence of sentences) say(sentence);
  return sentences.length > 0;
}

type ComparedRuns = Extract<CompareResult, { readonly type: 'compared' }>;
