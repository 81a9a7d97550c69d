import type { V8Log } from './v8-log.ts';

/** What is to be said about a V8 log. */
export type LogWarning =
  | { readonly type: 'logDamaged'; readonly file: string; readonly damage: LogDamage }
  /** It ends in the middle of a line, or of a gzip file. */
  | { readonly type: 'logCutOff'; readonly file: string }
  /** The log does not say which V8 wrote it. */
  | { readonly type: 'unknownV8'; readonly file: string }
  | { readonly type: 'untestedV8'; readonly file: string; readonly version: string }
  /** Lines that cannot be read (`kinds` are their beginnings), or that are of kinds which Hotspan does not know. */
  | {
      readonly type: 'unreadableLines' | 'unknownLines';
      readonly file: string;
      readonly count: number;
      readonly kinds: readonly string[];
    }
  /** Several isolates wrote into the log. */
  | { readonly type: 'mixedIsolates'; readonly file: string }
  /** Ticks whose time is before that of the tick before. */
  | { readonly type: 'backwardTicks'; readonly file: string; readonly count: number };

/** Why a file cannot be read as a V8 log. */
export type LogDamage = 'empty' | 'badGzip' | 'inflated' | 'notLog' | 'noTicks';

/** What was odd in a log that could be read; empty where nothing was. */
export function oddities(file: string, { version, problems }: V8Log): readonly LogWarning[] {
  const { unreadable, unknown, restarts, backwards } = problems;
  const v8 = Number(version?.split('.')[0] ?? Number.NaN);
  const isTested = v8 >= oldestV8 && v8 <= newestV8;
  const all: readonly (LogWarning | null)[] = [
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
