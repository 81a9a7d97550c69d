import { readFile, stat } from 'node:fs/promises';
import type { Analyzed } from '../../engine/analyze.ts';
import {
  type CompareOptions,
  compareRecordings,
  type CompareResult,
  type GivenSide,
} from '../../engine/compare/compare-recordings.ts';
import { outdatedBuild } from '../../engine/judge/hotspots/losses.ts';
import { isSameCode } from '../../engine/compare/match-functions.ts';
import { unpackText } from '../../engine/read/files/opened-file.ts';
import { keptTextLength } from '../../protocol/recording.ts';
import { type RanText, textsOfRun } from '../../recorder/launch/pairs/code-watch.ts';
import { ignoredAmong } from '../../recorder/launch/pairs/ignored-files.ts';
import { diskWorld } from '../../recordings/disk-world.ts';
import { readManifest } from '../../recordings/recording-folders.ts';
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
    return withWarning(result, ...this.#texts);
  }
}

function withWarning(result: CompareResult, ...texts: readonly string[]): CompareResult {
  if (result.type !== 'compared') return result;
  const { comparison } = result;
  return { ...result, comparison: { ...comparison, warnings: [...comparison.warnings, ...texts] } };
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
  const { warnings } = comparison; // They say why a side has several versions.
  const sentences = warnings.length > 0 ? warnings : mixedCodeTexts(mixedFiles);
  for (const sentence of sentences) say(sentence);
  return sentences.length > 0;
}

type ComparedRuns = Extract<CompareResult, { readonly type: 'compared' }>;

/** The recordings of runs in one work tree. */
interface RunsIn {
  readonly root: string;
  readonly recordings: readonly string[];
}

/**
 * Adds a warning if a build was written while the runs were made and read: a file that git ignores, and that ran with
 * other code than it has now. What the command itself builds differs in the base, too, or has the same code.
 */
export async function warnIfRebuilt(result: CompareResult, head: RunsIn, base: RunsIn | null): Promise<CompareResult> {
  const rebuilt = await rebuiltFiles(head);
  const byCommand = new Set(base === null || rebuilt.length === 0 ? [] : await rebuiltFiles(base));
  const file = rebuilt.find((one) => !byCommand.has(one));
  return file === undefined ? result : withWarning(result, changedFileText(file));
}

/** Paths below the root. A file that was not written since the first run is what ran, even where a loader compiled it. */
async function rebuiltFiles({ root, recordings }: RunsIn): Promise<readonly string[]> {
  const { startedAt } = (await readManifest(recordings[0] ?? '')) ?? {};
  const ran = (await Promise.all(recordings.map(textsOfRun))).flat();
  const ignored = await ignoredAmong(
    { root },
    ran.map(({ file }) => file),
  );
  const rebuilt: string[] = [];
  for (const { path, file } of ignored ?? []) {
    const { ctimeMs = 0 } = (await stat(path).catch(() => null)) ?? {};
    const now = ctimeMs < Date.parse(startedAt ?? '') ? null : await readFile(path, 'utf8').catch(() => null);
    const texts = await Promise.all(ran.map(async (one) => (one.file === path ? unpacked(one) : null)));
    if (now !== null && texts.some((text) => text !== null && !isSameCode(file, text, now))) rebuilt.push(file);
  }
  return rebuilt;
}

async function unpacked({ packed }: RanText): Promise<string | null> {
  const bytes = await readFile(packed).catch(() => null);
  return bytes === null ? null : unpackText(bytes, 4 * keptTextLength.ofFile);
}

/** Where a file changed while runs were made. */
export function changedFileText(file: string): string {
  return `No verdict: ${file} changed during the runs. Run it again, and do not edit files until it ends.`;
}
