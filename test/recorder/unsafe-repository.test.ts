import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import test from 'node:test';
import { repositoryOf } from '../../recorder/launch/pairs/git.ts';
import { temporaryProject } from '../helpers/temporary-project.ts';

test('the repository of another user: git’s reason comes with its advice', async (t) => {
  const folder = temporaryProject({});
  execFileSync('git', ['init', '--quiet', folder]);
  // Git's own tests use this variable.
  process.env['GIT_TEST_ASSUME_DIFFERENT_OWNER'] = '1';
  t.after(() => Reflect.deleteProperty(process.env, 'GIT_TEST_ASSUME_DIFFERENT_OWNER'));
  const found = await repositoryOf(folder);
  assert.match(
    found.type === 'failed' ? found.message : '',
    /: detected dubious ownership in repository at '.*'\. To add an exception .*git config --global --add safe\.directory /,
  );
});
