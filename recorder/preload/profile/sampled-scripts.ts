import type inspector from 'node:inspector';
import { readPlainUrl } from '../host/plain-file.ts';

/** The person's scripts that the profiles of this thread show something of. */
export interface SampledScripts {
  /** Takes up those of one more profile. */
  readonly add: (profile: inspector.Profiler.Profile) => void;
  /** Urls of scripts; those that were sampled most often come first. */
  readonly urls: () => readonly string[];
  /**
   * Texts by url of those that `isKnown` leaves open, where each is a file in which every sampled function stands where it
   * ran. Null where one is not: it was transformed in memory, or the file is another one by now.
   */
  readonly textsOnDisk: (isKnown: (url: string) => boolean) => ReadonlyMap<string, string> | null;
  /**
   * Whether `text` can be what ran by this url: more than its top level was sampled, and all of that stands in it. A comment may
   * give an evaluated text the name of any file.
   */
  readonly standsIn: (url: string, text: string) => boolean;
}

type Place = Pick<inspector.Runtime.CallFrame, 'functionName' | 'lineNumber' | 'columnNumber'>;

export function collectSampledScripts(): SampledScripts {
  /** Sampled functions of scripts, by url; null for scripts of Node and of dependencies. */
  const scripts = new Map<string, Map<string, Place> | null>();
  const hits = new Map<string, number>();
  const functionsOf = (url: string): Map<string, Place> | null => {
    const known = scripts.get(url);
    if (known !== undefined) return known;
    const found = notTheirs.test(url) ? null : new Map<string, Place>();
    scripts.set(url, found);
    return found;
  };
  return {
    add: ({ nodes }) => {
      for (const { callFrame, hitCount = 0 } of nodes) {
        const { functionName, lineNumber, columnNumber, url } = callFrame;
        hits.set(url, (hits.get(url) ?? 0) + hitCount);
        functionsOf(url)?.set(`${lineNumber}:${columnNumber}`, { functionName, lineNumber, columnNumber });
      }
    },
    urls: () => {
      const own = [...scripts].flatMap(([url, functions]) => (functions === null ? [] : [url]));
      return own.toSorted((a, b) => (hits.get(b) ?? 0) - (hits.get(a) ?? 0));
    },
    textsOnDisk: (isKnown) => {
      const texts = new Map<string, string>();
      for (const [url, functions] of scripts) {
        if (functions === null || isKnown(url)) continue;
        const text = textOf(url);
        if (text === null || !stand(text, [...functions.values()])) return null;
        texts.set(url, text);
      }
      return texts;
    },
    standsIn: (url, text) => {
      const functions = [...(scripts.get(url)?.values() ?? [])];
      return functions.some((one) => !isTopLevel(one)) && stand(text, functions);
    },
  };
}

/**
 * Node's, native, given on the command line, a dependency's or ours: their maps are on the disk, or nowhere. What tools keep
 * in folders like `node_modules/.vite-temp` is made of the person's own files; pnpm keeps packages in one.
 */
export const notTheirs =
  /^$|^(node|wasm):|^\[|^evalmachine|^file:.*\/(node_modules\/(?!\.(?!pnpm\/))|recorder-[0-9a-f]{12}\.cjs$)/;

function textOf(url: string): string | null {
  try {
    const file = url.startsWith('file:') ? readPlainUrl(url, longestScript) : null;
    return file === null || file === 'large' ? null : file.text;
  } catch {
    return null; // A name that somebody made up, or a file that is gone.
  }
}

/** In bytes. Of a longer one the debugger tells. */
const longestScript = 64e6;

/** V8 places a function where its parameters begin, behind its name; a whole module at 0:0, a wrapped one in front of it. */
function stand(text: string, functions: readonly Place[]): boolean {
  const lines = text.split('\n');
  return functions.every((one) => {
    if (isTopLevel(one)) return true;
    const { functionName, lineNumber, columnNumber } = one;
    const line = lines[lineNumber] ?? '';
    const name = /[\w$\u0080-\uffff]+$/.exec(functionName)?.[0] ?? '';
    return (
      line.slice(0, columnNumber).includes(name) && functionStart.test(line.slice(columnNumber, columnNumber + 80))
    );
  });
}

function isTopLevel({ lineNumber, columnNumber }: Place): boolean {
  return lineNumber === 0 && columnNumber <= 0;
}

/** Letters of all scripts are taken together: to compile a pattern of their properties takes V8 a ms. */
const functionStart = /^(\(|async\b|class\b|static\b|[A-Za-z$_#\u0080-\uffff][\w$\u0080-\uffff]*\s*(=>|[=;{}(]))/;
