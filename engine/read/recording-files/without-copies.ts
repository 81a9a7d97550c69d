import type { World } from '../files/world.ts';
import { findSources } from './find-sources.ts';
import { profileNameOf } from './profile-names.ts';
import { fileNameOf } from '../../../protocol/machine-path.ts';

/** Recordings without those that were given twice. */
export interface WithoutCopies {
  /** Paths as given, each recording once. */
  readonly kept: readonly string[];
  /** Paths that were left out, with the one that is kept in their place. */
  readonly copies: readonly { readonly path: string; readonly of: string }[];
}

/**
 * Leaves out recordings that were given already: by another path, or as a copy. A copy has the same beginning and the
 * same processes; where it has fewer of them, the fuller one is kept. What cannot be told is kept.
 */
export async function withoutCopies(paths: readonly string[], world: World): Promise<WithoutCopies> {
  const kept: Known[] = [];
  const copies: WithoutCopies['copies'][number][] = [];
  for (const path of paths) {
    const one = { path, isolates: await isolatesOf(path, world) };
    const fuller = kept.find((other) => other.path === path || isWithin(one, other));
    const fewer = fuller === undefined ? kept.find((other) => isWithin(other, one)) : undefined;
    if (fewer !== undefined) kept.splice(kept.indexOf(fewer), 1, one);
    else if (fuller === undefined) kept.push(one);
    if (fuller !== undefined) copies.push({ path, of: fuller.path });
    if (fewer !== undefined) copies.push({ path: fewer.path, of: path });
  }
  return { kept: kept.map(({ path }) => path), copies };
}

interface Known {
  readonly path: string;
  /** Names that no other recording has; empty where nothing tells. */
  readonly isolates: ReadonlySet<string>;
}

/** Whether all isolates of `one`, as far as there are any, are in `other`, too. */
function isWithin(one: Known, other: Known): boolean {
  return one.isolates.size > 0 && [...one.isolates].every((isolate) => other.isolates.has(isolate));
}

async function isolatesOf(path: string, world: World): Promise<ReadonlySet<string>> {
  const found = await findSources([path], world);
  if (found.type === 'failed') return new Set();
  const { isolates, recording } = found.sources;
  return new Set(isolates.flatMap(({ profiles }) => nameOf(fileNameOf(profiles[0] ?? ''), recording.startedAt) ?? []));
}

/**
 * A name that tells a process and when it began; null for one that other processes may have, too. Names of recordings
 * count only together with the recording's beginning.
 */
function nameOf(file: string, startedAt: string | null): string | null {
  const name = profileNameOf(file);
  const plain = file.replace(/\.gz$/, '');
  if (name.type === 'node') return name.startedAt === null ? null : plain;
  return startedAt === null || name.type === 'foreign' ? null : `${startedAt} ${plain}`;
}
