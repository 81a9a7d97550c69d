import { duration, worstTime } from '../formats/figures.ts';
import type { Summary } from '../../protocol/requests.ts';

/** The message after a run in which no own line is over the threshold. Null where one is, because it is marked. */
export function resultMessage({
  worst,
  blame,
  longest,
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
    return `No single function of yours blocks, but short calls of your code together do: up to ${duration(blame.worstUs)} in one go (${blame.count} ×).`;
  }
  if (blame !== null) {
    return `Nothing in your own code, but ${blame.name} blocks up to ${duration(blame.worstUs)} (${blame.count} ×).`;
  }
  const nothing = `Nothing in your code blocks for more than ${duration(thresholdUs)}.`;
  if (longest === null) return nothing;
  const time = worstTime({ ...longest, worstUs: longest.us });
  return `${nothing} Longest: ${time}, ${longest.label}, ${longest.place}`;
}

export type ResultFacts = Pick<
  Summary,
  'worst' | 'blame' | 'longest' | 'thresholdUs' | 'isForeign' | 'isUnseen' | 'warnings'
>;

/** The message after a run of tests in which none was seen. */
export function emptyRunMessage({ name, file, exitCode }: EmptyRun): string {
  if (exitCode !== 0) return `No test was seen to run (${name}). The terminal says why.`;
  return file === null
    ? `No test was seen to run (${name}). Profile a file or another npm script instead.`
    : `No test was seen to run (${name}): its name may be made only while tests run. Profile the whole file instead.`;
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

/** What the person reads about an unexpected error. The rest of it is for the log. */
export function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  // The language client puts these words before the server's message.
  return message.replace(/^Request \S+ failed with message: /, '');
}
