import { type ProgramLoops, programLoops } from '../engine/event-loop/program-loops.ts';
import type { SampleStream } from '../engine/samples/sample-stream.ts';
import { duration } from './formats/figures.ts';

/**
 * Sentences about the loops that somebody waits for: `Event loop busy 62 % of 12.3 s · delay p50 0 ms, p99 212 ms, at
 * most 312 ms · GC 3 %`. Where there are several programs, each has its own, `Event loop of server.js busy …`.
 */
export function loopSummaries(streams: readonly SampleStream[]): readonly string[] {
  const programs = programLoops(streams);
  return programs.map((loops) => `Event loop${programs.length > 1 ? nameText(loops) : ''} busy ${figuresText(loops)}`);
}

/** The name in such a sentence: ` of server.js`, ` of vitest (28 processes)`. */
function nameText({ program, processes }: ProgramLoops): string {
  return ` of ${program ?? 'other processes'}${processes > 1 ? ` (${processes} processes)` : ''}`;
}

function figuresText({ time, busy, collecting, delays }: ProgramLoops): string {
  const percent = (part: number): string => `${Math.min(100, Math.round((100 * part) / time))} %`;
  return [
    `${percent(busy)} of ${duration(time)}`,
    `delay p50 ${duration(delays.p50)}, p99 ${duration(delays.p99)}, at most ${duration(delays.most)}`,
    `GC ${percent(collecting)}`,
  ].join(' · ');
}
