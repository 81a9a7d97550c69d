import type { ProfileDamage, ProfileDefects } from '../../samples/cpu-profile.ts';

/** What is to be said about a `.cpuprofile` file. */
export type ProfileWarning =
  | { readonly type: 'profileDamaged'; readonly file: string; readonly damage: ProfileDamage }
  | {
      readonly type: 'unknownNodes' | 'unpairedSamples' | 'implausibleTimes';
      readonly file: string;
      readonly count: number;
    }
  | { readonly type: 'endsEarly' | 'followedByMore'; readonly file: string };

/** What was repaired in a file; empty where nothing was wrong. */
export function defectWarnings(file: string, defects: ProfileDefects): readonly ProfileWarning[] {
  const { unknownNodes, unpaired, implausible, endsEarly, isFollowed } = defects;
  const all: readonly (ProfileWarning | null)[] = [
    unknownNodes > 0 ? { type: 'unknownNodes', file, count: unknownNodes } : null,
    unpaired > 0 ? { type: 'unpairedSamples', file, count: unpaired } : null,
    implausible > 0 ? { type: 'implausibleTimes', file, count: implausible } : null,
    endsEarly ? { type: 'endsEarly', file } : null,
    isFollowed ? { type: 'followedByMore', file } : null,
  ];
  return all.filter((warning) => warning !== null);
}
