import { type CodeText, codeText } from '../../protocol/code-text.ts';

/**
 * The last texts that were read, because marks, lenses and hovers ask for the same ones: of a file the text that it has
 * now, and those that the results on screen have recorded.
 */
export class CodeTexts {
  /** By the path of a file for the text that it has now, else by the text. The one that was asked for longest ago is first. */
  readonly #known = new Map<string, { readonly path: string; readonly text: string; readonly code: CodeText }>();

  /** A recorded text of the file at `path`. */
  recorded(path: string, text: string): CodeText {
    return this.#read(text, path, text);
  }

  /** The text that the file has now. */
  now(path: string, text: string): CodeText {
    return this.#read(`now:${path}`, path, text);
  }

  #read(key: string, path: string, text: string): CodeText {
    const known = this.#known.get(key);
    const code = known?.text === text && known.path === path ? known.code : codeText(text, path);
    this.#known.delete(key);
    this.#known.set(key, { path, text, code });
    const [oldest] = this.#known.keys();
    if (this.#known.size > mostKept && oldest !== undefined) this.#known.delete(oldest);
    return code;
  }
}

const mostKept = 40;
