import { plural } from '../../../words/formats/figures.ts';
import { inflatedText } from '../cpuprofile/describe-damage.ts';
import type { V8Log } from './v8-log.ts';

/** What is wrong with a V8 log, and what to do; to be put after its name. */
export function describeLogDamage(damage: keyof typeof sentences): string {
  return sentences[damage];
}

const sentences = {
  empty: 'is empty: the program ended before V8 wrote its log; record again',
  badGzip: 'is a damaged gzip file: copy it again or record again',
  inflated: inflatedText,
  notLog: 'is no V8 log that can be read: record again with "hotspan record --tiers", or with node --prof',
  noTicks: 'holds no ticks: the program ended too soon, or ran without --prof; record a longer run',
} as const;

/** What was odd in a log that could be read, to be put after its name; empty where nothing was. */
export function describeLog({ version, problems }: V8Log): readonly string[] {
  const { unreadable, unknown, restarts, backwards } = problems;
  const v8 = Number(version?.split('.')[0] ?? Number.NaN);
  const isKnown = v8 >= oldestV8 && v8 <= newestV8;
  return [
    ...(version === null ? ['does not say which V8 wrote it: its figures may be wrong'] : []),
    ...(version === null || isKnown
      ? []
      : [
          `was written by V8 ${version}, which Hotspan was not tested on: compare what seems odd with node --prof-process`,
        ]),
    ...linesNotRead(unreadable, 'that cannot be read'),
    ...linesNotRead(unknown, 'of a kind that Hotspan does not know'),
    ...(restarts > 0
      ? ['holds the logs of several isolates, mixed up: record again without --no-logfile-per-isolate']
      : []),
    ...(backwards > 0 ? [`has ${plural(backwards, 'tick')} before the one in front of it: taken as at its time`] : []),
  ];
}

/** Versions of V8 in Node.js 20 and 26. */
const oldestV8 = 11;
const newestV8 = 14;

function linesNotRead(kinds: ReadonlyMap<string, number>, what: string): readonly string[] {
  const count = [...kinds.values()].reduce((sum, number) => sum + number, 0);
  if (count === 0) return [];
  const names = [...kinds.keys()];
  const named = `${names.slice(0, mostNamed).join(', ')}${names.length > mostNamed ? ', …' : ''}`;
  return [`has ${plural(count, 'line')} ${what} (${named}): the rest is shown`];
}

const mostNamed = 3;
