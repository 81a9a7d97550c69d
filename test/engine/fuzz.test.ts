import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCase } from '../../lab/fuzz/run-case.ts';

/** Some of each kind. `npm run nightly` has `npm --prefix lab run fuzz`, which does ten thousand of any seed. */
const cases = 25;

test('whatever a recording holds, Hotspan ends in true figures or in one sentence', async () => {
  for (let number = 0; number < cases; number++) {
    const failed = await runCase(1, number);
    assert.equal(failed, null, `npm --prefix lab run fuzz -- --seed 1 --case ${number}\n${failed?.reason ?? ''}`);
  }
});
