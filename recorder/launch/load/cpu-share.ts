import { readFileSync, readdirSync } from 'node:fs';
import { attempted } from '../../../recordings/private-files.ts';
import { parentOf } from '../../../recordings/run-processes.ts';
import type { sendLoad } from './load.ts';

/** Sends a load, and adds to its figures which share of the CPU time that it wanted the program below this process got. */
export function withCpuShare(send: typeof sendLoad): typeof sendLoad {
  return async (plan, watch) => {
    const before = schedulesBelow(process.pid);
    const result = await send(plan, watch);
    const cpuShare = shareSince(before, schedulesBelow(process.pid));
    return result.type === 'failed' || cpuShare === null
      ? result
      : { ...result, figures: { ...result.figures, cpuShare } };
  };
}

/** How long a main thread ran, and waited for a CPU, in ns. */
type Schedule = readonly [ran: number, waited: number];
type Schedules = ReadonlyMap<number, Schedule>;

/** Of all processes below one, by pid; empty on other systems than Linux. */
function schedulesBelow(pid: number): Schedules {
  const names = process.platform === 'linux' ? readdirSync('/proc') : [];
  const pids = names.filter((name) => /^\d+$/.test(name)).map(Number);
  const parents = pids.map((child) => [child, parentOf(child)] as const);
  const below = new Set([pid]);
  // Iterating a set also visits what is added meanwhile.
  for (const above of below) for (const [child, parent] of parents) if (parent === above) below.add(child);
  below.delete(pid);
  return new Map([...below].map((one) => [one, attempted(() => scheduleOf(one)) ?? [0, 0]]));
}

function scheduleOf(pid: number): Schedule {
  const [ran = 0, waited = 0] = readFileSync(`/proc/${pid}/schedstat`, 'latin1').split(' ').map(Number);
  return [ran, waited];
}

/** From 0 to 1; null where nothing ran, or the kernel does not count waits. */
function shareSince(before: Schedules, after: Schedules): number | null {
  let [ran, waited] = [0, 0];
  for (const [pid, now] of after) {
    const [ranBefore, waitedBefore] = before.get(pid) ?? [0, 0];
    // Those of a process that has ended cannot be read.
    ran += Math.max(0, now[0] - ranBefore);
    waited += Math.max(0, now[1] - waitedBefore);
  }
  return ran === 0 || waited === 0 ? null : ran / (ran + waited);
}
