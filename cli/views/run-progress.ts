import { type Output, plainText, showProgress } from './terminal.ts';

/** How far the runs of a command are. */
export interface RunProgress {
  /** `Run`, `Pair`. */
  readonly noun: string;
  /** Counted from 1. */
  readonly number: number;
  /** How many there are, as a number or as `at most 3`. */
  readonly of: number | string;
  /** What is run now, where the runs of one number differ; else null. */
  readonly what: string | null;
  /** Whether this is the first run of its number. */
  readonly isFirst: boolean;
  /** How long the runs that are left take together, in ms, this one included; null where nobody knows yet. */
  readonly leftMs: number | null;
}

/**
 * `Pair 2 of 3: main … about 40 s left`. At a terminal it replaces itself; elsewhere, as in the log of a CI job, there is
 * one line for each number.
 */
export function showRun(err: Output, progress: RunProgress): void {
  if (err.isTerminal) showProgress(err, plainText(progressText(progress)));
  else if (progress.isFirst) err.write(`hotspan: ${plainText(progressText({ ...progress, what: null }))}\n`);
}

function progressText({ noun, number, of, what, leftMs }: RunProgress): string {
  const name = what === null ? '' : `: ${what}`;
  return `${noun} ${number} of ${of}${name} …${leftMs === null ? '' : ` about ${timeText(leftMs)} left`}`;
}

function timeText(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  return seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
}
