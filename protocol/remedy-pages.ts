/** The pages of docs/remedies/ by their names without `.md`. The hover links to them, and the extension opens them. */
export const remedyPages = [
  'json-clone',
  'json',
  'key-derivation',
  'compression',
  'child-processes',
  'files',
  'twins',
  'bcryptjs',
  'crypto-in-javascript',
  'compression-in-javascript',
  'regular-expressions',
  'late-loading',
  'sorting',
  'growing-copies',
  'stacks',
] as const;

export type RemedyPage = (typeof remedyPages)[number];
