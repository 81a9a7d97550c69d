import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { assertEach } from '../helpers/assert-each.ts';
import { projectFile } from '../helpers/project.ts';
import {
  sharedCacheFolder,
  type RecorderHome,
  recorderHomes,
  installRecorder,
} from '../../recorder/launch/install/recorder-copy.ts';
import { cacheFolder } from '../../recordings/private-files.ts';
import { asDrawn } from '../helpers/drawn-root.ts';
import { temporaryProject } from '../helpers/temporary-project.ts';

const isWindows = process.platform === 'win32';
const isRoot = process.getuid?.() === 0;

/** Below a folder that nobody else may write to. */
function rootsFolder(): string {
  const made = temporaryProject({});
  fs.chmodSync(made, 0o755);
  return made;
}

const own = (home: string): RecorderHome => ({ folder: home, isShared: false });

test('each version of the recorder has a copy that stays, until nothing has used it for 90 days', async () => {
  const home = temporaryProject({ 'bundled.js': 'one' });
  const bundled = path.join(home, 'bundled.js');
  const one = await installRecorder(bundled, [own(home)]);
  fs.writeFileSync(bundled, 'two');
  const two = await installRecorder(bundled, [own(home)]);
  assertEach([one, two], (file) => fs.readFileSync(file, 'utf8'), ['one', 'two']);

  const { mtimeMs } = fs.statSync(two);
  const long = mtimeMs / 1000 - 91 * 24 * 3600;
  const code = one.replace('.cjs', '.1a2b.code');
  fs.writeFileSync(code, '');
  for (const old of [one, code]) fs.utimesSync(old, long, long);
  await installRecorder(bundled, [own(home)]);
  assert.deepEqual(fs.readdirSync(path.dirname(two)), [path.basename(two)]);
  for (const days of [29, 31]) {
    const used = Math.floor(mtimeMs / 1000) - days * 24 * 3600;
    fs.utimesSync(two, used, used);
    await installRecorder(bundled, [own(home)]);
    assert.equal(fs.statSync(two).mtimeMs > used * 1000, days > 30, 'which restarts programs under `node --watch`');
  }
});

test('the copy lies in the cache folder of the system', () => {
  const folderOf = (...given: Parameters<typeof cacheFolder>): string => asDrawn(cacheFolder(...given) ?? '');
  assert.equal(folderOf('linux', {}, '/me'), '/me/.cache/hotspan');
  assert.equal(folderOf('linux', { XDG_CACHE_HOME: '/cache' }, '/me'), '/cache/hotspan');
  assert.equal(folderOf('linux', { XDG_CACHE_HOME: 'cache' }, '/me'), '/me/.cache/hotspan');
  assert.equal(folderOf('darwin', {}, '/me'), '/me/Library/Caches/hotspan');
});

test('what root records may go on as any user, so its copy lies where all may read', { skip: isWindows }, () => {
  const [first] = recorderHomes({}, true);
  assert.deepEqual(first, { folder: sharedCacheFolder(process.platform), isShared: true });
  assert.ok(recorderHomes({}, false).every(({ isShared }) => !isShared));
});

test('an empty HOME is no place for a copy, nor is a folder of the project', { skip: isWindows }, (t) => {
  const { HOME } = process.env;
  t.after(() => {
    if (HOME === undefined) delete process.env['HOME'];
    else process.env['HOME'] = HOME;
  });
  process.env['HOME'] = '';
  assert.deepEqual(recorderHomes({}, false), []);
});

test('a shared copy can be read by all and written by root alone, whatever the umask', { skip: !isRoot }, async (t) => {
  const home = path.join(rootsFolder(), 'cache', 'hotspan');
  const before = process.umask(0o077);
  t.after(() => process.umask(before));
  const file = await installRecorder(projectFile('dist/recorder.cjs'), [{ folder: home, isShared: true }]);
  const rights = [file, path.dirname(file), home, path.dirname(home)].map((one) =>
    (fs.statSync(one).mode & 0o777).toString(8),
  );
  assert.deepEqual(rights, ['644', '755', '755', '755']);
});

test('a shared folder that others may write to, or have put there, is not trusted', { skip: !isRoot }, async () => {
  const bundled = projectFile('dist/recorder.cjs');
  const homes = ['open', 'theirs', 'link'].map((name) => path.join(rootsFolder(), name));
  const [open = '', theirs = '', link = ''] = homes;
  fs.mkdirSync(open);
  fs.chmodSync(open, 0o777);
  fs.mkdirSync(theirs);
  fs.chownSync(theirs, 12_345, 12_345);
  fs.symlinkSync(theirs, link);
  for (const home of homes) assert.equal(await installRecorder(bundled, [{ folder: home, isShared: true }]), bundled);
});

test('an own folder that others have made or may write to is not trusted', { skip: !isRoot }, async () => {
  const bundled = projectFile('dist/recorder.cjs');
  const above = temporaryProject({});
  const homes = ['open', 'group', 'theirs', 'link', 'below/hotspan'].map((name) => path.join(above, name));
  const [open = '', group = '', theirs = '', link = '', below = ''] = homes;
  for (const home of [open, group, theirs, path.dirname(below)]) fs.mkdirSync(home);
  fs.chmodSync(open, 0o777);
  fs.chmodSync(group, 0o770);
  for (const home of [theirs, path.dirname(below)]) fs.chownSync(home, 12_345, 12_345);
  fs.mkdirSync(path.join(above, 'mine'), { mode: 0o700 });
  fs.symlinkSync(path.join(above, 'mine'), link);
  for (const home of homes) assert.equal(await installRecorder(bundled, [own(home)]), bundled, home);
  assert.notEqual(await installRecorder(bundled, [own(path.join(above, 'mine'))]), bundled);
});

test('a copy that others may write to, or a link in its place, is made anew', { skip: !isRoot }, async () => {
  const [home, bundled] = [temporaryProject({}), projectFile('dist/recorder.cjs')];
  const file = await installRecorder(bundled, [own(home)]);
  fs.chmodSync(file, 0o666);
  await installRecorder(bundled, [own(home)]);
  assert.equal(fs.statSync(file).mode & 0o777, 0o600);
  fs.chownSync(file, 12_345, 12_345);
  await installRecorder(bundled, [own(home)]);
  assert.equal(fs.statSync(file).uid, 0);
  fs.rmSync(file);
  fs.symlinkSync(bundled, file);
  await installRecorder(bundled, [own(home)]);
  assert.ok(fs.lstatSync(file).isFile());
});
