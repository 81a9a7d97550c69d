import { type ProgramLoops, programLoops } from '../engine/cut/event-loop/program-loops.ts';
import type { SampleStream } from '../engine/read/samples/sample-stream.ts';
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
function nameText(loops: ProgramLoops): string {
  return ` of ${programText(loops)}`;
}

/** A program by name: `server.js`, `vitest (28 processes)`. */
export function programText({ program, processes }: ProgramLoops): string {
  return `${program ?? 'other processes'}${processes > 1 ? ` (${processes} processes)` : ''}`;
}

function figuresText(loops: ProgramLoops): string {
  const { busy, delay, collections } = loopTexts(loops);
  return `${busy} · delay ${delay} · GC ${collections}`;
}

/** The figures of a loop one by one: `62 % of 12.3 s`, `p50 0 ms, p99 212 ms, at most 312 ms`, `3 %`. */
export function loopTexts({ time, busy, collecting, delays }: ProgramLoops): LoopTexts {
  const percent = (part: number): string => `${Math.min(100, Math.round((100 * part) / time))} %`;
  return {
    busy: `${percent(busy)} of ${duration(time)}`,
    delay: `p50 ${duration(delays.p50)}, p99 ${duration(delays.p99)}, at most ${duration(delays.most)}`,
    collections: percent(collecting),
  };
}

interface LoopTexts {
  readonly busy: string;
  readonly delay: string;
  readonly collections: string;
}
