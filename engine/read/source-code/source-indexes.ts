import type { SourceIndex } from './source-index.ts';
import { onceEach } from '../../basics/once.ts';
import { plainUrl } from '../files/file-path.ts';

/** Indexes of sources, each made once, when it is first asked for. */
export class SourceIndexes {
  readonly #made = new Map<string, Promise<SourceIndex | null>>();
  /** The text that the url of a function stands for; null where it cannot be read. */
  readonly textOf: (url: string) => Promise<string | null>;

  /** `textOf` is `SourceMapper.textOf`. */
  constructor(textOf: (url: string) => Promise<string | null>) {
    this.textOf = onceEach(textOf);
  }

  /** Index of a source; null where the source cannot be read or parsed. */
  of(url: string): Promise<SourceIndex | null> {
    const known = this.#made.get(url);
    if (known !== undefined) return known;
    const made = this.#make(url);
    this.#made.set(url, made);
    return made;
  }

  async #make(url: string): Promise<SourceIndex | null> {
    const text = await this.textOf(url);
    if (text === null) return null;
    // It is loaded on demand: the parser is half of what the command line would load, and many profiles ask for no
    // source.
    const { indexSource } = await import('./index-source.ts');
    return indexSource(text, plainUrl(url));
  }
}
