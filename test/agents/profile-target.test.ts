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
  const [a, b] = [scripts('test', 'slow'), scripts('slow')];
  const root = temporaryProject({ 'package.json': scripts('test'), 'a/package.json': a, 'b/package.json': b });
  const choices = 'Several packages have the script "slow": give one of a#slow, b#slow.';
  for (const [script, folder] of [
    ['slow', choices],
    ['b#slow', 'b'],
    ['a#test', 'a'],
    ['test', path.basename(root)],
  ]) {
    const target = await targetToProfile({ script: script ?? '' }, [root]);
    assert.equal(typeof target === 'string' ? target : path.basename(target.folder), folder);
  }
});

test('scripts that are not named are counted', async () => {
  const many = temporaryProject({ 'package.json': scripts(...Array.from({ length: 23 }, (_, index) => `s${index}`)) });
  assert.match(await found({ script: 'none' }, [many]), /, s19, 3 more\.$/);
});
