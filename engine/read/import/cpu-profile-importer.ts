import { microseconds, milliseconds } from '../../../protocol/units.ts';
import type { ProfileDamage } from '../../../words/warnings/file-warnings.ts';
import type { Warning } from '../../../words/warnings/warning-text.ts';
import { type OpenedFile, UnpackedTooMuch } from '../files/opened-file.ts';
import type { CpuProfile, ProfileDefects } from '../samples/cpu-profile.ts';
import { SampleTimes } from '../samples/sample-times.ts';
import type { Imported, Importer, Reading } from './importer.ts';
import { ProfileDecoder } from './cpuprofile/profile-decoder.ts';

/** Reads `.cpuprofile` files of V8 and Bun, and says what is wrong with files that nothing else recognizes. */
export const cpuProfileImporter: Importer = { recognizes: () => true, read: readCpuProfile };

export async function readCpuProfile(
  { name, content, isGzip }: Pick<OpenedFile, 'name' | 'content' | 'isGzip'>,
  { plain, signal }: Pick<Reading, 'plain' | 'signal'>,
): Promise<Imported> {
  const decoder = new ProfileDecoder(plain);
  try {
    for await (const chunk of content) {
      if (signal?.aborted === true) return { type: 'cancelled' };
      decoder.push(chunk);
    }
  } catch (error) {
    if (!isGzip) throw error;
    return damaged(name, error instanceof UnpackedTooMuch ? 'inflated' : 'badGzip'); // Or cut off.
  }
  const decoded = decoder.finish();
  if (decoded.type === 'damaged') return damaged(name, decoded.damage);
  const { profile } = decoded;
  return { type: 'profile', profile: asOfV8(profile), warnings: defectWarnings(name, profile.defects) };
}

function damaged(file: string, damage: ProfileDamage): Imported {
  return { type: damage === 'noSamples' ? 'silent' : 'unusable', warning: { type: 'profileDamaged', file, damage } };
}

export function defectWarnings(file: string, defects: ProfileDefects): readonly Warning[] {
  const {
    unknownNodes,
    untimed,
    unpairedTimes,
    unknownEnd: time,
    isSpread,
    implausible,
    endsEarly,
    isFollowed,
  } = defects;
  const all: readonly (Warning | null)[] = [
    unknownNodes > 0 ? { type: 'unknownNodes', file, count: unknownNodes } : null,
    untimed > 0 ? { type: 'untimedSamples', file, count: untimed, time: microseconds(time) } : null,
    unpairedTimes > 0 ? { type: 'unpairedTimes', file, count: unpairedTimes, time: microseconds(time) } : null,
    isSpread ? { type: 'spreadSamples', file } : null,
    implausible > 0 ? { type: 'implausibleTimes', file, count: implausible } : null,
    endsEarly ? { type: 'endsEarly', file } : null,
    isFollowed ? { type: 'followedByMore', file } : null,
  ];
  return all.filter((warning) => warning !== null);
}

/**
 * Turns a profile of Bun into what V8 would have written. Bun takes no sample while its thread waits, where V8 samples
 * `(idle)`; without them, a callback would last until the next one. Bun calls a whole module `(module)`, and puts it where
 * its first class is. Its profiles are recognized by their clock, the time of day; V8's clock starts with the machine.
 */
function asOfV8(profile: CpuProfile): CpuProfile {
  const isOfBun =
    (profile.times.at(0) ?? 0) > firstTimeOfDay &&
    !profile.frames.some(({ functionName, url }) => functionName === '(idle)' && url === '');
  if (!isOfBun) return profile;
  const begin = profile.ticks.line.length > 0 ? { line: 0, column: 0 } : {}; // Without ticks it is the sample's place.
  const frames = profile.frames.map((frame) =>
    frame.functionName === '(module)' ? { ...frame, functionName: '', ...begin } : frame,
  );
  const idleNode = profile.parent.length;
  const { start } = profile.ticks;
  return {
    ...profile,
    isOfBun: true,
    frames: [...frames, { functionName: '(idle)', url: '', line: -1, column: -1 }],
    parent: withLast(profile.parent, -1),
    frame: withLast(profile.frame, frames.length),
    ticks: { ...profile.ticks, start: withLast(start, start.at(-1) ?? 0) },
    ...withIdle(profile, idleNode),
  };
}

function withLast(numbers: Int32Array, last: number): Int32Array {
  const longer = new Int32Array(numbers.length + 1);
  longer.set(numbers);
  longer[numbers.length] = last;
  return longer;
}

/** A time in 2001, in µs since 1970. No machine has run for so long. */
const firstTimeOfDay = 1e15;

/** Adds idle samples: where the next sample is late, a sample gets the usual duration, and then the thread waits. */
function withIdle({ times, nodes, end }: CpuProfile, idleNode: number): Pick<CpuProfile, 'times' | 'nodes'> {
  const kept: number[] = [];
  const keptNodes: number[] = [];
  for (let sample = 0; sample < times.length; sample++) {
    const time = times.at(sample) ?? end;
    kept.push(time);
    keptNodes.push(nodes[sample] ?? -1);
    if ((times.at(sample + 1) ?? end) - time <= MAX_SAMPLE) continue;
    kept.push(time + usualSample);
    keptNodes.push(idleNode);
  }
  return { times: new SampleTimes(Float64Array.from(kept)), nodes: Int32Array.from(keptNodes) };
}

/** Bun samples native code, too: up to 9 ms were measured between two samples of one call. */
const MAX_SAMPLE = milliseconds(10);
const usualSample = milliseconds(1);
