import type inspector from 'node:inspector';
import { fileURLToPath } from 'node:url';
import { readPlainFile } from '../host/plain-file.ts';

/** The user's scripts that were sampled in this thread. */
export interface SampledScripts {
  /** Adds the scripts of one more profile. */
  readonly add: (profile: inspector.Profiler.Profile) => void;
  /** Urls of the scripts, the most often sampled first. */
  readonly urls: () => readonly string[];
  /**
   * Texts by url of the scripts for which `isKnown` is false, where each file has all sampled functions at the places
   * where they ran. Null where one file does not: it was transformed in memory, or changed since.
   */
  readonly textsOnDisk: (isKnown: (url: string) => boolean) => ReadonlyMap<string, string> | null;
  /** Whether `text` can be what ran by this url: more than its top level was sampled, and it has all these functions. */
  readonly hasFunctionsIn: (url: string, text: string) => boolean;
}

type Place = Pick<inspector.Runtime.CallFrame, 'functionName' | 'lineNumber' | 'columnNumber'>;

export function collectSampledScripts(): SampledScripts {
  /** Sampled functions by url; null for scripts of Node and of dependencies. */
  const scripts = new Map<string, Map<string, Place> | null>();
  const hits = new Map<string, number>();
  return {
    add: ({ nodes }) => {
      for (const { callFrame, hitCount = 0 } of nodes) {
        const { functionName, lineNumber, columnNumber, url } = callFrame;
        hits.set(url, (hits.get(url) ?? 0) + hitCount);
        if (!scripts.has(url)) scripts.set(url, notTheirs.test(url) ? null : new Map());
        scripts.get(url)?.set(`${lineNumber}:${columnNumber}`, { functionName, lineNumber, columnNumber });
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
        if (text === null || !hasAll(text, [...functions.values()])) return null;
        texts.set(url, text);
      }
      return texts;
    },
    hasFunctionsIn: (url, text) => {
      const functions = [...(scripts.get(url)?.values() ?? [])];
      return functions.some((one) => !isTopLevel(one)) && hasAll(text, functions);
    },
  };
}

/**
 * Urls of scripts of Node, native code, the command line, dependencies and the recorder: their source maps are on the
 * disk, or nowhere. Folders such as `node_modules/.vite-temp` do not match, because tools put transformed files of the
 * user there; `.pnpm`, which holds packages, does.
 */
export const notTheirs =
  /^$|^(node|wasm):|^\[|^evalmachine|^file:.*\/(node_modules\/(?!\.(?!pnpm\/))|recorder-[0-9a-f]{12}\.cjs$)/;

function textOf(url: string): string | null {
  try {
    const file = url.startsWith('file:') ? readPlainFile(fileURLToPath(url), MAX_SCRIPT_BYTES) : null;
    return file === null || file === 'large' ? null : file.text;
  } catch {
    return null; // The name is invented, or the file does not exist any more.
  }
}

/** For longer scripts the debugger is asked. */
const MAX_SCRIPT_BYTES = 64e6;

/** Whether a text has all functions. V8's position is where the parameters begin; a module is at 0:0 or before. */
function hasAll(text: string, functions: readonly Place[]): boolean {
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

/** All characters above ASCII count as letters: compiling a pattern with Unicode properties takes V8 1 ms. */
const functionStart = /^(\(|async\b|class\b|static\b|[A-Za-z$_#\u0080-\uffff][\w$\u0080-\uffff]*\s*(=>|[=;{}(]))/;
