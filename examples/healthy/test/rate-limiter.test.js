import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { RateLimiter } from '../src/rate-limiter.js';

describe('rate limiter', () => {
  let now, limiter;
  beforeEach(() => {
    now = 0;
    limiter = new RateLimiter({ limit: 2, windowMs: 1000, now: () => now });
  });

  it('lets a key through up to its limit', () => {
    assert.deepEqual([limiter.tryPass('ada'), limiter.tryPass('ada'), limiter.tryPass('ada')], [true, true, false]);
  });

  it('counts each key by itself', () => {
    limiter.tryPass('ada');
    limiter.tryPass('ada');
    assert.ok(limiter.tryPass('grace'));
  });

  it('opens again when the window has moved on', () => {
    limiter.tryPass('ada');
    now = 400;
    limiter.tryPass('ada');
    assert.equal(limiter.waitFor('ada'), 600);
    now = 1000;
    assert.equal(limiter.waitFor('ada'), 0);
    assert.ok(limiter.tryPass('ada'));
  });

  it('holds for many keys over time', async () => {
    const keys = Array.from({ length: 6000 }, (_, user) => `user ${user}`);
    let passed = 0;
    for (now = 0; now < 20_000; now += 100) {
      passed += keys.filter((key) => limiter.tryPass(key)).length;
      await nextTurn();
    }
    assert.equal(passed, keys.length * 2 * 20);
  });
});
