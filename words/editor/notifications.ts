import { messageOf } from '../../protocol/failure.ts';
import { duration } from '../formats/figures.ts';
import { quietVerdict } from '../formats/quiet-verdict.ts';
import { escapeNotification, foundElsewhere, visible } from '../formats/foreign-text.ts';
import type { Summary } from '../../protocol/summary.ts';
import type { Microseconds } from '../../protocol/units.ts';
import type { PathRule, PathSuggestion } from '../../protocol/path-spelling.ts';

/** The message after a run in which no own line is over the threshold; null if one is, because it is marked. */
export function resultMessage(facts: ResultFacts): string | null {
  if (facts.worst !== null) return null;
  if (facts.isForeign)
    return 'No file of this profile is in this workspace. Open the folder that it was recorded in, or look at its flamegraph.';
  return facts.isUnseen
    ? ['None of your code was seen in this run.', ...facts.warnings.slice(0, 1)].join(' ')
    : quietVerdict(facts);
}

export type ResultFacts = Pick<
  Summary,
  'worst' | 'blame' | 'longest' | 'failedWith' | 'thresholdUs' | 'isForeign' | 'isUnseen' | 'isIncomplete' | 'warnings'
>;

/** After a run of tests in which no test was reported: none ran, or one that the recorder cannot see. */
export function emptyRunMessage({ name, file, exitCode }: EmptyRun): string {
  if (exitCode !== 0) return `No test was reported (${name}). The terminal says what ran.`;
  return file === null
    ? `No test was reported (${name}). Profile a file or another npm script instead.`
    : `No test was reported (${name}): its name may be made only while tests run. Profile the whole file instead.`;
}

/** If a test reached nothing that can be re-checked. */
export function nothingToRecheck(test: string, thresholdUs: Microseconds): string {
  const over = duration(thresholdUs);
  return `In the result on screen, the test "${test}" reaches nothing of yours that blocks for more than ${over}: profile this test, or lower the threshold.`;
}

export interface EmptyRun {
  /** Name of the task. */
  readonly name: string;
  /** Absolute path of the test's file, if only one test was to run; else null. */
  readonly file: string | null;
  /** Undefined if unknown. */
  readonly exitCode: number | undefined;
}

export const nothingToUndo =
  'There is nothing to put back: the function is as it was measured, or where its code is now is not certain. Use Undo of the editor.';

/**
 * What the lens says while a re-check runs: `re-checking 1 of at least 6`, and the first answer, `157 → ≈9 ms, 1 run`. `said` is
 * what the command line has said of it, in order.
 */
export function recheckProgress(said: readonly string[]): string {
  const [pair] = said.flatMap((text) => /\d+ of (at least )?\d+/.exec(text)?.[0] ?? []).toReversed();
  const [early] = said.flatMap((text) => /^so far: (.*)/.exec(text)?.[1] ?? []);
  const rest = [pair, early === undefined ? undefined : `· ${early}`].filter((part) => part !== undefined).join(' ');
  return rest === '' ? 're-checking' : `re-checking ${rest}`;
}

/** The message where a task is started once more while it runs. */
export function alreadyRunning(task: string): string {
  return `“${escapeNotification(task)}” is running already: its result comes when it ends.`;
}

/** The message where a measurement is asked for while another one goes on. */
export function measuringAlready(other: string): string {
  return `“${escapeNotification(other)}” is running, and two measurements would disturb each other: wait for its end, or cancel it.`;
}

export const serverGivenUp =
  'Hotspan’s language server has ended five times within three minutes, so it is not started again by itself. What is marked stays, and nothing new is shown.';

export const serverEndedTwice =
  'Hotspan’s language server ended twice before it had an answer. It may have needed more memory than there is: record a shorter run, or with a longer interval.';

/** The message of an unexpected error; the rest of it is for the log. */
export function shownMessage(error: unknown): string {
  // The language client puts these words before the server's message.
  return messageOf(error).replace(/^Request \S+ failed with message: /, '');
}

/** Asks whether files of a recording are those here. `shown` shortens a path to one in the open folder. */
export function elsewhereQuestion(suggestion: PathSuggestion, shown: (folder: string) => string): string {
  const { rules, others } = suggestion;
  const where = `${foundElsewhere(suggestion)} in this folder under another path`;
  const [first] = rules;
  if (others.length > 0 && first !== undefined)
    return `${where}: ${visible(first.from, MAX_FOLDER)} may be ${others.length + 1} folders here. Which is it?`;
  return `${where}: ${rules.map((rule) => ruleText(rule, shown)).join(', ')}. Use it?`;
}

/** `/app → packages/api` */
export function ruleText({ from, to }: PathRule, shown: (folder: string) => string): string {
  return `${visible(from, MAX_FOLDER)} → ${visible(shown(to), MAX_FOLDER)}`;
}

/** In characters. */
const MAX_FOLDER = 200;
