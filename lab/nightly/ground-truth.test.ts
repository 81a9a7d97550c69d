import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { microseconds } from '../../protocol/units.ts';
import { testedVersions } from '../../test/helpers/node-versions.ts';
import { type Measured, measureProgram } from './measured-program.ts';

/** How often each function holds the loop for more than 10 ms. */
const timesLong = { mixBuiltIns: 6, renderWithClones: 1, recurseDeeply: 1, bigLoop: 1 };

for (const { version, node } of testedVersions()) {
  describe(`on Node ${version} (real clock)`, () => {
    const measured = lazily(async () => measureProgram(node));

    for (const [name, times] of Object.entries(timesLong)) {
      test(`${name} has its true worst and count`, async () => {
        const { fn, longest, assertClose } = await measured();
        assertClose(fn(name).worstUs, longest(name));
        assert.equal(fn(name).longCount, times);
      });
    }

    test('what calls built-ins is the culprit with all of their time', async () => {
      const { fn, longest, assertClose } = await measured();
      for (const name of ['mixBuiltIns', 'renderWithClones']) assertClose(fn(name).culprit?.worstUs, longest(name));
    });

    test('a loop around a small helper has its own time, the helper the rest', async () => {
      const { fn, longest, assertClose } = await measured();
      const helper = longest('smallHelper');
      assertClose(fn('bigLoop').culprit?.worstUs, longest('bigLoop') - helper);
      assertClose(fn('smallHelper').culprit?.worstUs, helper);
    });

    test('a hundred callbacks back to back are a hundred operations', async () => {
      const { fn, report, truthOf, longest, assertClose } = await measured();
      // Where a wait was counted so late that the program's own clock, too, has less than 1 ms, there is no operation.
      const ticks = truthOf('tick').filter(({ ms }) => ms > 1.2);
      assert.ok(ticks.length >= 95, `others had the processor during ${100 - ticks.length} callbacks`);
      const begun = report.operations.map(({ startUs }) => startUs).toSorted((a, b) => a - b);
      const operations = new Set(ticks.map(({ at }) => begun.findLastIndex((startUs) => startUs <= at)));
      assert.equal(operations.size, ticks.length, 'each callback is an operation of its own');
      assert.ok(Math.max(...operations) - Math.min(...operations) < 100, 'and there are none between them');
      assertClose(fn('tick').worstUs, longest('tick'));
    });

    test('a chain of a hundred microtasks is one operation', async () => {
      const { fn, longest, assertClose } = await measured();
      assert.equal(fn('spinOneStep').longCount, 1);
      assertClose(fn('spinOneStep').worstUs, longest('chainOfMicrotasks'));
    });

    test('a block that collects garbage is one of its full length', async () => {
      const { fn, report, longest, assertClose } = await measured();
      assert.equal(fn('collectGarbage').longCount, 1);
      const operation = report.operations.find(({ culprit }) => culprit?.name === 'collectGarbage');
      assertClose(operation?.durationUs, longest('collectGarbage'));
    });

    test('a dependency is blamed when no own code is on the stack', async () => {
      const { report, longest, assertClose } = await measured();
      const blamed = report.operations.filter(({ blame }) => blame?.name === 'slow-hash');
      assert.equal(blamed.length, 1);
      assertClose(blamed[0]?.blame?.us, longest('slowHash'));
    });

    test("a block in the program's own worker is not a hotspot", async () => {
      const { fn, analysis, longest, assertClose } = await measured();
      const { worstUs, culprit } = fn('blockInWorker');
      assert.deepEqual([worstUs, culprit], [microseconds(0), null]);
      const { id = -1 } = analysis.functions.functions.find(({ name }) => name === 'blockInWorker') ?? {};
      assertClose(analysis.figures[id]?.backgroundCulprit?.worst, longest('blockInWorker'));
    });
  });
}

/** Asks at the first question, once: two programs at a time would disturb each other's clocks. */
function lazily(make: () => Promise<Measured>): () => Promise<Measured> {
  const made: Promise<Measured>[] = [];
  return async () => {
    if (made.length === 0) made.push(make());
    return made[0] ?? assert.fail();
  };
}
