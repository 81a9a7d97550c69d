import type { V8Log } from './v8-log.ts';
import type { Warning } from '../../../../words/warnings/warning-text.ts';

/** What was odd in a log that could be read; empty where nothing was. */
export function oddities(file: string, { version, problems }: V8Log): readonly Warning[] {
  const { unreadable, unknown, restarts, backwards } = problems;
  const v8 = Number(version?.split('.')[0] ?? Number.NaN);
  const isTested = v8 >= oldestV8 && v8 <= newestV8;
  const all: readonly (Warning | null)[] = [
    version === null ? { type: 'unknownV8', file } : isTested ? null : { type: 'untestedV8', file, version },
    unreadable.size === 0 ? null : { type: 'unreadableLines', file, ...countsOf(unreadable) },
    unknown.size === 0 ? null : { type: 'unknownLines', file, ...countsOf(unknown) },
    restarts > 0 ? { type: 'mixedIsolates', file } : null,
    backwards > 0 ? { type: 'backwardTicks', file, count: backwards } : null,
  ];
  return all.filter((warning) => warning !== null);
}

/** Versions of V8 in Node.js 20 and 26. */
const oldestV8 = 11;
const newestV8 = 14;

function countsOf(kinds: ReadonlyMap<string, number>): { readonly count: number; readonly kinds: readonly string[] } {
  return { count: [...kinds.values()].reduce((sum, number) => sum + number, 0), kinds: [...kinds.keys()] };
}
