import { milliseconds } from '../../protocol/units.ts';
import type { CpuProfile } from '../samples/cpu-profile.ts';

/**
 * A profile of Bun as V8 would have written it; any other as it is. Bun takes no sample while its thread waits, where V8
 * takes those at `(idle)`: without them, a callback would last until the next one. And what is a whole module has the
 * name `(module)` there. Bun's profiles are told by their clock, which is the time of day; V8's runs from the start of
 * the machine.
 */
export function asOfV8(profile: CpuProfile): CpuProfile {
  const isOfBun = (profile.times[0] ?? 0) > firstTimeOfDay && !profile.frames.some(isIdle);
  if (!isOfBun) return profile;
  const frames = profile.frames.map((frame) =>
    frame.functionName === '(module)' ? { ...frame, functionName: '' } : frame,
  );
  const idleNode = profile.parent.length;
  const { start } = profile.ticks;
  return {
    ...profile,
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

/** In µs since 1970: some time in 2001. No machine runs for so long. */
const firstTimeOfDay = 1e15;

function isIdle({ functionName, url }: CpuProfile['frames'][number]): boolean {
  return functionName === '(idle)' && url === '';
}

/** A sample after which there is none for long lasts as long as one does, and then the thread waits. */
function withIdle({ times, nodes, end }: CpuProfile, idleNode: number): Pick<CpuProfile, 'times' | 'nodes'> {
  const kept: number[] = [];
  const keptNodes: number[] = [];
  for (const [sample, time] of times.entries()) {
    kept.push(time);
    keptNodes.push(nodes[sample] ?? -1);
    if ((times[sample + 1] ?? end) - time <= longestSample) continue;
    kept.push(time + usualSample);
    keptNodes.push(idleNode);
  }
  return { times: Float64Array.from(kept), nodes: Int32Array.from(keptNodes) };
}

/** Bun samples native code too: measured were up to 9 ms between two samples of one call. */
const longestSample = milliseconds(20);
const usualSample = milliseconds(1);
