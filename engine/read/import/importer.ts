import type { Column0, Line0 } from '../../../protocol/units.ts';
import type { MapLine } from '../../../protocol/recording-lines.ts';
import type { Warning } from '../../../words/warnings/warning-text.ts';
import type { OpenedFile } from '../files/opened-file.ts';
import type { World } from '../files/world.ts';
import type { CpuProfile } from '../samples/cpu-profile.ts';
import type { PlainReader } from './cpuprofile/plain-reader.ts';

/** A format of profiles. A new one is a file with an importer, and a row of the table in load-profile.ts. */
export interface Importer {
  readonly recognizes: (file: Pick<OpenedFile, 'name' | 'start'>) => boolean;
  /** Reads the file to its end, or closes it. */
  readonly read: (file: OpenedFile, reading: Reading) => Promise<Imported>;
}

export interface Reading {
  readonly world: World;
  readonly plain: PlainReader | null;
  readonly signal: AbortSignal | undefined;
}

/** What was read of a file. `silent`: it has no samples. */
export type Imported =
  | {
      readonly type: 'profile';
      readonly profile: CpuProfile;
      readonly places?: DebuggerPlaces;
      readonly warnings: readonly Warning[];
    }
  | {
      readonly type: 'trace';
      readonly threads: readonly ImportedThread[];
      readonly maps: readonly MapLine[];
      readonly warnings: readonly Warning[];
    }
  | { readonly type: 'cancelled' }
  | { readonly type: 'silent' | 'unusable'; readonly warning: Warning };

export interface ImportedThread {
  readonly pid: number;
  /** Number of the thread: 0 for the main thread, or for the only one. */
  readonly threadId: number;
  /** Parts that overlap, in order; at least one. */
  readonly profiles: readonly CpuProfile[];
}

/** Original places by the places in scripts (`placeKey`). */
export type DebuggerPlaces = ReadonlyMap<string, DebuggerPlace>;

export interface DebuggerPlace {
  /** Absolute path of the original. */
  readonly path: string;
  readonly line: Line0;
  readonly column: Column0;
}

/** Key of a call frame's place; line and column count from 0. */
export function placeKey(url: string, line: number, column: number): string {
  return `${line}:${column}:${url}`;
}

/** The key of the same place, with another url. */
export function keyHere(key: string, toHere: (url: string) => string): string {
  return key.replace(/^(-?\d+:-?\d+:)(.*)$/s, (_, place: string, url: string) => `${place}${toHere(url)}`);
}
