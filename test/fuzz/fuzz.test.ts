import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCase } from './run-case.ts';

/** As long as a run of the unit tests can bear; `npm run fuzz` does ten thousand of any seed. */
const cases = 300;

test('whatever a recording holds, Hotspan ends in true figures or in one sentence', async () => {
  for (let number = 0; number < cases; number++) {
    const failed = await runCase(1, number);
    assert.equal(failed, null, `npm run fuzz -- --seed 1 --case ${number}\n${failed?.reason ?? ''}`);
  }
});
