import { packIndex, unpackIndex } from './packed-index.ts';
import type { SourceIndex } from './source-index.ts';
import { onceEach } from '../../basics/once.ts';
import { plainUrl } from '../files/file-path.ts';
import type { KeptIndexes } from '../files/world.ts';

/** Indexes of texts, each made once, for several runs of the same code. */
export class IndexedTexts {
  readonly #indexes = new Map<string, Promise<SourceIndex | null>>();
  readonly #kept: KeptIndexes | null;

  constructor(kept: KeptIndexes | null = null) {
    this.#kept = kept;
  }

  /** Null where the text cannot be parsed. `url` shows the language. */
  async of(text: string, url: string): Promise<SourceIndex | null> {
    const language = /\.\w+$/.exec(url)?.[0] ?? '';
    const key = `${language}\n${text}`;
    const known = this.#indexes.get(key) ?? this.#indexOf(text, url, language);
    this.#indexes.set(key, known);
    return known;
  }

  async #indexOf(text: string, url: string, language: string): Promise<SourceIndex | null> {
    const kept = this.#kept?.read(text, language);
    const known = kept === undefined ? undefined : unpackIndex(kept);
    if (known !== undefined) return known;
    // Loaded on demand: the parser is half of what the command line would load, and many profiles ask for no source.
    const { indexSource } = await import('./index-source.ts');
    const index = indexSource(text, url);
    if (index === null) return null;
    const packed = packIndex(index);
    this.#kept?.write(text, language, packed);
    return unpackIndex(packed) ?? index;
  }
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
