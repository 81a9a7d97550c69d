/** Why nothing could be analyzed. */
export type AnalyzeFailure =
  | { readonly type: 'cancelled' }
  | { readonly type: 'notFound'; readonly path: string }
  /** A folder without any profile. */
  | { readonly type: 'nothingRecorded'; readonly path: string }
  /** No file could be read; `reasons` are whole sentences, one a file. */
  | { readonly type: 'allDamaged'; readonly reasons: readonly string[] };

/** What is wrong and what to do, in a sentence. */
export function describeFailure(failure: AnalyzeFailure): string {
  if (failure.type === 'cancelled') return 'The analysis was cancelled.';
  if (failure.type === 'allDamaged') return damagedSentence(failure.reasons);
  return failure.type === 'notFound'
    ? `${failure.path} is not there: give a recording folder, a .cpuprofile file, or a folder of them.`
    : `${failure.path} holds no CPU profile: no Node.js program ran, or all were killed; record again.`;
}

function damagedSentence([first = 'Nothing can be read.', ...others]: readonly string[]): string {
  if (others.length === 0) return first;
  return `${first} The other ${others.length === 1 ? 'file' : `${others.length} files`} cannot be read either.`;
}
