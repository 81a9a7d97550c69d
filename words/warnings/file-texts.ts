import type { FileWarning } from '../../engine/read/import/load-profile.ts';
import type { LogDamage } from '../../engine/read/import/v8-log/log-warning.ts';
import type { ProfileDamage } from '../../engine/read/samples/cpu-profile.ts';
import type { TextsUnreadable } from '../../engine/read/texts/kept-texts.ts';
import { plural } from '../formats/figures.ts';
import { fileKindText } from './file-kind-names.ts';
import { type Texts, firstNames } from './text-table.ts';

/** About one file that was read or could not be. */
export const fileTexts: Texts<FileWarning | TextsUnreadable> = {
  fileUnreadable({ file }) {
    return `${file} cannot be read: it may be somebody else's, or was deleted meanwhile.`;
  },
  otherKind({ file, kind }) {
    return `${file} ${fileKindText(kind)}.`;
  },
  profileDamaged({ file, damage }) {
    return `${file} ${profileDamages[damage]}.`;
  },
  unknownNodes({ file, count }) {
    return `${file} has ${plural(count, 'sample')} of unknown nodes: counted as (program).`;
  },
  unpairedSamples({ file, count }) {
    return `${file} has ${plural(count, 'sample')} or times too many: left out.`;
  },
  implausibleTimes({ file, count }) {
    return `${file} has ${plural(count, 'time')} that no clock can show: taken as 0.`;
  },
  endsEarly({ file }) {
    return `${file} says that it ended before its last sample: that sample lasts no time.`;
  },
  followedByMore({ file }) {
    return `${file} has something behind its end that is no part of it: left out.`;
  },
  traceDamaged({ file, damage }) {
    return `${file} ${traceDamages[damage]}.`;
  },
  logDamaged({ file, damage }) {
    return `${file} ${logDamages[damage]}.`;
  },
  logCutOff({ file }) {
    return `${file} ends in the middle of a line, because the program was killed or the file was cut off: what comes before is shown.`;
  },
  unknownV8({ file }) {
    return `${file} does not say which V8 wrote it: its figures may be wrong.`;
  },
  untestedV8({ file, version }) {
    return `${file} was written by V8 ${version}, which Hotspan was not tested on: compare what seems odd with node --prof-process.`;
  },
  unreadableLines({ file, count, kinds }) {
    return `${file} has ${plural(count, 'line')} that cannot be read (${firstNames(kinds)}): the rest is shown.`;
  },
  unknownLines({ file, count, kinds }) {
    return `${file} has ${plural(count, 'line')} of a kind that Hotspan does not know (${firstNames(kinds)}): the rest is shown.`;
  },
  mixedIsolates({ file }) {
    return `${file} holds the logs of several isolates, mixed up: record again without --no-logfile-per-isolate.`;
  },
  backwardTicks({ file, count }) {
    return `${file} has ${plural(count, 'tick')} before the one in front of it: taken as at its time.`;
  },
  textsUnreadable({ file }) {
    return `${file} is damaged, or unpacks to more than any recording holds: lines are shown as the files are today. Record again where they have changed.`;
  },
};

const badGzip = 'is a damaged gzip file: copy it again or record again';
const inflated =
  'unpacks to over fifty times its size, which no recording does: if it is yours, unpack it with "gunzip" first';

const profileDamages: Readonly<Record<ProfileDamage, string>> = {
  empty: 'is empty: the program ended before the profile was written; record again',
  badGzip,
  inflated,
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

const traceDamages: Readonly<Record<Extract<FileWarning, { type: 'traceDamaged' }>['damage'], string>> = {
  empty:
    'is a trace without JavaScript samples: take it in the Performance panel of Chrome, or record the program with "hotspan record"',
  cutOff: 'is a trace that is cut off before its first JavaScript samples: copy it again or take it again',
  partly: 'is a trace that is cut off: what comes before is shown; copy it again or take it again',
};

const logDamages: Readonly<Record<LogDamage, string>> = {
  empty: 'is empty: the program ended before V8 wrote its log; record again',
  badGzip,
  inflated,
  notLog: 'is no V8 log that can be read: record again with "hotspan record --tiers", or with node --prof',
  noTicks: 'holds no ticks: the program ended too soon, or ran without --prof; record a longer run',
};
