import type { ProfileDefects } from '../../samples/cpu-profile.ts';
import type { Warning } from '../../../../words/warnings/warning-text.ts';

/** What was repaired in a file; empty where nothing was wrong. */
export function defectWarnings(file: string, defects: ProfileDefects): readonly Warning[] {
  const { unknownNodes, unpaired, implausible, endsEarly, isFollowed } = defects;
  const all: readonly (Warning | null)[] = [
    unknownNodes > 0 ? { type: 'unknownNodes', file, count: unknownNodes } : null,
    unpaired > 0 ? { type: 'unpairedSamples', file, count: unpaired } : null,
    implausible > 0 ? { type: 'implausibleTimes', file, count: implausible } : null,
    endsEarly ? { type: 'endsEarly', file } : null,
    isFollowed ? { type: 'followedByMore', file } : null,
  ];
  return all.filter((warning) => warning !== null);
}
