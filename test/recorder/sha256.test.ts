import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { sha256 } from '../../recorder/launch/run/sha256.ts';

test('a text of any length and language has the hash that Node computes', () => {
  const drawn = 'ab€\u{1f600}z\0ÿ';
  for (let length = 0; length < 300; length++) {
    const text = drawn.repeat(Math.ceil(length / 4)).slice(0, length);
    assert.equal(sha256(text), createHash('sha256').update(text).digest('hex'), `${length} characters`);
  }
  const long = drawn.repeat(2000);
  assert.equal(sha256(long), createHash('sha256').update(long).digest('hex'));
});
