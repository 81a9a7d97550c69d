/** A folder of the machine on which something was recorded, and the folder here that has the same files. Both are absolute. */
export interface PathRule {
  readonly from: string;
  readonly to: string;
}

/** Files of a recording that seem to be here under another path. */
export interface PathSuggestion {
  /** Number of the person's own files in the recording that are not at their paths here. */
  readonly files: number;
  /** Number of those that the rules find. */
  readonly found: number;
  /** The rules that find the most files, the best first; at least one. */
  readonly rules: readonly PathRule[];
  /** Other folders here that the first rule's folder may be; empty where its texts tell. */
  readonly others: readonly string[];
}

/** Whether a text is an absolute path of any system with at least one folder, or such a `file:` url: what a rule begins with. */
export function isFolderThere(text = ''): boolean {
  return /^(?:file:\/\/)?(?:\/(?:[a-z]:[\\/])?|[a-z]:[\\/])[^\\/]/i.test(text);
}
