import assert from 'node:assert/strict';
import { existsSync, readdirSync, symlinkSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { pruneComparisons } from '../../recordings/delete-recordings.ts';
import { temporaryProject } from '../helpers/temporary-project.ts';

/** As a re-check names it. */
const named = (day: number): string => `2026-01-0${day}T00-00-00-000-7-compare`;

/** Two runs of 10 kB each and a little. */
function comparison(name: string): Readonly<Record<string, string>> {
  const runs = ['base-1', 'head-1-2'].map((run): [string, string][] => [
    [`${name}/${run}/recording.json`, '{}'],
    [`${name}/${run}/1-0-a.0.cpuprofile`, 'x'.repeat(10_000)],
    [`${name}/${run}.log`, 'ok'],
  ]);
  return Object.fromEntries(runs.flat());
}

/** As if all in the folder had been written long ago. */
function aged(root: string): string {
  for (const name of readdirSync(root, { recursive: true, encoding: 'utf8' })) utimesSync(path.join(root, name), 1, 1);
  return root;
}

test('the oldest comparisons go as a whole until the rest fits, but never the one that was just made', async () => {
  const root = aged(temporaryProject({ ...comparison(named(1)), ...comparison(named(2)), ...comparison(named(3)) }));
  assert.deepEqual(await pruneComparisons(root, 45_000, path.join(root, named(3))), []);
  assert.deepEqual(readdirSync(root).toSorted(), [named(2), named(3)]);
  aged(root);
  await pruneComparisons(root, 0, path.join(root, named(3)));
  assert.deepEqual(readdirSync(root), [named(3)]);
});

test('what is not ours stays: other names, other files in a comparison, and what a link leads to', async () => {
  const other = `${named(1)}/mine/recording.json`;
  const root = temporaryProject({
    ...comparison('mine-compare'),
    ...comparison('2026-01-01T00-00-00-000-7'),
    ...comparison(named(1)),
    [other]: '{}',
  });
  aged(root);
  const elsewhere = temporaryProject(comparison('runs'));
  symlinkSync(path.join(elsewhere, 'runs'), path.join(root, named(2)));
  await pruneComparisons(root, 0, '');
  assert.deepEqual(readdirSync(root).toSorted(), ['2026-01-01T00-00-00-000-7', named(1), named(2), 'mine-compare']);
  assert.deepEqual(readdirSync(path.join(root, named(1))), ['mine']);
  assert.ok(existsSync(path.join(elsewhere, 'runs/base-1/recording.json')));
});

test('a comparison stays in which something was written a moment ago: it may run in another window', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: 1e12 });
  const root = aged(temporaryProject(comparison(named(1))));
  utimesSync(path.join(root, named(1), 'base-1.log'), 1e9 - 60, 1e9 - 60);
  await pruneComparisons(root, 0, '');
  assert.deepEqual(readdirSync(root), [named(1)]);
});
