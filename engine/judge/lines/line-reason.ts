import type { LineDoubt } from './line-shares.ts';

/**
 * Why the time of a line is not certain to be its own. `words/places.ts` makes the words of it. `callee` is the
 * label of a function.
 */
export type LineReason =
  | { readonly type: LineDoubt }
  /** The samples of the function are on this number of lines, and its time was split in their proportion. */
  | { readonly type: 'splitBySamples'; readonly lines: number }
  /** In these calls no line was sampled: the time was split as in the other calls of the function. */
  | { readonly type: 'splitAsElsewhere' }
  /** The time was split between a regular expression and the rest of the function, in proportion to the samples. */
  | { readonly type: 'splitFromRegExp' }
  /** The time is that of a regular expression, and this number of lines is known to use one. */
  | { readonly type: 'regExpOnLines'; readonly lines: number }
  /** V8 may have inlined a function that the line calls, and may have counted some of its samples at the line. */
  | { readonly type: 'mayBeInlined'; readonly callee: string }
  | CallReason
  /** The file was deleted before the program had ended, and no source map tells what it was made of. */
  | { readonly type: 'fileGone' }
  /** The source has no function at that place. */
  | { readonly type: 'functionNotThere' }
  /** No line is known to have the time. The line is the first one of the function, and its figures are the function's. */
  | { readonly type: 'wholeFunction' };

/** The time was spent in a function that the line may call. */
export interface CallReason {
  /**
   * `callOnLines`: the function may be called on several lines. `unnamedCallOnLines`: so may a function without a name.
   * `calledByAnotherName`: the source never calls the function by its name.
   */
  readonly type: 'callOnLines' | 'unnamedCallOnLines' | 'calledByAnotherName';
  readonly callee: string;
  readonly lines: number;
  /** True where V8's log would tell the line, had the code that ran not been Sparkplug's, which has no positions. */
  readonly withoutPositions: boolean;
}
