import { plural } from '../../../words/formats/figures.ts';
import type { ProfileDamage, ProfileDefects } from '../../samples/cpu-profile.ts';

/** What is wrong with a file, and what to do; to be put after its name. */
export function describeDamage(damage: ProfileDamage): string {
  return sentences[damage];
}

/** Sentence about a gzip file that unpacks to too much. */
export const inflatedText =
  'unpacks to over fifty times its size, which no recording does: if it is yours, unpack it with "gunzip" first';

const sentences: Readonly<Record<ProfileDamage, string>> = {
  empty: 'is empty: the program ended before the profile was written; record again',
  badGzip: 'is a damaged gzip file: copy it again or record again',
  inflated: inflatedText,
  cutOff: 'is cut off in the middle: the program ended while the profile was written; record again',
  notJson: 'is no CPU profile, nor any other JSON: give a .cpuprofile file or a recording folder',
  otherJson: 'is JSON, but no CPU profile: give a .cpuprofile file or a recording folder',
  badNodes: 'is damaged: nodes of its call tree lack a number or a call frame, or share one; record again',
  cycle: 'is damaged: its call tree runs in a circle; record again',
  tooLong: 'is damaged: one node of its call tree takes over 256 MB, which is more than a name can; record again',
  tooMany:
    'has over 8 million nodes, or over 600 000 different functions, which no program has: record a shorter run, or one process alone',
  noSamples: 'holds no samples: the program ended too soon, or the profiler never ran; record a longer run',
  noStacks: 'is damaged: its call tree has none of the nodes that were sampled; record again',
  noTimes: 'is damaged: none of its times is one that a clock can show; record again',
};

/** What was repaired in a file, to be put after its name; empty where nothing was wrong. */
export function describeDefects(defects: ProfileDefects): readonly string[] {
  const { unknownNodes, unpaired, implausible, endsEarly, isFollowed } = defects;
  return [
    ...(unknownNodes > 0 ? [`has ${plural(unknownNodes, 'sample')} of unknown nodes: counted as (program)`] : []),
    ...(unpaired > 0 ? [`has ${plural(unpaired, 'sample')} or times too many: left out`] : []),
    ...(implausible > 0 ? [`has ${plural(implausible, 'time')} that no clock can show: taken as 0`] : []),
    ...(endsEarly ? ['says that it ended before its last sample: that sample lasts no time'] : []),
    ...(isFollowed ? ['has something behind its end that is no part of it: left out'] : []),
  ];
}
