import assert from 'node:assert/strict';
import test from 'node:test';
import { orderTargets } from '../../recorder/launch/order-targets.ts';
import type { Target } from '../../recorder/launch/target.ts';

const target = (id: string, folder: string, rest: Partial<Target> = {}): Target => ({
  id,
  kind: 'tests',
  runner: null,
  label: id,
  description: '',
  folder,
  command: [],
  env: {},
  notes: [],
  isOrchestrator: false,
  ...rest,
});

const all = [
  target('root', '/work', { isOrchestrator: true }),
  target('web', '/work/web'),
  target('api', '/work/api'),
  target('docs', '/work/docs'),
  target('file', '/work/api', { kind: 'fileTests' }),
];

test('first the tests of the open file, then its package, then what was used, then the rest, last what runs all', () => {
  const ordered = orderTargets(all, { activeFile: '/work/api/src/a.ts', remembered: ['docs'] });
  assert.deepEqual(
    ordered.map(({ id }) => id),
    ['file', 'api', 'docs', 'web', 'root'],
  );
});

test('without an open file the last one used comes first', () => {
  const ordered = orderTargets(all.slice(0, 4), { activeFile: null, remembered: ['docs', 'api'] });
  assert.deepEqual(
    ordered.map(({ id }) => id),
    ['docs', 'api', 'web', 'root'],
  );
});
