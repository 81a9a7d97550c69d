// A measuring tool leaves no trace: each command, in repositories that have something to lose, against attacks of an old
// commit and of what the person's own git hook leaves in the environment.
import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, readdirSync, renameSync, rmSync, symlinkSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { busyFor } from '../../helpers/busy-for.ts';
import { withObjects } from '../../../recorder/launch/pairs/git.ts';
import { isGroupRunning, send } from '../../../recordings/run-processes.ts';
import type { CliRun } from '../../helpers/run-cli.ts';
import { newFolder, Repository, write } from '../../helpers/temporary-repository.ts';
import { untouched } from '../../helpers/untouched.ts';

const main = `function slow() {
  ${busyFor(60)}
}
setTimeout(slow, 5);
if (process.env.SEEN) require('node:fs').appendFileSync(process.env.SEEN, process.env.GIT_DIR + ' ');
`;
const lock = (name: string): string =>
  JSON.stringify({ name, lockfileVersion: 3, requires: true, packages: { '': { name, version: '1.0.0' } } });
const command = ['--', process.execPath, 'main.js'];

/** Keeps what it reads in a folder, as that of Git LFS does. */
const filter =
  's=$(git config lfs.storage || echo "$(git rev-parse --absolute-git-dir)/lfs"); mkdir -p "$s"; echo read >> "$s/log"; cat';

/** Local settings, of which git shows no change. */
const hidden = (text: string) => ({ 'skipped.json': text, 'assumed.json': text });

/**
 * Staged, unstaged, stashed, untracked, ignored and hidden changes, a hook, a file that was written and has not changed,
 * and a work tree whose disk is not there.
 */
function treasure(): Repository {
  const kept = { 'main.js': main, 'kept.txt': 'one', 'package-lock.json': lock('a'), 'a.bin': 'large' };
  const repository = new Repository({ ...kept, ...hidden('1'), '.gitattributes': '*.bin filter=lfs' }, 'a:b');
  const { folder } = repository;
  repository.git('config', 'filter.lfs.clean', filter);
  repository.git('config', 'user.name', 'a');
  repository.git('config', 'user.email', 'a@example.com');
  write(folder, { 'kept.txt': 'stashed' });
  repository.git('stash');
  repository.git('worktree', 'add', '--quiet', '--detach', '../other');
  write(folder, { '../other/unborn.txt': 'staged in the other work tree' });
  repository.git('-C', '../other', 'add', '-A');
  renameSync(path.join(folder, '../other'), path.join(newFolder(), 'unplugged'));
  write(folder, {
    ...{ '.git/hooks/pre-commit': '#!/bin/sh\nexit 1\n', '.env-local': 'SECRET=1', 'staged.txt': 'staged' },
    ...{ 'node_modules/.bin/tool': 'tool', 'node_modules/x/index.js': '', 'package-lock.json': lock('b') },
  });
  chmodSync(path.join(folder, '.git/hooks/pre-commit'), 0o755);
  repository.git('add', 'staged.txt');
  repository.git('update-index', '--skip-worktree', 'skipped.json');
  repository.git('update-index', '--assume-unchanged', 'assumed.json');
  write(folder, { 'kept.txt': 'dirty', 'a.bin': 'large', 'crlf.txt': '1\r\n', ...hidden('22') });
  repository.git('config', 'core.autocrlf', 'input');
  repository.git('config', 'core.safecrlf', 'true');
  utimesSync(path.join(folder, 'a.bin'), 1, 1);
  return repository;
}

function assertEnded({ code, stderr }: CliRun, codes: readonly number[]): void {
  assert.ok(codes.includes(code ?? Number.NaN), `exit code ${code}: ${stderr}`);
}

test('compare, baseline, recheck and check leave every file of the repository as it is', async () => {
  const repository = treasure();
  const check = untouched(path.dirname(repository.folder));
  assertEnded(await repository.run(['compare', '--base', 'HEAD', '--install', 'true', ...command]), [0, 1, 3]);
  assertEnded(await repository.run(['recheck', 'slow', '--base', 'HEAD', '--install', 'true', ...command]), [0, 1, 3]);
  // Linux has it on a file system of its own.
  const env = existsSync('/dev/shm') ? { TMPDIR: '/dev/shm' } : {};
  assertEnded(await repository.run(['baseline', ...command], { env }), [0]);
  check();
  const kept = baselineFiles(repository).filter((file) => /^(?:\.env|staged|skipped|assumed)/.test(file));
  assert.deepEqual(kept, ['assumed.json 2', 'skipped.json 2', 'staged.txt 6'], 'as they are on the disk, no secret');
  assertEnded(await repository.run(['check', '--update', ...command]), [0]);
  assert.equal(repository.git('status', '--porcelain', '--', 'hotspan.budget.json'), '?? hotspan.budget.json\n');
  assert.equal(repository.git('for-each-ref', 'refs/hotspan'), '', 'a baseline is nothing that git pushes');
});

/** The paths of the files that the baseline `main` has the texts of, each with its size in bytes. */
function baselineFiles({ folder, env }: Repository): readonly string[] {
  const sources = path.join(folder, '.hotspan/baselines/main/sources');
  const commit = readFileSync(path.join(sources, 'HEAD'), 'utf8').trim();
  const ofBaseline = { ...env, ...withObjects(path.join(sources, 'objects')) };
  const words = ['ls-tree', '-r', '--format=%(path) %(objectsize)', commit];
  return execFileSync('git', words, { cwd: folder, env: ofBaseline, encoding: 'utf8' }).split('\n');
}

/** What `prepare` scripts of an old commit do, and worse. */
const attacks = [
  'git config core.hooksPath .husky; git config --global core.hooksPath .husky', // as husky does
  'hooks="$(git rev-parse --git-dir)/hooks"; mkdir -p "$hooks"; echo > "$hooks/pre-commit"',
  'git reset --hard --quiet; git clean -fdxq; git worktree prune; git stash clear',
  'git commit --allow-empty -qm x; git tag x; git branch -f main HEAD~0; git checkout -q -B y',
  'rm -rf node_modules/.bin node_modules/x; chmod -R u+rwX,go-rwx .; find . -exec touch -t 202001010000 {} +',
];

for (const [name, setup] of [
  ['attacks its repository', `${attacks.join('; ')}; true`],
  ['fails', 'exit 7'],
] as const) {
  test(`a preparation of the base that ${name} reaches nothing of the person's`, async () => {
    const repository = treasure();
    const home = newFolder();
    const gitDir = path.join(repository.folder, '.git');
    // As a hook of the person's repository has it, in which Hotspan is run.
    const ofHook = { GIT_DIR: gitDir, GIT_INDEX_FILE: path.join(gitDir, 'index'), GIT_WORK_TREE: repository.folder };
    const seen = path.join(newFolder(), 'seen');
    const check = untouched(path.dirname(repository.folder), home);
    const words = ['compare', '--base', 'HEAD', '--install', 'true', '--setup', setup, ...command];
    assertEnded(await repository.run(words, { env: { ...ofHook, HOME: home, SEEN: seen } }), [0, 1, 2, 3]);
    check();
    if (name === 'attacks its repository')
      assert.match(readFileSync(seen, 'utf8'), /^(?:undefined ){6,}$/, 'both sides run without what the hook has');
  });
}

test('a daemon that the preparation of a base starts ends with it, also one with a session of its own', async (t) => {
  const repository = new Repository({
    'main.js': main,
    'daemon.js': `process.on('SIGTERM', () => {}); require('fs').writeFileSync(process.env.PID_FILE, process.pid + '\\n');
      setInterval(() => {}, 60_000);`,
  });
  const file = path.join(newFolder(), 'pid');
  const daemon = `require('child_process').spawn(process.execPath, ['daemon.js'], { detached: true, stdio: 'ignore' }).unref()`;
  const setup = `"${process.execPath}" -e "${daemon}"; until grep -qs . "$PID_FILE"; do :; done`;
  const words = ['compare', '--base', 'HEAD', '--setup', setup, ...command];
  for (const stops of [false, true]) {
    const said = (text: string, child: ChildProcess): void => {
      if (stops && text.includes('Pair 1')) child.kill('SIGTERM');
    };
    const ended = await repository.run(words, { env: { PID_FILE: file }, onStderr: said });
    const pid = Number(readFileSync(file, 'utf8'));
    t.after(() => send(-pid, 'SIGKILL'));
    assertEnded(ended, stops ? [3] : [0, 1, 3]);
    assert.equal(isGroupRunning(pid), process.platform !== 'linux', 'only Linux shows which processes are of a base');
    rmSync(file);
  }
});

test('an installation in the base empties no folder that a committed link leads to', async () => {
  const shared = newFolder();
  write(shared, { 'precious/index.js': 'module.exports = 1;' });
  const repository = new Repository({
    'main.js': main,
    '.gitignore': '',
    'package.json': '{ "name": "a" }',
    'package-lock.json': lock('a'),
  });
  symlinkSync(shared, path.join(repository.folder, 'node_modules'));
  repository.git('add', '-A');
  repository.git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '--quiet', '-m', 'link');
  write(repository.folder, { 'package-lock.json': lock('b') });
  const check = untouched(shared, repository.folder);
  assertEnded(await repository.run(['compare', '--base', 'HEAD', ...command]), [0, 1, 2, 3]);
  check();
});

test('a preparation that touches every file makes none where a link among the packages leads nowhere', async () => {
  const repository = new Repository({ 'package.json': '{ "name": "a" }', 'package-lock.json': lock('a') });
  write(repository.folder, { 'node_modules/x/index.js': '' });
  symlinkSync('../../nowhere', path.join(repository.folder, 'node_modules/lost'));
  const check = untouched(path.dirname(repository.folder));
  const setup = 'find node_modules -exec touch {} + && exit 7';
  const { code, stderr } = await repository.run(['compare', '--base', 'HEAD', '--setup', setup, ...command]);
  assert.equal(code, 2);
  assert.match(stderr, /ended with exit code 7/, 'all could be touched');
  check();
});

test('a preparation that touches every file reaches no store that packages are linked from', async () => {
  const repository = new Repository({ 'package.json': '{ "name": "a" }', 'package-lock.json': lock('a') });
  const store = newFolder();
  const modules = { x: 'store/1/node_modules', y: 'store/2/node_modules' };
  write(store, {
    [`${modules.x}/@a/x/package.json`]: '{ "name": "@a/x", "main": "lib/x.js", "dependencies": { "y": "1" } }',
    [`${modules.x}/@a/x/lib/x.js`]: 'module.exports = require("y");',
    [`${modules.x}/@a/x/bin/x`]: 'require("../lib/x.js");',
    [`${modules.y}/y/index.js`]: '',
  });
  symlinkSync('../../2/node_modules/y', path.join(store, modules.x, 'y'));
  write(repository.folder, { 'node_modules/z/index.js': '', 'node_modules/.bin/z': '' });
  symlinkSync(path.join(store, modules.x, '@a/x'), path.join(repository.folder, 'node_modules/x'));
  symlinkSync(path.join(store, modules.x, '@a/x/bin/x'), path.join(repository.folder, 'node_modules/.bin/x'));
  const check = untouched(path.dirname(repository.folder), store);
  const setup = 'find -L . -exec touch {} + && node -e "require(\'x\')" && node node_modules/.bin/x && exit 7';
  const { code, stderr } = await repository.run(['compare', '--base', 'HEAD', '--setup', setup, ...command]);
  assert.equal(code, 2);
  assert.match(stderr, /ended with exit code 7/, 'all could be touched, and each package finds what it depends on');
  check();
});

test('a base that runs files of the work tree gives no verdict', async () => {
  const repository = treasure();
  const file = path.join(repository.folder, 'main.js');
  const words = ['compare', '--base', 'HEAD', '--install', 'true', '--', process.execPath];
  const { code, stderr } = await repository.run([...words, '-e', `require(${JSON.stringify(file)})`]);
  assert.equal(code, 3);
  assert.match(stderr, /The run of HEAD ran main\.js of your work tree/);
  // An absolute path in the command, as Profile File gives one, is that of each side.
  const named = await repository.run([...words, file]);
  assertEnded(named, [0, 1, 3]);
  assert.doesNotMatch(named.stderr, /of your work tree, by/);
});

for (const [name, setup] of [
  ['main.js', 'true'],
  ['lib/main.js', 'mkdir lib && cp main.js lib'],
] as const)
  test(`${name} that is saved between two runs gives no verdict, also where git ignores it`, async () => {
    const long = main.replace('60', '300');
    const repository = new Repository({ 'main.js': long, '.gitignore': 'lib' });
    write(repository.folder, { [name]: `${long}slow;\n` });
    const onStderr = (said: string): void => {
      if (said.includes('Pair 2')) write(repository.folder, { [name]: `${long}slow();\n` });
    };
    const words = ['compare', '--base', 'HEAD', '--setup', setup, '--', process.execPath, name];
    const { code, stdout, stderr } = await repository.run(words, { onStderr });
    assert.deepEqual([code, stdout], [3, ''], stderr);
    assert.ok(stderr.includes(`${name} changed during the runs`), stderr);
  });

test('what a baseline and its list say of a command holds no secret of it; one without sources does not replace it', async () => {
  const repository = new Repository({ 'main.js': main });
  const { stdout, stderr } = await repository.run(['baseline', ...command, '--password=hunter2']);
  const listed = await repository.run(['baseline', '--list']);
  assert.doesNotMatch(`${stdout}${stderr}${listed.stdout}`, /hunter2/);
  const folder = path.join(repository.folder, '.hotspan/baselines');
  assert.ok(readdirSync(folder).length > 0);
  const kept = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'));
  for (const name of kept) assert.doesNotMatch(readFileSync(path.join(folder, name), 'utf8'), /hunter2/, name);
  write(repository.folder, { '.git/index': 'damaged' });
  assert.match((await repository.run(['baseline', ...command])).stderr, /"main" has its sources, and is not replaced/);
});
