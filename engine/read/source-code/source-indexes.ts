import type { SourceIndex } from './source-index.ts';
import { onceEach } from '../../basics/once.ts';
import { plainUrl } from '../files/file-path.ts';

/** Indexes of sources, each made once, on demand. */
export class SourceIndexes {
  /** The text behind the url of a function; null where it cannot be read. */
  readonly textOf: (url: string) => Promise<string | null>;

  constructor(textOf: (url: string) => Promise<string | null>) {
    this.textOf = onceEach(textOf);
  }

  /** Index of a source; null where the source cannot be read or parsed. */
  readonly of = onceEach(async (url: string): Promise<SourceIndex | null> => {
    const text = await this.textOf(url);
    if (text === null) return null;
    // Loaded on demand: the parser is half of what the command line would load, and many profiles ask for no source.
    const { indexSource } = await import('./index-source.ts');
    return indexSource(text, plainUrl(url));
  });
}
