import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { installRecorder } from '../../../recorder/launch/install/recorder-copy.ts';
import { assertNone } from '../../helpers/assert-each.ts';
import { projectFile } from '../../helpers/project.ts';
import { runCli } from '../../helpers/run-cli.ts';
import { testedVersions } from '../../helpers/node-versions.ts';
import { profilesWith, program, recorded, recording, v8LogsOf } from './recorded.ts';
import { as, attack, guesses, hostileCode, makeFolder, reads, replaces, skip, stranger } from './two-users.ts';

/** With a worker thread, deopts, and time in which others can look. */
const programText = `
  const { Worker } = require('worker_threads');
  function plusOne(o) { return o.x + 1; }
  for (let i = 0; i < 3e5; i++) plusOne(i < 2e5 ? { x: i } : { y: i, x: 1 });
  new Worker("const { busyTarget } = require('./busy'); busyTarget(50);", { eval: true }).on('exit', () => {
    setTimeout(() => {}, 150);
  });`;

/** What is recorded, and the rights of the folder that it is recorded into. */
const recordings = [
  ['profile', 0o755],
  ['tiers', 0o755],
  ['tiers', 0o777],
] as const;

for (const { node, version } of testedVersions())
  for (const [kind, mode] of recordings)
    test(
      `nobody else can read a file while it is recorded (${kind}, --out of ${mode.toString(8)}, Node ${version})`,
      { skip },
      async (t) => {
        const folder = program(t, { 'program.js': programText });
        fs.chmodSync(folder, 0o755);
        makeFolder(path.join(folder, 'out'), 0, mode);
        fs.writeFileSync(path.join(folder, 'out', 'own.txt'), '');
        const attacker = await attack(t, reads, folder);
        const { directory, stdout, stderr } = await recorded(folder, [node, 'program.js'], { kind });
        assert.deepEqual([stdout, stderr], ['', '']);
        const known = /\/(?:program\.js|busy\.js|own\.txt|recorder-\w+\.cjs|shim-\w+\/node(?:\.cmd)?)(?:\.\d+\.tmp)?$/;
        const read = (await attacker.stop()).split('\n').filter((line) => line !== '');
        assert.ok(read.some((file) => file.endsWith('program.js')));
        assertNone(read, (file) => !known.test(file));
        if (kind === 'tiers') assert.equal(v8LogsOf(directory).length, 2);
        else assert.equal(profilesWith(directory, 'busyTarget'), 1);
        assertNone(fs.readdirSync(directory), (name) => name.startsWith('.'));
      },
    );

for (const [mode, where] of [
  [0o755, '.'],
  [0o1777, 'recording'],
] as const)
  test(
    `a HOTSPAN_DIR of ${mode.toString(8)} takes a recording that nobody else can read or write to`,
    { skip },
    async (t) => {
      const folder = program(t, { 'program.js': programText });
      fs.chmodSync(folder, 0o755);
      const out = path.join(folder, 'out');
      makeFolder(out, 0, mode);
      const attacker = await attack(t, reads, out);
      for (let run = 0; run < 2; run += 1) recordByHand(folder, out);
      assert.equal(await attacker.stop(), '');
      const { stdout, stderr } = await runCli(['analyze', '--all', out]);
      assert.match(stdout + stderr, /busyTarget/);
      assert.equal(profilesWith(path.join(out, where), 'busyTarget'), 2);
    },
  );

test('a HOTSPAN_DIR in which another user has put something is not written to', { skip }, (t) => {
  const folder = program(t, { 'program.js': '' });
  const out = path.join(folder, 'out');
  makeFolder(out, stranger, 0o777);
  fs.symlinkSync(path.join(folder, 'busy.js'), path.join(out, 'recording'));
  recordByHand(folder, out);
  assert.deepEqual(fs.readdirSync(out), ['recording']);
  const manifest = { version: 2, endedAt: null, cwd: folder, mostBytes: null, evaluated: false };
  fs.writeFileSync(path.join(out, 'recording.json'), JSON.stringify(manifest));
  recordByHand(folder, out);
  assert.deepEqual(fs.readdirSync(out).toSorted(), ['recording', 'recording.json']);
});

/** Runs the program with the recorder required by hand. */
function recordByHand(folder: string, out: string): void {
  const args = ['--require', projectFile('dist/recorder.cjs'), 'program.js'];
  const { status } = spawnSync(process.execPath, args, { cwd: folder, env: { ...process.env, HOTSPAN_DIR: out } });
  assert.equal(status, 0);
}

const foreign = [
  ['another user’s', stranger, 0o755, 'tiers'],
  ['an open', 0, 0o777, 'profile'],
] as const;

for (const [whose, user, mode, kind] of foreign) {
  test(
    `root records into ${whose} empty folder, and what is put in the place of files changes nothing (${kind})`,
    { skip },
    async (t) => {
      const folder = program(t, { 'program.js': programText });
      fs.chmodSync(folder, 0o755);
      makeFolder(path.join(folder, 'out'), user, mode);
      fs.mkdirSync(path.join(folder, 'target'));
      const attacker = await attack(t, replaces, path.join(folder, 'out'), path.join(folder, 'target'));
      const { ended } = recording(folder, [process.execPath, 'program.js'], { kind });
      assert.equal((await ended).exitCode, 0);
      await attacker.stop();
      assert.deepEqual(fs.readdirSync(path.join(folder, 'target')), []);
    },
  );

  test(`root records into ${whose} empty folder, and Node follows no link that is put there`, { skip }, async (t) => {
    // Another run of these tests on this machine has another name.
    const name = `guessed-${randomUUID()}.js`;
    // The guess has to come while it runs.
    const guessed = `require('fs').readdirSync('out').some((name) => name.startsWith('CPU.'))`;
    const slow = programText.replace('busyTarget(50);', `do busyTarget(50); while (!${guessed});`);
    const folder = program(t, { [name]: slow, victim: 'as it was' });
    fs.chmodSync(folder, 0o755);
    makeFolder(path.join(folder, 'out'), user, mode);
    const attacker = await attack(t, guesses, path.join(folder, 'out'), path.join(folder, 'victim'), name);
    const { ended, directory } = recording(folder, [process.execPath, name]);
    const { exitCode, unfinished } = await ended;
    await attacker.stop();
    assert.equal(exitCode, 0);
    assert.equal(fs.readFileSync(path.join(folder, 'victim'), 'utf8'), 'as it was');
    const [rest] = /(?<=could not be moved to .*: the rest of it is in ).*(?=\.$)/.exec(unfinished ?? '') ?? [];
    assert.ok(rest !== undefined, 'a link has the name of a file of the recording');
    fs.rmSync(rest, { recursive: true });
    assert.ok(fs.readdirSync(directory).some((name) => fs.lstatSync(path.join(directory, name)).isSymbolicLink()));
  });
}

test('root does not record into a folder in which another user has put links', { skip }, async (t) => {
  const folder = program(t, { 'program.js': '', victim: 'as it was' });
  for (const name of ['recording.json', 'events.jsonl', 'isolate-0x1-1-1-1.v8.log']) {
    const out = path.join(folder, `with-${name}`);
    makeFolder(out, stranger, 0o755);
    fs.symlinkSync(path.join(folder, 'victim'), path.join(out, name));
    const { code, stderr } = await runCli(['record', '--out', out, '--', process.execPath, 'program.js'], {
      cwd: folder,
    });
    assert.equal(code, 2);
    assert.match(stderr, /belongs to another user and is not empty: choose another folder with --out/);
    assert.deepEqual(fs.readdirSync(out), [name]);
  }
  assert.equal(fs.readFileSync(path.join(folder, 'victim'), 'utf8'), 'as it was');
});

test('V8 code that another user has put into the cache folder before is not run', { skip }, async (t) => {
  const folder = program(t, { 'program.js': `console.log('ran');` });
  const victim = 23_456;
  fs.chmodSync(folder, 0o755);
  makeFolder(path.join(folder, 'work'), victim, 0o755);
  const home = path.join(folder, 'home');
  makeFolder(home, 0, 0o1777);
  makeFolder(path.join(home, '.cache'), stranger, 0o777);
  const cache = path.join(home, '.cache/hotspan');
  makeFolder(cache, stranger, 0o777);
  makeFolder(path.join(cache, 'compiled'), stranger, 0o777);
  const trusted = { folder: path.join(folder, 'own'), isShared: false };
  const own = await installRecorder(projectFile('dist/recorder.cjs'), [trusted]);
  const copy = own.replace(trusted.folder, cache);
  for (const name of ['node_modules', 'node_modules/hotspan']) makeFolder(path.join(cache, name), stranger, 0o777);
  fs.writeFileSync(copy, fs.readFileSync(own));
  const [command, ...words] = as(stranger, [process.execPath, '-e', hostileCode, copy.replace(/\.cjs$/, '')]);
  assert.equal(spawnSync(command, words, { stdio: 'inherit' }).status, 0);
  const before = fs.readdirSync(cache, { recursive: true, encoding: 'utf8' }).toSorted();
  assert.equal(before.length, 5);
  const out = path.join(folder, 'work/out');
  const record = [process.execPath, projectFile('dist/cli.cjs'), 'record', '--quiet', '--out', out, '--'];
  const [file, ...args] = as(victim, [...record, process.execPath, 'program.js']);
  const env = { PATH: process.env['PATH'], HOME: home };
  const { status, stdout, stderr } = spawnSync(file, args, { cwd: folder, env, encoding: 'utf8' });
  assert.deepEqual([status, stdout, stderr], [0, 'ran\n', '']);
  assert.deepEqual(fs.readdirSync(cache, { recursive: true, encoding: 'utf8' }).toSorted(), before);
  assert.ok(fs.readdirSync(out).some((name) => name.endsWith('.cpuprofile')));
});

test('of a .hotspan that leads to somebody’s folder --keep deletes nothing', { skip }, async (t) => {
  const folder = program(t, { 'program.js': '' });
  const theirs = path.join(folder, 'theirs');
  makeFolder(theirs, stranger, 0o755);
  const old = path.join(theirs, '2026-01-31T12-00-00-000-4711');
  fs.mkdirSync(old);
  const manifest = JSON.stringify({ command: ['x'], startedAt: '2026-01-31', endedAt: '2026-01-31' });
  const files = { 'recording.json': manifest, 'notes.txt': 'mine' };
  for (const [name, content] of Object.entries(files)) fs.writeFileSync(path.join(old, name), content);
  fs.symlinkSync(theirs, path.join(folder, '.hotspan'));
  const words = ['record', '--keep', '1', '--', process.execPath, '-e', `process.title = 'x'`];
  fs.writeFileSync(path.join(old, 'events.jsonl'), '.'.repeat(2e6));
  const withoutCache = { PATH: process.env['PATH'], HOME: '' };
  const { stderr } = await runCli(words, { cwd: folder, env: withoutCache });
  assert.deepEqual(fs.readdirSync(old).toSorted(), ['events.jsonl', 'notes.txt', 'recording.json']);
  assert.match(stderr, /is a link or no folder, so what it leads to stays/);
  assert.ok(!fs.existsSync(path.join(theirs, '.gitignore')));
});
