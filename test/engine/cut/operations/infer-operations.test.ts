import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertEach } from '../../../helpers/assert-each.ts';
import { hotspotsOf, ms } from '../../../helpers/drawn-hotspots.ts';

const list = 'node:timers#list';
/** Without measured turns: samples, and how long the operations are that they are cut into, in ms. */
const inferred: Readonly<Record<string, readonly [drawing: string, durations: readonly number[]]>> = {
  'idling parts operations': ['handler handler (idle) handler', [2, 1]],
  'neighbours that share no user frame are two': [`${list} ${list} ${list}\nfirst first second`, [2, 1]],
  'one shared frame, at whatever depth, makes them one': ['first second third\ncommon common common', [3]],
  "Node's own frames alone stay with the earlier side": ['first node:fs#read node:fs#read second', [3, 1]],
  'frames of Deno do not count as user frames': ['ext:core/a.js#run ext:core/a.js#run\nfirst second', [1, 1]],
  'native functions do not count as user frames': ['first second\nnative#now native#now', [1, 1]],
  "Node's own frames before the first user frame begin the operation": ['node:fs#read first first', [3]],
  "Node's own frames after idling begin the next one, whatever ran before": [
    'first (idle) node:fs#read second',
    [1, 2],
  ],
};

for (const [what, [drawing, durations]] of Object.entries(inferred)) {
  test(`inferred operations: ${what}`, async () => {
    const { operations } = await hotspotsOf(drawing);
    assertEach(operations, ({ durationUs }) => durationUs / 1000, durations);
  });
}

test('every figure of inferred operations is an estimate', async () => {
  const { culprit, report } = await hotspotsOf('parse parse parse parse');
  assert.equal(culprit('parse')?.estimated, true);
  assert.equal(report.recording.files[0]?.turns, 'inferred');
  assert.equal(culprit('parse')?.worstUs, ms(4));
});
