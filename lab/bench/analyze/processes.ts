import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { median } from '../../../protocol/figures.ts';

/** One way to read a profile: the arguments of a Node process. */
export interface Way {
  readonly name: string;
  readonly words: readonly string[];
  /** The folder in which it runs; without one, that of the measurement. */
  readonly folder?: string;
}

/** Medians over several processes. */
export interface Figures {
  /** Time from start to end, less that of an empty process. On a machine that does other things too, it says little. */
  readonly wallMs: number;
  /** Processor time of all threads, user and system, less that of an empty process. */
  readonly cpuMs: number;
  /**
   * Processor time of the main thread alone. On a machine that does nothing else, the process takes about this long
   * from start to end.
   */
  readonly mainMs: number;
  /** Peak memory (RSS). */
  readonly peakMb: number;
  /** True where each process ended as it should, and within five minutes. */
  readonly isGood: boolean;
}

/**
 * Starts each way this many times, in turn, each time in a new process; an empty process comes first. `folder` takes
 * its own files.
 */
export function compare(ways: readonly Way[], rounds: number, folder: string): ReadonlyMap<string, Figures> {
  const hook = path.join(folder, 'peak.cjs');
  writeFileSync(
    hook,
    `process.on('exit', () => {
      const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
      const main = process.threadCpuUsage();
      const figures = [(userCPUTime + systemCPUTime) / 1000, (main.user + main.system) / 1000, maxRSS / 1024];
      require('fs').writeSync(3, figures.join(' '));
    });`,
  );
  const nothing = path.join(folder, 'empty.cjs');
  writeFileSync(nothing, '');
  const all: readonly Way[] = [{ name: 'empty process', words: [nothing] }, ...ways];
  const runs = new Map(all.map(({ name }): [string, Figures[]] => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const way of all) runs.get(way.name)?.push(runOnce(hook, way.words, way.folder ?? folder));
  }
  const empty = medians(runs.get('empty process') ?? []);
  const above = (figures: Figures): Figures => ({
    ...figures,
    wallMs: figures.wallMs - empty.wallMs,
    cpuMs: figures.cpuMs - empty.cpuMs,
    mainMs: figures.mainMs - empty.mainMs,
  });
  return new Map(ways.map(({ name }) => [name, above(medians(runs.get(name) ?? []))]));
}

function runOnce(hook: string, words: readonly string[], folder: string): Figures {
  const start = performance.now();
  const ended: SpawnSyncReturns<string> = spawnSync(process.execPath, ['--require', hook, ...words], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
    timeout: 300_000,
  });
  const wallMs = performance.now() - start;
  const [cpuMs = Number.NaN, mainMs = Number.NaN, peakMb = Number.NaN] = (ended.output[3] ?? '').split(' ').map(Number);
  return { wallMs, cpuMs, mainMs, peakMb, isGood: ended.status === 0 };
}

function medians(list: readonly Figures[]): Figures {
  return {
    wallMs: median(list.map(({ wallMs }) => wallMs)),
    cpuMs: median(list.map(({ cpuMs }) => cpuMs)),
    mainMs: median(list.map(({ mainMs }) => mainMs)),
    peakMb: median(list.map(({ peakMb }) => peakMb)),
    isGood: list.every(({ isGood }) => isGood),
  };
}
