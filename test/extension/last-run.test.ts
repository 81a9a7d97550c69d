import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { test } from 'node:test';
import type { Services } from '../../extension/results/results.ts';
import { fakeVscode } from '../helpers/fake-vscode.ts';
import { is, lateServices } from '../helpers/late-services.ts';

fakeVscode();
const { showRun } = await import('../../extension/run/show-result.ts');

test('a run that cannot be analyzed says so until it can be, and a way on tries it again', async () => {
  const { services, answer } = lateServices();
  assert.ok(is<Services>(services));
  const { lastRun } = services;
  const shown = showRun(services, 'a');
  await turn();
  answer('a', { type: 'failed', message: 'It is too large.' });
  assert.equal(await shown, false, 'no tiers are recorded after it');
  assert.deepEqual([lastRun.state?.message, lastRun.state?.short], ['It is too large.', 'not analyzed']);
  assert.deepEqual(lastRun.ways, ['Show Log', 'Show This Run']);
  const again = lastRun.goOn('Show This Run');
  await turn();
  answer('a', { type: 'failed', message: 'a is still too large.' });
  await again;
  assert.equal(lastRun.state?.message, 'The recording is still too large.');
  const cancelled = lastRun.goOn('Show This Run');
  await turn();
  answer('a', { type: 'overtaken' });
  await cancelled;
  assert.equal(lastRun.state?.message, 'The recording is still too large.');
  const last = lastRun.goOn('Show This Run');
  await turn();
  answer('a');
  await last;
  assert.equal(lastRun.state, null);
});

test('so does one whose server ends before it has answered', async () => {
  const { services, fail } = lateServices();
  assert.ok(is<Services>(services));
  const shown = showRun(services, 'a');
  await turn();
  fail('a');
  await shown;
  assert.deepEqual([services.lastRun.state?.message, services.lastRun.state?.severity], ['closed', 'error']);
});

test('one that is shown says so, for who records its tiers then', async () => {
  const { services, answer } = lateServices();
  assert.ok(is<Services>(services));
  const shown = showRun(services, 'a');
  await turn();
  answer('a');
  assert.equal(await shown, true);
});
