import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { runsOf } from '../protocol/diff.ts';
import { isList, isRecord, parseJson } from '../protocol/json-value.ts';
import { rechecksFile } from '../protocol/recording.ts';
import type { DiffReference, DoneRecheck } from '../protocol/rechecks.ts';
import { writeWhole } from './private-files.ts';

/** The code of a function and of what it can reach. */
export interface MeasuredCode {
  /** The hash of its tokens, wherever they are in their files. */
  readonly code: string;
  /** Absolute paths of the files with that code. */
  readonly files: readonly string[];
}

/** What a re-check has measured of a function of a recording. */
export interface KeptRecheck extends MeasuredCode {
  readonly functionId: number;
  readonly change: DoneRecheck;
}

/** The re-checks that a recording has kept, newest first; none of a damaged file. */
export async function readRechecks(recording: string): Promise<readonly KeptRecheck[]> {
  const json = parseJson(await readFile(path.join(recording, rechecksFile), 'utf8').catch(() => ''));
  return isList(json) ? json.filter(isKeptRecheck) : [];
}

/** Where it fails (a full disk, a deleted recording), a reload of the window forgets them. */
export async function keepRechecks(recording: string, rechecks: readonly KeptRecheck[]): Promise<void> {
  await writeWhole(path.join(recording, rechecksFile), JSON.stringify(rechecks)).catch(() => undefined);
}

function isKeptRecheck(value: unknown): value is KeptRecheck {
  if (!isRecord(value) || typeof value['functionId'] !== 'number' || typeof value['code'] !== 'string') return false;
  const { files, change } = value;
  return isList(files) && files.every((file) => typeof file === 'string') && isDone(change);
}

function isDone(value: unknown): value is DoneRecheck {
  if (!isRecord(value) || value['type'] !== 'done') return false;
  const { text, load, isFaster, isFixed, isKept, diff, at } = value;
  const flags = [isFaster, isFixed, isKept];
  const isComplete =
    typeof text === 'string' && (load === undefined || typeof load === 'string') && typeof at === 'number';
  return isComplete && flags.every((flag) => typeof flag === 'boolean') && (diff === null || isDiff(diff));
}

function isDiff(value: unknown): value is DiffReference {
  if (!isRecord(value) || runsOf(value['base']) === null || runsOf(value['head']) === null) return false;
  const { place } = value;
  if (place === null) return true;
  return (
    isRecord(place) &&
    typeof place['url'] === 'string' &&
    typeof place['line'] === 'number' &&
    typeof place['name'] === 'string'
  );
}
