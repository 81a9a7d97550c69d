import type { FrameTable } from '../functions/frame-table.ts';
import { describeDamage, describeDefects } from '../profile/describe-damage.ts';
import { readCpuProfile } from '../profile/read-cpu-profile.ts';
import type { ProfilePart } from '../samples/join-parts.ts';
import type { MeasuredTurns } from '../samples/sample-stream.ts';
import type { World } from '../world.ts';
import type { IsolateSource } from './isolate-source.ts';
import { asOfV8 } from './as-of-v8.ts';
import { kindOfFile } from './file-kinds.ts';
import { jsonLines } from './json-lines.ts';
import { openFile } from './opened-file.ts';
import { fileNameOf } from './profile-names.ts';
import { readText } from './read-text.ts';
import { readTurns } from './read-turns.ts';

/** One isolate's files, decoded. */
export interface LoadedIsolate {
  readonly source: IsolateSource;
  /** In order; none where no file could be read, or holds a sample. */
  readonly parts: readonly ProfilePart[];
  /** It was profiled, and ended before there was a sample. */
  readonly isSilent: boolean;
  readonly turns: MeasuredTurns | null;
  /** Sentences about files that could not be read, or only in part. */
  readonly warnings: readonly string[];
  /** Paths of files that are not there. */
  readonly missing: readonly string[];
}

/** Reads the files of one isolate, one after the other; numbers their frames in `frames`. Null where it is cancelled. */
export async function loadIsolate(
  source: IsolateSource,
  world: World,
  frames: FrameTable,
  signal?: AbortSignal,
): Promise<LoadedIsolate | null> {
  const parts: ProfilePart[] = [];
  const warnings: string[] = [];
  const missing: string[] = [];
  const silent: string[] = [];
  for (const path of source.profiles) {
    const file = await openFile(path, world);
    if (file === undefined) {
      missing.push(path);
      warnings.push(`${fileNameOf(path)} cannot be read: it may be somebody else's, or was deleted meanwhile.`);
      continue;
    }
    const kind = kindOfFile(fileNameOf(path), file.start);
    if (kind !== null) {
      await file.close();
      warnings.push(`${fileNameOf(path)} ${kind}.`);
      continue;
    }
    const decoded = await readCpuProfile(file.chunks, signal);
    if (decoded.type === 'cancelled') return null;
    if (decoded.type === 'damaged') {
      if (decoded.damage === 'noSamples') silent.push(path);
      warnings.push(`${fileNameOf(path)} ${describeDamage(decoded.damage)}.`);
      continue;
    }
    const profile = asOfV8(decoded.profile);
    warnings.push(...describeDefects(profile.defects).map((defect) => `${fileNameOf(path)} ${defect}.`));
    parts.push({ profile, frames: frames.add(profile) });
  }
  const text = source.turnsFile === null ? null : await readText(source.turnsFile, world);
  const turns = text === null ? null : readTurns(jsonLines(text), source.isComplete);
  return { source, parts, isSilent: silent.length > 0 && parts.length === 0, turns, warnings, missing };
}
