import { column0, line0 } from '../../protocol/units.ts';
import type { CpuProfile } from '../profile/cpu-profile.ts';
import { metaNodeOf } from '../samples/join-parts.ts';
import type { Frame } from './function-table.ts';

/** A call frame of which it is not known yet which function it is. */
export type UnnamedFrame = Omit<Frame, 'functionId'>;

/** Numbers the call frames of all profiles, each distinct one once. */
export interface FrameTable {
  readonly frames: readonly UnnamedFrame[];
  /** Number of each of the profile's frames; −1 for meta frames. */
  readonly add: (profile: CpuProfile) => Int32Array;
}

export function createFrameTable(): FrameTable {
  const frames: UnnamedFrame[] = [];
  const known = new Map<string, number>();
  return {
    frames,
    add: (profile) =>
      Int32Array.from(profile.frames, (frame) => {
        if (metaNodeOf(frame) !== undefined) return -1;
        const key = `${frame.line}:${frame.column}:${frame.functionName}\n${frame.url}`;
        const found = known.get(key);
        if (found !== undefined) return found;
        const { functionName, url } = frame;
        const number = frames.push({ functionName, url, line: line0(frame.line), column: column0(frame.column) }) - 1;
        known.set(key, number);
        return number;
      }),
  };
}
