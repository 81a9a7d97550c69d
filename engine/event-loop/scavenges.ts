import { plural } from '../../words/formats/figures.ts';
import type { SampleStream } from '../samples/sample-stream.ts';
import { heldShare } from './delays.ts';
import { busyTime } from '../samples/loop-log.ts';

/** A sentence where more than a tenth of an event loop's busy time went into scavenges: of the loop where it was most. */
export function scavengeSentences(streams: readonly SampleStream[]): readonly string[] {
  const shares = streams.flatMap(({ turns, isolate }) => {
    const busy = (turns?.loop.periods ?? []).reduce((sum, period) => sum + busyTime(period), 0);
    const scavenges = (turns?.loop.collections ?? []).filter(({ kind }) => youngKinds.test(kind));
    // By the clock, as V8 measures it.
    const clock = scavenges.reduce((sum, collections) => sum + collections.time, 0);
    const time = clock * (turns === null ? 1 : heldShare(turns));
    const count = scavenges.reduce((sum, collections) => sum + collections.count, 0);
    return time > leastTime && time * 10 > busy ? [{ share: Math.min(1, time / busy), count, pid: isolate.pid }] : [];
  });
  const [worst] = shares.toSorted((a, b) => b.share - a.share);
  if (worst === undefined) return [];
  const where = worst.pid === null ? '' : ` of process ${worst.pid}`;
  return [
    `${Math.round(worst.share * 100)} % of the busy time${where} went into ${plural(worst.count, 'scavenge')} (collections of short-lived objects): make fewer such objects, or give them room with node --max-semi-space-size=64 (in MB).`,
  ];
}

/** V8 calls it by either name. */
const youngKinds = /^(Scavenge|MinorMarkSweep)$/;

/** In µs: less is not worth a word. */
const leastTime = 100_000;
