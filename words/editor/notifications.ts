import { duration, upTo, worstTime, nothingBlocks } from '../formats/figures.ts';
import { escapeNotification } from '../formats/escape-markdown.ts';
import type { Summary } from '../../protocol/summary.ts';
import type { Microseconds } from '../../protocol/units.ts';
import type { PathRule, PathSuggestion } from '../../protocol/path-rules.ts';
import { visible } from '../formats/hidden-characters.ts';

/** The message after a run in which no own line is over the threshold. Null where one is, because it is marked. */
export function resultMessage({
  worst,
  blame,
  longest,
  failedWith,
  thresholdUs,
  isForeign,
  isUnseen,
  warnings,
}: ResultFacts): string | null {
  if (worst !== null) return null;
  if (isForeign)
    return 'No file of this profile is in this workspace. Open the folder that it was recorded in, or look at its flamegraph.';
  if (isUnseen) return ['None of your code was seen in this run.', ...warnings.slice(0, 1)].join(' ');
  if (blame?.isOwn === true) {
    return `No single function of yours blocks, but short calls of your code together do: ${upTo(blame, ' in one go')}.`;
  }
  if (blame !== null) {
    return `Nothing in your own code, but ${blame.name} blocks ${upTo(blame)}.`;
  }
  const nothing = nothingBlocks(thresholdUs, failedWith);
  if (longest === null) return nothing;
  const time = worstTime({ ...longest, worstUs: longest.us });
  return `${nothing} Longest: ${time}, ${longest.label}, ${longest.place}`;
}

export type ResultFacts = Pick<
  Summary,
  'worst' | 'blame' | 'longest' | 'failedWith' | 'thresholdUs' | 'isForeign' | 'isUnseen' | 'warnings'
>;

/** The message after a run of tests in which none was seen. */
export function emptyRunMessage({ name, file, exitCode }: EmptyRun): string {
  if (exitCode !== 0) return `No test was seen to run (${name}). The terminal says why.`;
  return file === null
    ? `No test was seen to run (${name}). Profile a file or another npm script instead.`
    : `No test was seen to run (${name}): its name may be made only while tests run. Profile the whole file instead.`;
}

/** The message where a test reached nothing that could be re-checked. */
export function nothingToRecheck(test: string, thresholdUs: Microseconds): string {
  const over = duration(thresholdUs);
  return `In the result on screen, the test "${test}" reaches nothing of yours that blocks for more than ${over}: profile this test, or lower the threshold.`;
}

/** A run of tests in which none was seen. */
export interface EmptyRun {
  /** Name of the task. */
  readonly name: string;
  /** Absolute path of the test's file, where only one test was to run; null where it was more. */
  readonly file: string | null;
  /** Undefined where it is not known. */
  readonly exitCode: number | undefined;
}

/** What the lens of a function says once later changes are compared with what runs now. */
export const baselineIsSet = 'this is the baseline';

/** The message where the code of a function cannot be put back. */
export const nothingToUndo =
  'There is nothing to put back: the function is as it was measured, or cannot be found. Use Undo of the editor.';

/** What the lens says while a re-check runs: `re-checking 2 of 3`. `text` is what the command line says of it. */
export function recheckProgress(text: string): string {
  const [pair] = /\d+ of \d+/.exec(text) ?? [];
  return pair === undefined ? 're-checking' : `re-checking ${pair}`;
}

/** The message where a task is started once more while it runs. */
export function alreadyRunning(task: string): string {
  return `“${escapeNotification(task)}” is running already: its result comes when it ends.`;
}

/** The message where the language server has ended so often that it is not started again by itself. */
export const serverGivenUp =
  'Hotspan’s language server has ended five times within three minutes, so it is not started again by itself. What is marked stays, and nothing new is shown.';

/** The message where the language server ended while it was asked something, and once more when it was asked again. */
export const serverEndedTwice =
  'Hotspan’s language server ended twice before it had an answer. It may have needed more memory than there is: record a shorter run, or with a longer interval.';

/** What the person reads about an unexpected error. The rest of it is for the log. */
export function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  // The language client puts these words before the server's message.
  return message.replace(/^Request \S+ failed with message: /, '');
}

/** The question whether files of a recording are those here. `shown` shortens a path here to one in the open folder. */
export function elsewhereQuestion(suggestion: PathSuggestion, shown: (folder: string) => string): string {
  const { files, found, rules, others } = suggestion;
  const many = files === 1 ? 'The file of this recording is' : `${found} of ${files} files of this recording are`;
  const where = `${many} in this folder under another path`;
  const [first] = rules;
  if (others.length > 0 && first !== undefined)
    return `${where}: ${visible(first.from, longest)} may be ${others.length + 1} folders here. Which is it?`;
  return `${where}: ${rules.map((rule) => ruleText(rule, shown)).join(', ')}. Use it?`;
}

/** `/app → packages/api` */
export function ruleText({ from, to }: PathRule, shown: (folder: string) => string): string {
  return `${visible(from, longest)} → ${visible(shown(to), longest)}`;
}

const longest = 200;
