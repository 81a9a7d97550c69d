import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hotspotsOf, ms } from '../../../helpers/drawn-hotspots.ts';

async function durations(drawing: string): Promise<readonly number[]> {
  const { operations } = await hotspotsOf(drawing);
  return operations.map(({ durationUs }) => durationUs / 1000);
}

test('without measured turns, idling parts operations', async () => {
  assert.deepEqual(await durations('handler handler (idle) handler'), [2, 1]);
});

test('neighbours that share no user frame are two operations', async () => {
  assert.deepEqual(
    await durations(`
      node:timers#list node:timers#list node:timers#list
      first            first            second
    `),
    [2, 1],
  );
});

test('one shared frame, at whatever depth, makes them one', async () => {
  assert.deepEqual(
    await durations(`
      first  second third
      common common common
    `),
    [3],
  );
});

test("Node's own frames alone stay with the earlier side", async () => {
  assert.deepEqual(await durations('first node:fs#read node:fs#read second'), [3, 1]);
});

test('native functions are no user frames', async () => {
  assert.deepEqual(
    await durations(`
      first      second
      native#now native#now
    `),
    [1, 1],
  );
});

test('every figure of inferred operations is an estimate', async () => {
  const { culprit, report } = await hotspotsOf('parse parse parse parse');
  assert.equal(culprit('parse')?.estimated, true);
  assert.equal(report.recording.files[0]?.turns, 'inferred');
  assert.equal(culprit('parse')?.worstUs, ms(4));
});

test("Node's own frames before the first user frame begin the operation", async () => {
  assert.deepEqual(await durations('node:fs#read first first'), [3]);
});

test("Node's own frames after idling begin the next operation, whatever ran before", async () => {
  assert.deepEqual(await durations('first (idle) node:fs#read second'), [1, 2]);
});
