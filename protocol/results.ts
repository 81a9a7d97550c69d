import type { NamedTime } from './summary.ts';

/** A result, and the recordings that it shows: one, or several together. */
export interface ResultParts {
  readonly target: string;
  readonly recordings: readonly string[];
}

/**
 * Whether a result leaves the screen when another one comes: the one of the same target does, and one that has a
 * recording of the new one, because no recording is shown twice.
 */
export function isReplacedBy(old: ResultParts, { target, recordings }: ResultParts): boolean {
  return old.target === target || old.recordings.some((one) => recordings.includes(one));
}

/**
 * Orders figures of several results by how much they matter, the worst first: what somebody waits for and is the
 * person's own and warm, then first times and tests, then workers; among these by time.
 */
export function byWeight(a: Weight, b: Weight): number {
  return a.tone === b.tone ? b.us - a.us : tones[a.tone] - tones[b.tone];
}

export type Weight = Pick<NamedTime, 'us' | 'tone'>;

const tones: Readonly<Record<NamedTime['tone'], number>> = { plain: 0, dim: 1, background: 2 };
