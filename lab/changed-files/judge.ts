import { readFileSync } from 'node:fs';
import { filePathOf } from '../../engine/read/files/file-path.ts';
import type { Report } from '../../protocol/report.ts';
import type { LinePrecision } from '../../protocol/report-code.ts';
import { type Change, slowFunctions, sources } from './program.ts';

/** What a case shows. */
export interface Shown {
  /** A sentence for each line that is not today's line of the code that ran. */
  readonly wrong: readonly string[];
  /** Names of the unchanged functions of the changed file that stand at their line. */
  readonly found: readonly string[];
}

/** Checks the lines of a report against the files as they are. A line of a file that is gone is that of the file that ran. */
export function judge(report: Report, change: Change): Shown {
  const wrongNames = report.functions
    .filter(({ name, line }) => isSlow(name) && line > 0)
    .filter(({ name, url, line }) => !(todaysLine(url, line) ?? name).includes(name))
    .map(({ name, url, line }) => `${name} is at ${url}:${line}: ${todaysLine(url, line) ?? ''}`);
  const wrongLines = report.lines
    .flatMap(({ url, line, precision }): readonly Line[] => {
      const text = todaysLine(url, line);
      return text === undefined ? [] : [{ url, line, precision, text }];
    })
    .filter((line) => !isRight(line, change))
    .map(({ url, line, precision, text }) => `${url}:${line} (${precision}): ${text}`);
  const found = slowFunctions.filter(
    ({ name, file }) =>
      file === 'cart' &&
      !change.changed.includes(name) &&
      report.functions.some(
        (fn) => fn.name === name && (todaysLine(fn.url, fn.line) ?? '').includes(`function ${name}`),
      ),
  );
  return { wrong: [...wrongNames, ...wrongLines], found: found.map(({ name }) => name) };
}

interface Line {
  readonly url: string;
  readonly line: number;
  readonly precision: LinePrecision;
  readonly text: string;
}

function isRight({ url, line, precision, text }: Line, { changed, isRebuilt = false }: Change): boolean {
  const owner = ownerOf(url, line);
  const isAsItWas = (sources['src/cart.ts'] ?? '').split('\n').includes(text);
  if (isAsItWas || (url.includes('/out/') && !isRebuilt)) return true;
  if (owner === null)
    return slowFunctions.some(
      ({ name, mark }) => !changed.includes(name) && (text.includes(mark) || text.includes(name)),
    );
  // A changed function stands under its name, alone.
  return !changed.includes(owner) || (precision !== 'exact' && text.includes(`function ${owner}(`));
}

/** Name of the slow function that a line is in; null where it is in none. */
function ownerOf(url: string, line: number): string | null {
  for (let at = line; at > 0; at--) {
    const name = /function (\w+)/.exec(todaysLine(url, at) ?? '')?.[1];
    if (name !== undefined) return isSlow(name) ? name : null;
  }
  return null;
}

function isSlow(name: string): boolean {
  return slowFunctions.some((fn) => fn.name === name);
}

function todaysLine(url: string, line: number): string | undefined {
  try {
    return readFileSync(filePathOf(url) ?? '', 'utf8').split('\n')[line - 1];
  } catch {
    return undefined;
  }
}
