import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rmSync, utimesSync, writeFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { differenceFrom } from '../../cli/commands/is-unchanged.ts';
import { provideDependencies } from '../../recorder/launch/pairs/dependencies.ts';
import { changesSince, codeIn } from '../../recorder/launch/pairs/code-watch.ts';
import { ignoredAmong } from '../../recorder/launch/pairs/ignored-files.ts';
import { keepWorkTree } from '../../recorder/launch/pairs/snapshot.ts';
import { newFolder, Repository, write } from '../helpers/temporary-repository.ts';

// With a submodule, all whose changes git is told to ignore.
const repository = new Repository({ 'main.js': '1;\n', 'set.json': '1', '.gitignore': 'local*\nout\n' });
const { folder } = repository;
const known = { root: folder, below: '', gitFolder: path.join(folder, '.git') };
repository.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', new Repository({}).folder, 'lib');
repository.git('config', '--file', '.gitmodules', 'submodule.lib.ignore', 'all');
writeFileSync(path.join(folder, 'data.bin'), Buffer.of(0x90));
repository.git('add', '-A');
repository.git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '--quiet', '-m', 'second');

const main = path.join(folder, 'main.js');
for (const [name, difference, edit] of [
  ['a comment', 'nothing', () => write(folder, { 'main.js': '1; // one\n', 'a.md': '' })],
  ['time', 'nothing', () => utimesSync(path.join(folder, 'data.bin'), 1, 1)],
  ['being untracked', 'nothing', () => repository.git('rm', '--cached', '--quiet', 'set.json')],
  ['a pipe', 'code', () => execFileSync('sh', ['-c', 'rm "$0" && mkfifo "$0"', main])],
  ['bytes that are not text', 'more', () => writeFileSync(path.join(folder, 'data.bin'), Buffer.of(0xf0))],
  ['a submodule', 'more', () => write(folder, { 'lib/.gitignore': 'a' })],
  ['settings that git does not look at', 'more', () => write(folder, { 'set.json': '2' })],
] as const)
  test(`the difference from a commit by ${name}: ${difference}`, async () => {
    repository.git('update-index', name.startsWith('settings') ? '--skip-worktree' : '--no-skip-worktree', 'set.json');
    edit();
    assert.equal(await differenceFrom({ commit: 'HEAD', objects: null }, known), difference);
    rmSync(main, { force: true });
    repository.git('checkout', '--quiet', '--recurse-submodules', '-f', 'HEAD');
  });

test('what git ignores is known in a submodule, too, by the uppermost folder that it ignores', async () => {
  const files = ['lib/local.js', 'lib/node_modules/a.js', 'local.js', 'new/local.js', 'out/a/b.js', 'main.js'];
  write(folder, { ...Object.fromEntries(files.map((file) => [file, ''])), 'new/a.js': '' });
  write(folder, { '.git/modules/lib/info/exclude': 'local.js\n' });
  const paths = ['', ...files].map((file) => path.join(folder, file));
  const ignored = await ignoredAmong(known, paths);
  const entries = ignored?.map(({ file, entry }) => (file === entry ? file : `${file} in ${entry}`));
  assert.deepEqual(entries, ['lib/local.js', 'local.js', 'new/local.js', 'out/a/b.js in out/']);
});

test('a file that is written again with the text that it had did not change', async () => {
  const names = ['main.js', '"new".js', 'set.json'];
  const save = (text: string): void => write(folder, { 'main.js': text, '"new".js': text, 'set.json': '1' });
  save('2;\n');
  const before = await codeIn(known);
  for (const name of names) utimesSync(path.join(folder, name), 1, 1);
  assert.deepEqual(await changesSince(before, known), []);
  save('3;\n');
  assert.deepEqual((await changesSince(before, known)).toSorted(), names.slice(0, 2).toSorted());
  repository.git('checkout', '--quiet', 'main.js');
  repository.git('clean', '--quiet', '--force');
});

test('a baseline has the repositories of the work tree as they are committed, and names those that differ', async () => {
  for (const name of ['clean', 'dirty']) repository.git('clone', '--quiet', new Repository({}).folder, name);
  write(folder, { 'dirty/.gitignore': 'a', 'lib/.gitignore': 'a' });
  const kept = await keepWorkTree(known, newFolder());
  assert.ok(kept.type === 'kept');
  assert.deepEqual(kept.dirty, ['lib', 'dirty']);
  for (const name of kept.dirty) repository.git('-C', name, 'checkout', '--quiet', '.');
  assert.equal(await differenceFrom(kept, known), 'nothing');
  repository.git('init', '--quiet', 'unborn');
  const failed = await keepWorkTree(known, newFolder());
  assert.match(failed.type === 'failed' ? failed.message : '', /'unborn\/' does not have a commit checked out/);
});

for (const [name, before, now, ignored, command] of [
  ['a lockfile of Bun', { 'bun.lock': '1' }, { 'bun.lock': '2' }, '', 'bun install --frozen-lockfile'],
  ['a patch', { 'patches/a.patch': '1' }, { 'patches/a.patch': '2' }, '', 'npm install --no-audit --no-fund'],
  ['a lockfile that git ignores', {}, { 'package-lock.json': '{}' }, '*-lock.json', undefined],
] as const)
  test(`dependencies that differ by ${name} are installed by: ${command}`, async () => {
    const all = { 'package.json': '{ "scripts": { "prepare": "patch-package" } }', '.gitignore': ignored };
    const [theirs, ours] = [new Repository({ ...all, ...before }), new Repository({ ...all, ...now })];
    write(ours.folder, { 'node_modules/a/index.js': '' });
    write(folder, { 'node_modules/.list.json': '{}' });
    symlinkSync(path.join(folder, 'node_modules/.list.json'), path.join(ours.folder, 'node_modules/.list.json'));
    const base = { root: theirs.folder, folder: '', notes: [], environment: () => ({}), close: async () => {} };
    const found = await provideDependencies({ ...known, root: ours.folder }, base, new AbortController().signal);
    assert.equal(found.type === 'ready' ? found.installations[0]?.command.join(' ') : found.message, command);
  });
