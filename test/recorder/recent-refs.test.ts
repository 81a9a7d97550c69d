import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recentRefs } from '../../recorder/launch/pairs/git.ts';
import { newFolder, Repository } from '../helpers/temporary-repository.ts';

test('branches and tags are offered, then commits, each with its first line', async () => {
  const repository = new Repository({ 'shop.js': '' });
  repository.git('branch', 'faster/clone');
  repository.git('tag', 'v1.0');
  const refs = await recentRefs(repository.folder);
  assert.deepEqual(
    refs.map(({ name, kind, subject }) => [kind === 'commit' ? /^[0-9a-f]{7,}$/.test(name) : name, kind, subject]),
    [
      ['faster/clone', 'branch', 'first'],
      ['main', 'branch', 'first'],
      ['v1.0', 'tag', 'first'],
      [true, 'commit', 'first'],
    ],
  );
});

test('a folder without git offers nothing', async () => {
  assert.deepEqual(await recentRefs(newFolder()), []);
});
