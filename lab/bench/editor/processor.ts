import { readdirSync, readFileSync } from 'node:fs';

/** What the kernel has counted of a thread, in ms: it ran, and it was ready to run but another one had the processor. */
interface Counted {
  readonly ran: number;
  readonly waited: number;
}

/** Processor time of a process's main thread, in ms. */
export function mainThreadTime(pid: number): number {
  return countedOf(pid, String(pid)).ran;
}

/** Looks at some processes over and over, so that it is known later what they waited for a processor in an interval. */
export class WaitWatch {
  readonly #pids: () => readonly number[];
  readonly #looks: { readonly at: number; readonly waits: ReadonlyMap<string, number> }[] = [];
  readonly #timer: NodeJS.Timeout;

  /** `pids` is asked at each look, because processes come and go. */
  constructor(pids: () => readonly number[]) {
    this.#pids = pids;
    this.#timer = setInterval(() => this.#look(), everyMs);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /**
   * The wait between two times, in ms since the epoch: for each process that of its thread that waited longest, added up.
   * The processes work one after the other, and in each one thread does.
   */
  waitedBetween(start: number, end: number): number {
    const before = this.#looks.findLast(({ at }) => at <= start)?.waits;
    const after = this.#looks.find(({ at }) => at >= end)?.waits ?? this.#looks.at(-1)?.waits;
    const longest = new Map<string, number>();
    for (const [thread, waited] of after ?? []) {
      const [pid = ''] = thread.split(' ');
      const since = waited - (before?.get(thread) ?? 0);
      longest.set(pid, Math.max(longest.get(pid) ?? 0, since));
    }
    return [...longest.values()].reduce((sum, ms) => sum + ms, 0);
  }

  #look(): void {
    const waits = new Map<string, number>();
    for (const pid of this.#pids()) {
      for (const thread of threadsOf(pid)) waits.set(`${pid} ${thread}`, countedOf(pid, thread).waited);
    }
    this.#looks.push({ at: Date.now(), waits });
  }
}

const everyMs = 50;

function threadsOf(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return []; // It has ended.
  }
}

/** Zero for a thread that has ended. */
function countedOf(pid: number, thread: string): Counted {
  try {
    const [ran = 0, waited = 0] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ').map(Number);
    return { ran: ran / 1e6, waited: waited / 1e6 };
  } catch {
    return { ran: 0, waited: 0 };
  }
}
