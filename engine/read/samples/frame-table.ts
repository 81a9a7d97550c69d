import { type Column0, type Line0, column0, line0 } from '../../../protocol/units.ts';
import type { CpuProfile } from './cpu-profile.ts';
import { metaNodeOf } from './profile-tree.ts';

/** A call frame exactly as in a profile. */
export interface Frame {
  readonly functionName: string;
  readonly url: string;
  readonly line: Line0;
  readonly column: Column0;
  readonly functionId: number;
}

/** A call frame whose function is not known yet. */
export type UnnamedFrame = Omit<Frame, 'functionId'>;

/** Numbers the call frames of all profiles. Each distinct frame has one number. */
export interface FrameTable {
  readonly frames: readonly UnnamedFrame[];
  /** Numbers of the profile's frames; −1 for meta frames. `urls` replaces the urls of some of its scripts. */
  readonly add: (profile: CpuProfile, urls?: ReadonlyMap<string, string>) => Int32Array;
}

export function createFrameTable(): FrameTable {
  const frames: UnnamedFrame[] = [];
  const known = new Map<string, number>();
  return {
    frames,
    add: (profile, urls) =>
      Int32Array.from(profile.frames, (frame) => {
        if (metaNodeOf(frame) !== undefined) return -1;
        const url = urls?.get(frame.url) ?? frame.url;
        const key = `${frame.line}:${frame.column}:${frame.functionName}\n${url}`;
        const found = known.get(key);
        if (found !== undefined) return found;
        const { functionName } = frame;
        const number = frames.push({ functionName, url, line: line0(frame.line), column: column0(frame.column) }) - 1;
        known.set(key, number);
        return number;
      }),
  };
}
