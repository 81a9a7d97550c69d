import { spawn, type ChildProcess } from 'node:child_process';

/** Tells a signal to this process alone (`kill`) from one to all of its group (Ctrl+C). */
export interface GroupWitness {
  /** Whether a signal that this process has had was the group's; null where that cannot be told. Takes some ms. */
  readonly hadIt: (at: number) => Promise<boolean | null>;
  readonly dispose: () => void;
}

/** Of two that are so near to each other, in ms, the second may have come while the next witness was being started. */
const near = 200;

/**
 * A process of the same group that does nothing: a terminal's Ctrl+C ends it too. One that still answers did not get the
 * signal. It ends by itself when this process does. Times are in ms, by `performance.now`.
 */
export function watchGroup(signals: readonly NodeJS.Signals[]): GroupWitness {
  const state: { witness: ChildProcess | null; endedAt: number } = { witness: null, endedAt: -Infinity };
  const begin = (): void => {
    // Ctrl+\ would leave a file of it.
    const witness = spawn('/bin/sh', ['-c', 'ulimit -c 0; exec cat'], { stdio: ['pipe', 'pipe', 'ignore'] });
    state.witness = witness;
    witness.on('error', () => {
      state.witness = null;
    });
    witness.stdin.on('error', () => {}); // It has ended meanwhile.
    witness.once('exit', (_code, signal) => {
      state.witness = null;
      if (signal === null || !signals.includes(signal)) return;
      state.endedAt = performance.now();
      begin();
    });
  };
  if (process.platform !== 'win32') begin();
  return {
    hadIt: async (at) => {
      if (state.endedAt > at - near) return true;
      return state.witness === null ? null : hasEndedUnasked(state.witness);
    },
    dispose: () => {
      const { witness } = state;
      state.witness = null;
      witness?.removeAllListeners('exit');
      witness?.stdin?.destroy();
      witness?.stdout?.destroy();
      witness?.unref();
    },
  };
}

/** False once it has answered. */
async function hasEndedUnasked(witness: ChildProcess): Promise<boolean> {
  return new Promise((resolve) => {
    witness.once('exit', () => resolve(true));
    witness.stdout?.once('data', () => resolve(false));
    witness.stdin?.write('.');
  });
}
