import type { JudgedRun } from '../hotspots/judged-run.ts';
import type { FunctionInfo } from '../functions/function-table.ts';
import { groupBy } from '../basics/group-by.ts';
import type { FoundRun } from './find-tier-recording.ts';
import { filePathOf, isRecorder } from '../files/file-path.ts';
import { microseconds } from '../../protocol/units.ts';
import type { FunctionTiers, Host, Tiers } from './tiers.ts';
import type { World } from '../files/world.ts';

/**
 * The tiers that the functions of a profile had in another run. Functions are matched by their places, because V8's log
 * and its profiler name many of them differently. What that run never saw is missing, and so is what is in a file that
 * has changed.
 */
export function tiersOfSecondRun(
  profile: JudgedRun,
  second: JudgedRun & { readonly tiers: Tiers | null },
  run: FoundRun,
  changedFiles: ReadonlySet<string>,
): Tiers {
  const seen = second.tiers?.functions ?? new Map<number, FunctionTiers>();
  const places = groupBy(
    [...seen].flatMap(([id, tiers]) => {
      const fn = second.functions.functions[id];
      return fn === undefined || fn.url === '' ? [] : [{ place: placeOf(fn), tiers }];
    }),
    ({ place }) => place,
  );
  const unchanged = profile.functions.functions.filter(({ path }) => path === null || !changedFiles.has(path));
  const known = new Map(unchanged.map((fn) => [placeOf(fn), fn.id]));
  const hostOf = ({ functionId, time }: Host): Host => {
    const host = second.functions.functions[functionId];
    return { functionId: host === undefined ? -1 : (known.get(placeOf(host)) ?? -1), time };
  };
  const functions = new Map<number, FunctionTiers>();
  for (const fn of unchanged) {
    const [first, ...others] = places.get(placeOf(fn)) ?? [];
    if (first === undefined) continue;
    const tiers = others.reduce((sum, other) => together(sum, other.tiers), first.tiers);
    const deopts = tiers.code.deopts.filter(({ place }) => !changedFiles.has(filePathOf(place.url) ?? ''));
    functions.set(fn.id, { ...tiers, hosts: tiers.hosts.map(hostOf), code: { ...tiers.code, deopts } });
  }
  const secondRun = { ...run, otherNode: otherNode(profile, second), changedFiles: [...changedFiles] };
  return { secondRun, functions };
}

/** The versions of the second run, where none of them is one of the profile's; null where they are not known. */
function otherNode(profile: JudgedRun, second: JudgedRun): string | null {
  const before = nodeVersionsOf(profile);
  const versions = nodeVersionsOf(second);
  const isOther = before.length > 0 && versions.length > 0 && !versions.some((version) => before.includes(version));
  return isOther ? [...new Set(versions)].join(', ') : null;
}

function nodeVersionsOf({ streams }: JudgedRun): readonly string[] {
  return streams.map(({ isolate }) => isolate.nodeVersion).filter((version) => version !== null);
}

function placeOf({ url, line, column }: FunctionInfo): string {
  return `${line}:${column}\n${filePathOf(url) ?? url}`;
}

/** Merges two functions of one place, whose names differ by what ran them. */
function together(a: FunctionTiers, b: FunctionTiers): FunctionTiers {
  const sum = (tier: keyof FunctionTiers['times']) => microseconds(a.times[tier] + b.times[tier]);
  return {
    times: {
      unknown: sum('unknown'),
      ignition: sum('ignition'),
      sparkplug: sum('sparkplug'),
      maglev: sum('maglev'),
      turbofan: sum('turbofan'),
    },
    ticks: a.ticks + b.ticks,
    hosts: [...a.hosts, ...b.hosts].toSorted((one, other) => other.time - one.time),
    code: {
      compilations: [...a.code.compilations, ...b.code.compilations].toSorted((one, other) => one.time - other.time),
      deopts: [...a.code.deopts, ...b.code.deopts].toSorted((one, other) => one.time - other.time),
    },
    madeIn: a.madeIn ?? b.madeIn,
  };
}

/**
 * Paths of files of the functions that have changed since `begin`, in ms since the epoch, the person's own first.
 * Nothing is known of a file that is not there, as on another machine; our own file is written anew by each run.
 */
export async function filesChangedSince(
  begin: number,
  functions: readonly FunctionInfo[],
  world: Pick<World, 'changedAt'>,
): Promise<ReadonlySet<string>> {
  const ordered = [...functions.filter(({ own }) => own), ...functions];
  const known = ordered.map(({ path }) => path).filter((path) => path !== null);
  const paths = [...new Set(known)].filter((path) => !isRecorder(path));
  const times = await Promise.all(paths.map(async (path) => world.changedAt?.(path)));
  return new Set(paths.filter((_path, index) => (times[index] ?? 0) > begin));
}

/** When the first of two runs began, in ms since the epoch; Infinity where neither says it. */
export function firstBegin(...runs: readonly { readonly startedAt: string | null }[]): number {
  const begins = runs.map(({ startedAt }) => Date.parse(startedAt ?? ''));
  return begins.reduce((least, begin) => (begin < least ? begin : least), Infinity);
}
