import test from 'node:test';
import { orderTargets, type Target } from '../../recorder/launch/target.ts';
import { assertEach } from '../helpers/assert-each.ts';

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
  target('root', '/repo', { isOrchestrator: true }),
  target('web', '/repo/web'),
  target('api', '/repo/api'),
  target('docs', '/repo/docs'),
  target('file', '/repo/api', { kind: 'fileTests' }),
];

test('first the tests of the open file, then its package, then what was used, then the rest, last what runs all', () => {
  const ordered = orderTargets(all, { activeFile: '/repo/api/src/a.ts', remembered: ['docs'] });
  assertEach(ordered, ({ id }) => id, ['file', 'api', 'docs', 'web', 'root']);
});

test('without an open file the last one used comes first', () => {
  const ordered = orderTargets(all.slice(0, 4), { activeFile: null, remembered: ['docs', 'api'] });
  assertEach(ordered, ({ id }) => id, ['docs', 'api', 'web', 'root']);
});
