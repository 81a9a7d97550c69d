import { type AskedLine, type MatchedRemedy, matchRemedies } from '../engine/judge/remedies/remedies.ts';
import type { RemedyPage } from '../protocol/ids.ts';

/** What to do about a line, as Markdown, and the page with more. */
export interface Remedy extends MatchedRemedy {
  readonly text: string;
}

export function remediesFor(asked: AskedLine): readonly Remedy[] {
  return matchRemedies(asked).map((matched) => ({ ...matched, text: remedyTexts[matched.page] }));
}

const callback = 'A callback does not make it non-blocking.';

export const remedyTexts: Readonly<Record<RemedyPage, string>> = {
  'json-clone':
    'A deep clone by JSON writes and reads everything. Copy only what changes. `structuredClone` is slower for many small objects.',
  json: 'JSON of this size takes its time in one go. Send less of it, split it, or do it in a worker.',
  'key-derivation': 'The same function without `Sync` does this work in the thread pool.',
  compression: 'The same function without `Sync` compresses in the thread pool; streams do it piece by piece.',
  'child-processes': 'The loop waits for the other process. `spawn` and `execFile` do not.',
  files:
    'The loop waits for the disk. `node:fs/promises` does not make it wait. Read what never changes once, at start.',
  twins: 'This package has the same function without `Sync`, which leaves the loop free.',
  bcryptjs: `\`bcryptjs\` computes in JavaScript, on the loop. ${callback} The package \`bcrypt\` computes in the thread pool.`,
  'crypto-in-javascript': `This package computes in JavaScript, on the loop. ${callback} \`node:crypto\` does it in native code, many times as fast.`,
  'compression-in-javascript':
    'This package compresses in JavaScript, on the loop. `node:zlib` does it in the thread pool.',
  'regular-expressions':
    'A regular expression over long input can take time that grows with its square, or worse. Bound the input, and avoid repetitions within repetitions.',
  'late-loading': 'Loading a module here makes the first caller wait. Load it at start.',
  sorting: 'Sorting holds the loop until it is done. Sort once instead of in a loop, or keep the data sorted.',
  'growing-copies':
    'Each run of this line copies all that is there. In a loop that grows with the square: add to one list or object.',
  stacks: 'Capturing a stack costs far more than a line of log. Do it for errors alone.',
};
