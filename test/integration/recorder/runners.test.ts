import assert from 'node:assert/strict';
import test from 'node:test';
import { projectFile } from '../../helpers/project.ts';
import { testedVersions } from '../../helpers/node-versions.ts';
import { eventsOfType, mapsOf, profilesWith, program, recording, turnsOf } from './recorded.ts';

const sources = ['archive', 'duplicate-customers', 'monthly-report'];
const functions = ['compressed', 'editDistance', 'monthName'];

for (const { node, version } of testedVersions()) {
  test(`mocha: the profile, its turns, and the exit code (Node ${version})`, async (t) => {
    const cwd = projectFile('examples/shop');
    const { ended, directory } = recording(
      program(t, {}),
      [node, 'node_modules/mocha/bin/mocha.js', '--grep', 'bestsellers'],
      { cwd },
    );
    const { exitCode, stdout } = await ended;
    assert.equal(exitCode, 0);
    assert.match(stdout, /1 passing/);
    assert.equal(profilesWith(directory, 'rankByCategory'), 1);
    assert.ok(turnsOf(directory, 100).length > 0);
  });

  for (const pool of ['forks', 'threads']) {
    test(`vitest, ${pool}: every test file's functions, and the maps of the sources (Node ${version})`, async (t) => {
      const cwd = projectFile('examples/reports-ts');
      const command = [node, 'node_modules/vitest/vitest.mjs', 'run', `--pool=${pool}`];
      const { ended, directory } = recording(program(t, {}), command, { cwd });
      const { exitCode, stdout } = await ended;
      assert.equal(exitCode, 0);
      assert.match(stdout, /15 passed/);
      for (const name of functions) assert.ok(profilesWith(directory, name) >= 1, name);
      const urls = mapsOf(directory).map(({ url }) => url);
      for (const name of sources)
        assert.ok(
          urls.some((url) => url.endsWith(`/src/${name}.ts`)),
          name,
        );
      const kinds = new Set(eventsOfType(directory, 'worker').map(({ kind }) => kind));
      assert.deepEqual([...kinds], pool === 'threads' ? ['pool'] : []);
    });
  }
}
