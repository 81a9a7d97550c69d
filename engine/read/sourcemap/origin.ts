import type { Column0, Line0, Line1 } from '../../../protocol/units.ts';

/** Where a function of a script begins, according to V8. Module bodies begin at line 0, column 0 or less. */
export interface ScriptPosition {
  readonly line: Line0;
  readonly column: Column0;
  /** V8's name; `''` for an anonymous function. */
  readonly name: string;
}

/** What a source map says of a position. */
export type Origin =
  | OriginalPosition
  /** A bundler put the function around one module: it is the body of this source. */
  | { readonly type: 'module'; readonly url: string }
  /** A bundler put the function around all modules of its script. */
  | { readonly type: 'bundle' }
  /**
   * The text that ran is not the text of its file, which has no such place. So it is not known where it was written.
   */
  | { readonly type: 'lost' }
  /** The file that ran was deleted, and its source map with it. Its lines are those of a file that cannot be opened. */
  | { readonly type: 'gone' }
  /**
   * Nobody wrote the function: it is a compiler's helper in a script that has a map. Its line in the profile is not a
   * line of a source.
   */
  | { readonly type: 'helper' }
  /** There is no usable map: the script is what was written, as far as anybody knows. */
  | { readonly type: 'asWritten' };

/**
 * The function was written at this place. `url` is an absolute path, or a URL where the source is no file; `name` is
 * the original's.
 */
export interface OriginalPosition {
  readonly type: 'original';
  readonly url: string;
  readonly line: Line0;
  readonly column: Column0;
  readonly name: string;
}

/** A line of an original. */
export interface OriginalLine {
  readonly url: string;
  readonly line: Line1;
  /**
   * True where no map is sure of it: it was found by its words, or the map has only lines and leaves some of them out.
   */
  readonly isGuess: boolean;
}
