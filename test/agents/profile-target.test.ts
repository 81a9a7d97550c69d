import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { targetToProfile } from '../../agents/profile-target.ts';
import type { ToolInput } from '../../agents/tools.ts';
import { temporaryProject } from '../helpers/temporary-project.ts';

const scripts = (...names: readonly string[]): string =>
  JSON.stringify({
    scripts: Object.fromEntries(names.map((name) => [name, 'node --test'])),
    workspaces: ['../*', '*'],
  });

const all = temporaryProject({
  'outside/package.json': scripts('deploy'),
  'outside/a.test.js': '',
  'other/package.json': scripts('start'),
  'other/b.test.js': '',
  'shop/package.json': scripts('test'),
  'shop/test/fixture.json': '{}',
});
const [shop, other] = [path.join(all, 'shop'), path.join(all, 'other')];
mkdirSync(path.join(shop, 'inside'));

/** The command, or why there is none. */
async function found(input: ToolInput, folders: readonly string[]): Promise<string> {
  const target = await targetToProfile(input, folders);
  return typeof target === 'string' ? target : target.command.join(' ');
}

test('what leads out of the folders is never run', async () => {
  for (const [input, why] of [
    [{ file: '../outside/a.test.js' }, /is not a test file below/],
    [{ file: 'inside/none.test.js' }, /is not a test file below/],
    [{ file: 'test/fixture.json' }, /is not a test file below/],
    [{ script: 'deploy' }, /has the script "deploy": there is test\./],
  ] as const)
    assert.match(await found(input, [shop]), why);
  assert.match(await found({ script: 'test' }, []), /No folder is open/);
});

test('nor what a link leads to', async () => {
  symlinkSync(path.join(all, 'outside'), path.join(shop, 'linked'), 'junction');
  assert.match(await found({ file: 'linked/a.test.js' }, [shop]), /is not a test file below/);
});

test('of several folders, the one that has the script or the file', async () => {
  for (const input of [{ script: 'start' }, { file: 'b.test.js' }]) {
    const target = await targetToProfile(input, [shop, other]);
    assert.equal(typeof target === 'string' ? target : target.folder, other);
  }
});

test('of several packages with the script, the one that is named; that of the root without a name', async () => {
  const [a, b] = ['packages/a/package.json', 'packages/b/package.json'];
  const files = { 'package.json': JSON.stringify({ workspaces: ['packages/*'], scripts: { test: '' } }) };
  const root = temporaryProject({ ...files, [a]: scripts('test', 'slow', 'one'), [b]: scripts('test', 'slow') });
  const folderOf = async (script: string): Promise<string> => {
    const target = await targetToProfile({ script }, [root]);
    return typeof target === 'string' ? target : path.relative(root, target.folder).replaceAll('\\', '/');
  };
  const choices = 'Several packages have the script "slow": give one of packages/a#slow, packages/b#slow.';
  const given = ['slow', 'packages/b#slow', 'test', 'packages/a#test', 'one', 'packages/a#one'];
  const folders = [choices, 'packages/b', '', 'packages/a', 'packages/a', 'packages/a'];
  assert.deepEqual(await Promise.all(given.map(folderOf)), folders);
});

test('scripts that are not named are counted', async () => {
  const many = temporaryProject({ 'package.json': scripts(...Array.from({ length: 23 }, (_, index) => `s${index}`)) });
  assert.match(await found({ script: 'none' }, [many]), /, s19, 3 more\.$/);
});
