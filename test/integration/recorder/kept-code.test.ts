import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { testedVersions } from '../../helpers/node-versions.ts';
import { profilesWith, program, recorded } from './recorded.ts';

for (const { node, version } of testedVersions()) {
  test(`what V8 compiled of the recorder is kept beside its copy for the next process (Node ${version})`, async (t) => {
    const folder = program(t, { 'program.js': `require('./busy').busyTarget(60);` });
    const file = await codeAfterRun(folder, node);
    const inode = fs.statSync(file).ino;
    assert.equal(await codeAfterRun(folder, node), file);
    assert.equal(fs.statSync(file).ino, inode, 'it was used, and not made again');
  });

  test(`kept code that the disk has garbled is not run but made anew (Node ${version})`, async (t) => {
    const folder = program(t, { 'program.js': `require('./busy').busyTarget(60);` });
    const file = await codeAfterRun(folder, node);
    const code = fs.readFileSync(file);
    fs.writeFileSync(file, code.fill(0x55, 5000, 6000));
    await codeAfterRun(folder, node);
    const anew = fs.readFileSync(file);
    assert.ok(anew.subarray(0, anew.length / 2).equals(anew.subarray(anew.length / 2)));
  });
}

const notRoot = { skip: process.getuid?.() !== 0 };

test('code that somebody else made, may write to, or has linked to, is not run but made anew', notRoot, async (t) => {
  const folder = program(t, { 'program.js': `require('./busy').busyTarget(60);` });
  const file = await codeAfterRun(folder, process.execPath);
  const spoils = [
    () => fs.chownSync(file, 12_345, 12_345),
    () => fs.chmodSync(file, 0o666),
    () => {
      fs.renameSync(file, path.join(folder, 'elsewhere'));
      fs.symlinkSync(path.join(folder, 'elsewhere'), file);
    },
  ];
  for (const spoil of spoils) {
    spoil();
    const inode = fs.lstatSync(file).ino;
    await codeAfterRun(folder, process.execPath);
    const stats = fs.lstatSync(file);
    assert.notEqual(stats.ino, inode);
    assert.deepEqual([stats.isFile(), stats.uid, stats.mode & 0o777], [true, 0, 0o600]);
  }
});

test('in a folder that somebody else may write to no code is run nor kept', notRoot, async (t) => {
  const folder = program(t, { 'program.js': `require('./busy').busyTarget(60);` });
  const file = await codeAfterRun(folder, process.execPath);
  const [home, copy] = [
    path.dirname(file),
    fs.readdirSync(path.dirname(file)).find((name) => name.endsWith('.cjs')) ?? '',
  ];
  for (const spoil of [() => fs.chmodSync(home, 0o777), () => fs.chownSync(home, 12_345, 12_345)]) {
    fs.rmSync(file, { force: true });
    fs.chmodSync(home, 0o755);
    spoil();
    const args = ['--require', path.join(home, copy), 'program.js'];
    const env = { ...process.env, HOTSPAN_DIR: path.join(folder, 'direct') };
    assert.equal(spawnSync(process.execPath, args, { cwd: folder, env }).status, 0);
    assert.deepEqual(fs.readdirSync(home), [copy]);
  }
});

/** The file of kept code after a program has been recorded as ever. */
async function codeAfterRun(folder: string, node: string): Promise<string> {
  fs.rmSync(path.join(folder, 'out'), { recursive: true, force: true });
  const { directory, stdout, stderr } = await recorded(folder, [node, 'program.js']);
  assert.deepEqual([stdout, stderr], ['', '']);
  assert.equal(profilesWith(directory, 'busyTarget'), 1);
  const home = path.join(folder, 'home', 'node_modules', 'hotspan');
  const [file, ...others] = fs.readdirSync(home).filter((name) => !name.endsWith('.cjs'));
  assert.deepEqual(others, []);
  return path.join(home, file ?? '');
}
