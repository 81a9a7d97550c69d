import type { ManyScavenges } from '../../engine/cut/event-loop/program-loops.ts';
import type { DoubtWarning } from '../../engine/judge/hotspots/doubt-warnings.ts';
import { duration, plural } from '../formats/figures.ts';
import type { Texts } from './text-table.ts';

/** About what makes figures doubtful, and about collections of garbage. */
export const doubtTexts: Texts<DoubtWarning | ManyScavenges> = {
  busyMachine({ ran, waited }) {
    return `The machine was busy: the processor was yours ${percent(ran, ran + waited)} of the time. What the program itself waited for it is in no figure; a figure that says "waited" may hold what the awaited process waited.`;
  },
  noProcessor({ operations, long, ran, duration: time }) {
    return `The machine was busy, or the program waited: ${operations} of ${plural(long, 'long operation')} had the processor for less than 70 % of the time (${duration(ran)} of CPU in ${duration(time)}). ${operations === 1 ? 'Its' : 'Their'} figures are estimates: record again when less is running.`;
  },
  slowedByRecorder({ operations, long }) {
    return `${operations} of ${plural(long, 'long operation')} made so many callbacks that recording them took over a tenth of the time: it was taken off, and ${operations === 1 ? 'its' : 'their'} figures are estimates.`;
  },
  lateSamples({ late, working }) {
    return `The machine was busy while this was profiled, or samples were lost: ${percent(late, working)} of the working time lies between samples that came late, so times are longer than on a quiet machine. "hotspan record" tells what others took.`;
  },
  manyScavenges({ share, count, pid }) {
    return `${percent(share, 1)} of the busy time${pid === null ? '' : ` of process ${pid}`} went into ${plural(count, 'scavenge')} (collections of short-lived objects): make fewer such objects, or give them room with node --max-semi-space-size=64 (in MB).`;
  },
};

function percent(part: number, whole: number): string {
  return `${Math.round((100 * part) / whole)} %`;
}
