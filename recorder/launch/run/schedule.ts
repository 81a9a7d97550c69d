/** Timers that end together. */
export interface Schedule {
  readonly later: (ms: number, work: () => void) => void;
  readonly dispose: () => void;
}

export function openSchedule(): Schedule {
  const timers = new Set<NodeJS.Timeout>();
  return {
    later: (ms, work) => void timers.add(setTimeout(work, ms)),
    dispose: () => {
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
