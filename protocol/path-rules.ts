/** A folder of the machine of the recording, and the folder here with the same files. Both are absolute. */
export interface PathRule {
  readonly from: string;
  readonly to: string;
}

export interface PathSuggestion {
  /** Number of own files in the recording that are not at their paths here. */
  readonly files: number;
  readonly found: number;
  /** The rules that find the most files, best first; at least one. */
  readonly rules: readonly PathRule[];
  /** Other folders here that may match the first rule; empty where texts decide it. */
  readonly others: readonly string[];
}

/** Whether a text is an absolute path of any system with a folder, or a `file:` url of one: the begin of a rule. */
export function isFolderThere(text = ''): boolean {
  return /^(?:file:\/\/)?(?:\/(?:[a-z]:[\\/])?|[a-z]:[\\/])[^\\/]/i.test(text);
}
