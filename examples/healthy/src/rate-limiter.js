/** Lets each key through `limit` times within any `windowMs`. Forgets a key when its window is over. */
export class RateLimiter {
  #limit;
  #windowMs;
  #now;
  #passes = new Map();

  constructor({ limit, windowMs, now = Date.now }) {
    this.#limit = limit;
    this.#windowMs = windowMs;
    this.#now = now;
  }

  /** True when the key may pass now; the pass is counted. */
  tryPass(key) {
    const recent = this.#recentPasses(key);
    if (recent.length >= this.#limit) return false;
    this.#passes.set(key, [...recent, this.#now()]);
    return true;
  }

  /** How long until the key may pass again, in ms. */
  waitFor(key) {
    const recent = this.#recentPasses(key);
    return recent.length < this.#limit ? 0 : recent[0] + this.#windowMs - this.#now();
  }

  #recentPasses(key) {
    const since = this.#now() - this.#windowMs;
    return (this.#passes.get(key) ?? []).filter((time) => time > since);
  }
}
