/** Runs asynchronous jobs, `concurrency` at a time, in the order in which they were added. */
export class Queue {
  #concurrency;
  #running = 0;
  #waiting = [];

  constructor(concurrency) {
    this.#concurrency = concurrency;
  }

  /** Resolves or rejects as the job does. */
  async add(job) {
    if (this.#running >= this.#concurrency) await new Promise((start) => this.#waiting.push(start));
    this.#running++;
    try {
      return await job();
    } finally {
      this.#running--;
      this.#waiting.shift()?.();
    }
  }
}
