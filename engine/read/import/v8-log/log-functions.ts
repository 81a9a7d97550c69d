import { positionOf } from '../../../../protocol/json-value.ts';
import { boundedText } from '../../files/file-path.ts';
import type { ProfileFrame } from '../../samples/cpu-profile.ts';
import type { LogScript } from './log-scripts.ts';

/** The functions of a log, identified by `NAME URL:LINE:COLUMN`, whatever script or context they belong to. */
export class LogFunctions {
  /** The identifying text by function, escaped as in the log; for native functions the name. */
  readonly #texts: string[] = [];
  readonly #isNative: boolean[] = [];
  /** Number of the script, by function; `unknownScript`, or `severalScripts` for a function of evals. */
  readonly #scripts: number[] = [];
  /** Offset of the function in its script; −1 where it is not known. */
  readonly #starts: number[] = [];
  readonly #known = new Map<string, number>();
  readonly #knownNative = new Map<string, number>();
  readonly #bySfi = new Map<number, number>();

  /** `sfi` is the address of V8's `SharedFunctionInfo`: what V8 keeps for one function of one script. */
  add(given: string, sfi: number): number {
    const fn = this.#numberOf(boundedText(given), false);
    this.#bySfi.set(sfi, fn);
    return fn;
  }

  addNative(given: string): number {
    return this.#numberOf(boundedText(given), true);
  }

  /** Number of the function; −1 where it is not known. */
  ofSfi(sfi: number): number {
    return this.#bySfi.get(sfi) ?? -1;
  }

  moveSfi(from: number, to: number): void {
    const fn = this.#bySfi.get(from);
    if (fn === undefined) return;
    this.#bySfi.delete(from);
    this.#bySfi.set(to, fn);
  }

  /** Sets in which script a function is, and where. Two evals may have functions of one name at one place. */
  place(fn: number, script: number, start: number): void {
    const before = this.#scripts[fn] ?? unknownScript;
    const isFirst = before === unknownScript;
    if (isFirst || before === script) {
      this.#scripts[fn] = script;
      this.#starts[fn] = start;
    } else if (this.#starts[fn] !== start || isOfEval(this.#texts[fn] ?? '')) this.#scripts[fn] = severalScripts;
  }

  /** Forgets addresses, because the log of another isolate begins. */
  restart(): void {
    this.#bySfi.clear();
  }

  build(scripts: readonly LogScript[]): BuiltFunctions {
    const urls = scripts.map(({ url }) => url);
    for (const [fn, script] of this.#scripts.entries()) {
      const text = this.#texts[fn] ?? '';
      // The whole script is its first function, and has no name.
      if (urls[script] === null && text.startsWith(' ')) urls[script] = splitPlace(text).rest.slice(1);
    }
    const frames = this.#texts.map((text, fn) => {
      if (this.#isNative[fn] === true) return { functionName: text, url: '', line: -1, column: -1 };
      return frameOf(text, urls[this.#scripts[fn] ?? unknownScript] ?? null);
    });
    return {
      frames,
      urls: new Map(this.#scripts.map((script, fn) => [script, frames[fn]?.url ?? ''])),
      scripts: Int32Array.from(this.#scripts),
      starts: Int32Array.from(this.#starts),
    };
  }

  #numberOf(text: string, isNative: boolean): number {
    const known = isNative ? this.#knownNative : this.#known;
    const found = known.get(text);
    if (found !== undefined) return found;
    this.#isNative.push(isNative);
    this.#scripts.push(unknownScript);
    this.#starts.push(-1);
    known.set(text, this.#texts.length);
    return this.#texts.push(text) - 1;
  }
}

export interface BuiltFunctions {
  readonly frames: readonly ProfileFrame[];
  /** By number of the script. */
  readonly urls: ReadonlyMap<number, string>;
  readonly scripts: Int32Array;
  readonly starts: Int32Array;
}

const unknownScript = -1;
const severalScripts = -2;

function isOfEval(text: string): boolean {
  return splitPlace(text).rest.endsWith(' ');
}

function frameOf(text: string, url: string | null): ProfileFrame {
  const { rest, line, column } = splitPlace(text);
  if (rest === text) return { functionName: text, url: '', line, column }; // This is WebAssembly.
  const found = url !== null && rest.endsWith(` ${url}`) ? rest.length - url.length : urlStart(rest);
  return { functionName: rest.slice(0, Math.max(0, found - 1)), url: unescaped(rest.slice(found)), line, column };
}

/** Splits `NAME URL` from the place behind it, which counts from 0; −1 for none. */
function splitPlace(text: string): { readonly rest: string; readonly line: number; readonly column: number } {
  const [all = '', line = '0', column = '0'] = /:(\d+):(\d+)$/.exec(text) ?? [];
  return {
    rest: text.slice(0, text.length - all.length),
    line: positionOf(Number(line) - 1),
    column: positionOf(Number(column) - 1),
  };
}

/** Begin of the url. Name and url may contain spaces: without a known script, the first part that looks like a url. */
function urlStart(rest: string): number {
  const { index } = / (?=\/|file:|node:|[A-Za-z]:[\\/]|\\\\|https?:|\[)/.exec(rest) ?? { index: rest.lastIndexOf(' ') };
  return index + 1;
}

/** Undoes the escapes of V8: `\x2C`, `\u2028`, `\n` and `\\`. */
export function unescaped(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replaceAll(/\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|([n\\]))/g, (_, byte, unit, sign) =>
    sign === undefined ? String.fromCharCode(Number.parseInt(String(byte ?? unit), 16)) : sign === 'n' ? '\n' : '\\',
  );
}
