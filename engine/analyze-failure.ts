/** Why nothing could be analyzed. */
export type AnalyzeFailure =
  | { readonly type: 'cancelled' }
  | { readonly type: 'notFound'; readonly path: string }
  /** A folder without any profile. */
  | { readonly type: 'nothingRecorded'; readonly path: string }
  /** No file could be read; `reasons` are whole sentences, one a file. */
  | { readonly type: 'allDamaged'; readonly reasons: readonly string[] };

/** What is wrong and what to do, in one sentence. */
export function describeFailure(failure: AnalyzeFailure): string {
  switch (failure.type) {
    case 'cancelled':
      return 'The analysis was cancelled.';
    case 'notFound':
      return `${failure.path} is not there: give a recording folder, a .cpuprofile file, or a folder of them.`;
    case 'nothingRecorded':
      return `${failure.path} holds no CPU profile: no Node.js program ran, or all were killed; record again.`;
    case 'allDamaged':
      return damagedSentence(failure.reasons);
  }
}

function damagedSentence([first = 'Nothing can be read.', ...others]: readonly string[]): string {
  if (others.length === 0) return first;
  return `${first} The other ${others.length === 1 ? 'file' : `${others.length} files`} cannot be read either.`;
}
