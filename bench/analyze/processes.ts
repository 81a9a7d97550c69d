import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';

/** One way to read a profile: the arguments of a Node process. */
export interface Way {
  readonly name: string;
  readonly words: readonly string[];
}

/** Medians of several processes. */
export interface Figures {
  /**
   * Processor time of all its threads, user's and system's, without what an empty process takes. The time from start to
   * end says little on a machine that does other things too.
   */
  readonly cpuMs: number;
  /** The most memory that it held (RSS). */
  readonly peakMb: number;
  /** It ended as it should, each time. */
  readonly isGood: boolean;
}

/** Starts each way in turn, so often, each in a process of its own; an empty process first. `folder` is for its own files. */
export function compare(ways: readonly Way[], rounds: number, folder: string): ReadonlyMap<string, Figures> {
  const hook = path.join(folder, 'peak.cjs');
  writeFileSync(
    hook,
    `process.on('exit', () => {
      const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
      require('fs').writeSync(3, [(userCPUTime + systemCPUTime) / 1000, maxRSS / 1024].join(' '));
    });`,
  );
  const empty = path.join(folder, 'empty.cjs');
  writeFileSync(empty, '');
  const all: readonly Way[] = [{ name: 'empty process', words: [empty] }, ...ways];
  const runs = new Map(all.map(({ name }): [string, Figures[]] => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const { name, words } of all) runs.get(name)?.push(runOnce(hook, words, folder));
  }
  const base = median((runs.get('empty process') ?? []).map(({ cpuMs }) => cpuMs));
  return new Map([...runs].map(([name, list]) => [name, medians(list, name === 'empty process' ? 0 : base)]));
}

function runOnce(hook: string, words: readonly string[], folder: string): Figures {
  const ended: SpawnSyncReturns<string> = spawnSync(process.execPath, ['--require', hook, ...words], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
  });
  const [cpuMs = Number.NaN, peakMb = Number.NaN] = (ended.output[3] ?? '').split(' ').map(Number);
  return { cpuMs, peakMb, isGood: ended.status === 0 };
}

function medians(list: readonly Figures[], base: number): Figures {
  return {
    cpuMs: median(list.map(({ cpuMs }) => cpuMs)) - base,
    peakMb: median(list.map(({ peakMb }) => peakMb)),
    isGood: list.every(({ isGood }) => isGood),
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
