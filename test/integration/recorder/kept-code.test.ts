import assert from 'node:assert/strict';
import { readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { outerVersions, profilesWith, program, recording } from './recorded.ts';

for (const { node, version } of outerVersions()) {
  test(`what V8 compiled of the recorder is kept beside its copy for the next process (Node ${version})`, async (t) => {
    const folder = program(t, { 'program.js': `require('./busy').busyOnProcessor(30);` });
    const file = await codeAfterRun(folder, node);
    const inode = statSync(file).ino;
    assert.equal(await codeAfterRun(folder, node), file);
    assert.equal(statSync(file).ino, inode, 'it was used, and not made anew');
  });

  test(`kept code that the disk has garbled is not run but made anew (Node ${version})`, async (t) => {
    const folder = program(t, { 'program.js': `require('./busy').busyOnProcessor(30);` });
    const file = await codeAfterRun(folder, node);
    const code = readFileSync(file);
    writeFileSync(file, code.fill(0x55, 5000, 6000));
    await codeAfterRun(folder, node);
    const anew = readFileSync(file);
    assert.ok(anew.subarray(0, anew.length / 2).equals(anew.subarray(anew.length / 2)));
  });
}

/** The file of kept code after a program has been recorded as ever. */
async function codeAfterRun(folder: string, node: string): Promise<string> {
  rmSync(path.join(folder, 'out'), { recursive: true, force: true });
  const { ended, directory } = recording(folder, [node, 'program.js']);
  const { exitCode, stdout, stderr } = await ended;
  assert.deepEqual([exitCode, stdout, stderr], [0, '', '']);
  assert.equal(profilesWith(directory, 'busyOnProcessor'), 1);
  const home = path.join(folder, 'home');
  const [file, ...others] = readdirSync(home).filter((name) => !name.endsWith('.cjs'));
  assert.deepEqual(others, []);
  return path.join(home, file ?? '');
}
