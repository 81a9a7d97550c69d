import { DiffFlame } from '../../show/diff-flame/diff-flame.ts';
import { type Diff, type DiffResult, readDiff } from '../../show/diff-flame/read-diff.ts';
import type { Progress } from '../../engine/read/isolates/load-isolates.ts';
import type { OpenDiffAnswer } from '../../protocol/requests.ts';
import { diskWorld } from '../../recordings/disk-world.ts';
import { describeFailure, refusalText } from '../../words/failures.ts';
import { diffVerdict } from '../../words/formats/diff-texts.ts';
import { commandTextIn } from '../../words/formats/command-text.ts';
import { rulesInside } from '../queries/rules-inside.ts';
import { locateFrame } from '../queries/locate.ts';
import { testRegex } from '../queries/test-regex.ts';
import { findPlace, textBefore } from '../queries/diff-places.ts';
import type { DiffQuestionName, DiffQuestions, OpenDiffInWorker } from './worker-protocol.ts';

/** Both sides of a diff, which answer questions. */
export interface OpenDiff {
  readonly diff: Diff;
  readonly flame: DiffFlame;
  /** Absolute paths of the folders that are open in the editor. */
  readonly folders: readonly string[];
}

/** Reads both sides. Progress counts recordings. */
export async function openDiff(
  { base, head, roots, options }: OpenDiffInWorker,
  onProgress: (progress: Progress) => void,
): Promise<{ readonly answer: OpenDiffAnswer; readonly diff: OpenDiff | null }> {
  const result = await readDiff({ base, head }, diskWorld, {
    ...options,
    pathRules: rulesInside(options.pathRules, roots),
    onRun: (done, total) => onProgress({ done, total, percent: Math.floor((100 * done) / total) }),
  });
  if (result.type !== 'read') return { answer: { type: 'failed', message: whyNot(result) }, diff: null };
  const { diff } = result;
  const title = titleOf(diff.recording) ?? 'two recordings';
  const runs = { base: base.length, head: head.length, order: diff.order };
  const answer = { type: 'opened', summary: { title, verdict: diffVerdict(runs) } } as const;
  return { answer, diff: { diff, flame: new DiffFlame(diff), folders: roots } };
}

function titleOf({ command, cwd }: Diff['recording']): string | null {
  return command === null ? null : commandTextIn(cwd, command);
}

function whyNot(result: Exclude<DiffResult, { readonly type: 'read' }>): string {
  return result.type === 'failed' ? describeFailure(result.failure) : refusalText(result.refusal);
}

export const diffAnswers: DiffAnswers = {
  flame: ({ flame }, query) => flame.answer(query, testRegex),
  search: ({ flame }, search) => flame.search(search, testRegex),
  locate: ({ folders }, place) => ('functionId' in place ? null : locateFrame(folders, place)),
  find: ({ diff }, place) => findPlace(diff, place),
  textBefore: ({ diff }, functionId) => textBefore(diff, functionId),
  textNow: ({ diff }, path) => diff.texts.head.get(path) ?? null,
};

type DiffAnswers = {
  readonly [Name in DiffQuestionName]: (
    open: OpenDiff,
    asked: DiffQuestions[Name]['asked'],
  ) => DiffQuestions[Name]['answer'];
};
