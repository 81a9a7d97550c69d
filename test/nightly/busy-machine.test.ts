import assert from 'node:assert/strict';
import os from 'node:os';
import { describe, test } from 'node:test';
import { summaryOf } from '../../bench/busy/compare.ts';
import { beside } from '../../bench/busy/spinners.ts';
import { runOnce } from '../../bench/busy/worst.ts';
import { testedVersions } from '../helpers/node-versions.ts';

/** The program of `npm run bench -- busy`, whose functions time themselves by a clock that stands while they wait. */
for (const version of testedVersions()) {
  describe(`beside four spinning processes a processor, on Node ${version.version} (real clock)`, () => {
    test('functions are shown with the time that they held the loop, or as estimates', async () => {
      const spinners = 4 * os.availableParallelism();
      const all = await beside(spinners, async () => runOnce(version));
      const { medianError, wrongOperations, longOperations, offButSure } = summaryOf(all);
      const off = offButSure.map(({ name, figure, truth }) => `${name}: ${figure} ms, in truth ${truth} ms`);
      assert.ok(medianError < 0.06, `median error ${medianError}`);
      assert.ok(wrongOperations <= longOperations / 20, `${wrongOperations} of ${longOperations} long operations`);
      // V8 loses the calling frame of a sample now and then, and a host stops a virtual machine: nothing tells of either.
      assert.ok(new Set(offButSure.map(({ name }) => name)).size <= 1, off.join('\n'));
    });
  });
}
