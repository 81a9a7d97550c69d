import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { test } from 'node:test';
import { fakeVscode } from '../helpers/fake-vscode.ts';
import { lateServices } from '../helpers/late-services.ts';

fakeVscode();
const { showRun } = await import('../../extension/run/show-result.ts');

/** What becomes of the run `a` once its recording is asked for, and this is the answer. */
async function after<Result>(work: Promise<Result>, answer: () => void): Promise<Result> {
  await turn();
  answer();
  return work;
}

test('a run that cannot be analyzed says so until it can be, and a way on tries it again', async () => {
  const { services, answer } = lateServices();
  const { lastRun } = services;
  const isShown = await after(showRun(services, 'a'), () =>
    answer('a', { type: 'failed', message: 'It is too large.' }),
  );
  assert.equal(isShown, false, 'no tiers are recorded after it');
  assert.deepEqual([lastRun.state?.message, lastRun.state?.short], ['It is too large.', 'not analyzed']);
  assert.deepEqual(lastRun.ways, ['Show Log', 'Show This Run']);
  for (const given of [{ type: 'failed', message: 'a is still too large.' }, { type: 'overtaken' }] as const) {
    await after(lastRun.goOn('Show This Run'), () => answer('a', given));
    assert.equal(lastRun.state?.message, 'The recording is still too large.');
  }
  await after(lastRun.goOn('Show This Run'), () => answer('a'));
  assert.equal(lastRun.state, null);
});

test('so does one whose server ends before it has answered', async () => {
  const { services, fail } = lateServices();
  await after(showRun(services, 'a'), () => fail('a'));
  assert.deepEqual([services.lastRun.state?.message, services.lastRun.state?.severity], ['closed', 'error']);
});

test('one that is shown says so, for who records its tiers then', async () => {
  const { services, answer } = lateServices();
  assert.equal(await after(showRun(services, 'a'), () => answer('a')), true);
});
