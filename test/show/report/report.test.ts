import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertEach } from '../../helpers/assert-each.ts';
import { hotspotsOf, ms } from '../../helpers/drawn-hotspots.ts';

test('functions stand by worst, then by place; those without time, and of the recorder, are left out', async () => {
  const { report } = await hotspotsOf(`
    ms   1    1    1            1      1      1      1      0
    zeta zeta zeta recorder#put (idle) b.ts#b a.ts#a (idle) none
  `);
  assertEach(report.functions, ({ name }) => name, ['zeta', 'a', 'b']);
});

test('lines and columns count from 1, those of native functions are 0', async () => {
  const { fn } = await hotspotsOf(`
    app.ts#<module> app.ts#<module>
    native#now      lib.ts#run
  `);
  assert.deepEqual([fn('now').line, fn('now').column, fn('now').url], [0, 0, '']);
  assert.deepEqual([fn('').line, fn('').column], [1, 1]);
});

test('operations stand in the order of time, with what they were', async () => {
  const { report } = await hotspotsOf('tick (gc) tick (idle) bcryptjs#hash bcryptjs#hash bcryptjs#hash');
  assertEach(
    report.operations,
    ({ durationUs, class: size, gcUs, pid, threadId }) => [durationUs, size, gcUs, pid, threadId],
    [
      [ms(3), 'medium', ms(1), 7, 0],
      [ms(3), 'medium', ms(0), 7, 0],
    ],
  );
  assert.equal(report.operations[0]?.culprit?.name, 'tick');
  assert.deepEqual(report.operations[1]?.blame, { kind: 'package', name: 'bcryptjs', us: ms(3) });
});

test('role and generated place are there only where they say something', async () => {
  const { fn } = await hotspotsOf(`
    test#case
    bcryptjs#hash
  `);
  assert.equal(fn('case').role, 'test');
  assert.ok(!('role' in fn('hash')));
  assert.ok(!('generated' in fn('case')));
});

test('the recording is what its file says', async () => {
  const { report } = await hotspotsOf('tick', {
    manifest: { command: ['npm', 'test'], startedAt: '2026-01-01T00:00:00Z' },
  });
  assert.deepEqual(
    [report.recording.command, report.recording.cwd, report.recording.startedAt],
    [['npm', 'test'], '/app', '2026-01-01T00:00:00Z'],
  );
  assert.deepEqual(report.recording.files[0], {
    path: '/rec/7-0-x.0.cpuprofile',
    parts: 1,
    pid: 7,
    threadId: 0,
    threadKind: 'main',
    heldBy: 'clock',
    nodeVersion: 'v20.0.0',
    samples: 1,
    durationUs: ms(1),
    turns: 'inferred',
    truncated: { samples: 0, grafted: 0, unplaced: 0 },
    ended: 'exit',
  });
});
