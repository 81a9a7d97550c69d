import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { Queue } from '../src/queue.js';

describe('queue', () => {
  it('runs no more jobs at a time than it may', async () => {
    const queue = new Queue(3);
    let running = 0;
    let most = 0;
    const job = async () => {
      most = Math.max(most, ++running);
      await delay(5);
      running--;
    };
    await Promise.all(Array.from({ length: 12 }, () => queue.add(job)));
    assert.equal(most, 3);
  });

  it('keeps the order', async () => {
    const queue = new Queue(1);
    const done = [];
    await Promise.all(['a', 'b', 'c'].map((name) => queue.add(async () => done.push(name))));
    assert.deepEqual(done, ['a', 'b', 'c']);
  });

  it('hands on the result, and goes on after a failure', async () => {
    const queue = new Queue(1);
    const failing = queue.add(() => Promise.reject(new Error('no disk')));
    const next = queue.add(async () => 42);
    await assert.rejects(failing, /no disk/);
    assert.equal(await next, 42);
  });
});
