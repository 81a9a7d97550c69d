import type { Column0, Line0 } from '../../protocol/units.ts';

/** Asks for the original of a place in a text that ran. Made by `engine/sourcemap/`; `noSourceMaps` for `--no-source-maps`. */
export interface SourceMapper {
  /** Null where no map knows the place. `url`, `line` and `column` as in a call frame. Never rejects. */
  readonly originalOf: (url: string, line: Line0, column: Column0) => Promise<OriginalPosition | null>;
}

export interface OriginalPosition {
  /** Absolute: a `file:` url, or whatever else the map names its source. */
  readonly url: string;
  readonly line: Line0;
  readonly column: Column0;
  /** The map's original name of the function; null where it has none. */
  readonly name: string | null;
}

export const noSourceMaps: SourceMapper = { originalOf: async () => null };
