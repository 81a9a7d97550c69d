import { setTimeout as delay } from 'node:timers/promises';
import type { EventLog } from '../../../recordings/event-log.ts';
import { liveProcesses } from '../../../recordings/event-log.ts';

/**
 * Waits for processes that outlive the command by a moment, because they are saving what they recorded: a signal has
 * reached them (3 s at most), or they are about to end by themselves (0.3 s; a daemon would never).
 */
export async function waitForStragglers(events: EventLog): Promise<void> {
  const since = Date.now();
  for (;;) {
    const live = liveProcesses(events.read());
    const waited = Date.now() - since;
    const isWorthWaiting = live.some((one) => waited < (one.signals.length > 0 ? 3000 : 300));
    if (!isWorthWaiting) return;
    await delay(20);
  }
}
