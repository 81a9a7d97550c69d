import type { SourceIndex } from './source-index.ts';
import { onceEach } from '../../basics/once.ts';
import { plainUrl } from '../files/file-path.ts';

/** Indexes of texts, each made once, for several runs of the same code. */
export class IndexedTexts {
  readonly #indexes = new Map<string, Promise<SourceIndex | null>>();

  /** Null where the text cannot be parsed. `url` shows the language. */
  async of(text: string, url: string): Promise<SourceIndex | null> {
    const key = `${/\.\w+$/.exec(url)?.[0] ?? ''}\n${text}`;
    const known = this.#indexes.get(key) ?? indexOf(text, url);
    this.#indexes.set(key, known);
    return known;
  }
}

async function indexOf(text: string, url: string): Promise<SourceIndex | null> {
  // Loaded on demand: the parser is half of what the command line would load, and many profiles ask for no source.
  const { indexSource } = await import('./index-source.ts');
  return indexSource(text, url);
}

/** Indexes of sources, each made once, on demand. */
export class SourceIndexes {
  /** The text behind the url of a function; null where it cannot be read. */
  readonly textOf: (url: string) => Promise<string | null>;
  readonly #texts: IndexedTexts;

  constructor(textOf: (url: string) => Promise<string | null>, texts = new IndexedTexts()) {
    this.textOf = onceEach(textOf);
    this.#texts = texts;
  }

  /** Index of a source; null where the source cannot be read or parsed. */
  readonly of = onceEach(async (url: string): Promise<SourceIndex | null> => {
    const text = await this.textOf(url);
    return text === null ? null : this.#texts.of(text, plainUrl(url));
  });
}
