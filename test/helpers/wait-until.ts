import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** Waits until something is so that only the system knows; an error counts as "not yet". The limit is that of the file. */
export async function waitUntil(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds(isSo))) await delay(20);
}

async function holds(isSo: () => boolean | Promise<boolean>): Promise<boolean> {
  try {
    return await isSo();
  } catch {
    return false; // The file is not there yet, or the process.
  }
}

/**
 * Sends signals one after the other, each once the one before has reached the process: the kernel keeps one of each kind
 * that waits. Elsewhere than on Linux they are sent at once. A process that ends by one of them gets no more.
 */
export async function sendSignals(pid: number, signals: readonly NodeJS.Signals[]): Promise<void> {
  for (const signal of signals) {
    if (!isSent(pid, signal)) return;
    await waitUntil(() => process.platform !== 'linux' || !hasWaitingSignals(Math.abs(pid)));
  }
}

/** False where the process has ended. */
function isSent(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

function hasWaitingSignals(pid: number): boolean {
  const status = statusOf(pid);
  return status !== null && /^(Shd|Sig)Pnd:\s*0*[1-9a-f]/m.test(status);
}

function statusOf(pid: number): string | null {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return null; // It has ended.
  }
}
