import { type ChildProcess, spawnSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { isGroupRunning, send } from '../../../recordings/run-processes.ts';

/** Signals that end a comparison, a check or a baseline, with all that it has started. */
export const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Time in ms in which the processes of a group may end after a signal. Then they are killed. */
const patience = 2000;
/** And time after which nothing is waited for: what the system cannot kill waits for a disk. In ms. */
const longest = 3000;

/** What ends a group of processes. */
export interface GroupEnd {
  /** Settles once all processes of the group are gone; at once where no signal came. */
  readonly isGone: () => Promise<void>;
  readonly dispose: () => void;
}

/**
 * Ends all processes of the group that a child leads when a signal comes to this process: by the same signal, and those
 * that ignore it by SIGKILL, at a second signal at once. The child must have been started with `inGroup`.
 */
export function endGroupAtSignal(child: ChildProcess): GroupEnd {
  const ending = new Set<Promise<void>>();
  const onSignal = (signal: NodeJS.Signals): void => {
    const isRepeated = ending.size > 0;
    if (child.pid !== undefined) ending.add(endGroup(child.pid, isRepeated ? 'SIGKILL' : signal));
  };
  for (const signal of stopSignals) process.on(signal, onSignal);
  return {
    isGone: async () => void (await Promise.all(ending)),
    dispose: () => {
      for (const signal of stopSignals) process.off(signal, onSignal);
    },
  };
}

/** Options by which a child leads a group of its own: so all that it starts can be ended together. */
export const inGroup = { detached: process.platform !== 'win32' } as const;

async function endGroup(leader: number, signal: NodeJS.Signals): Promise<void> {
  if (process.platform === 'win32') {
    spawnSync('taskkill', ['/pid', String(leader), '/T', '/F'], { stdio: 'ignore' });
    return;
  }
  const since = performance.now();
  send(-leader, signal);
  while (isGroupRunning(leader)) {
    // Once it is late, again and again: a process may start others between being asked and being killed.
    if (performance.now() - since > patience) send(-leader, 'SIGKILL');
    if (performance.now() - since > longest) return;
    await delay(20);
  }
}
