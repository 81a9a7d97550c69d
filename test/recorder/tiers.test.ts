import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import test from 'node:test';
import { tierFlags, withTierFlags, nodeBinary, takesTierFlags } from '../../recorder/command-lines/tier-flags.ts';
import { microseconds } from '../../protocol/units.ts';
import { commandEnvironment, tierNotes } from '../../recorder/launch/run/command-line.ts';
import { installShim } from '../../recorder/launch/install/node-shim.ts';
import { wordsOfWrapper } from '../../recorder/preload/descendants/children.ts';
import { temporaryProject } from '../helpers/temporary-project.ts';

const shim = '/cache/shim-0123456789ab';
const flags = tierFlags({ directory: '/rec', shim }, 1000);

test("V8 reads a % in the folder's name as it is", () => {
  assert.ok(tierFlags({ directory: '/100%p', shim }, 500).includes('--logfile=/100%%p/%p-%t.v8.log'));
});

test('the flags stand in front of those of the program, once', () => {
  const words = ['--expose-gc', 'app.js', '--prof'];
  assert.deepEqual(withTierFlags(words, flags), [...flags, ...words]);
  assert.equal(withTierFlags([...flags, ...words], flags), null);
});

test('a program with a log or profile of its own, or under permissions, keeps its words', () => {
  const ofItsOwn = ['--prof', '--cpu-prof', '--log_all', '--logfile=x'];
  for (const word of [...ofItsOwn, '--permission', '--version', '--build-snapshot'])
    assert.equal(withTierFlags([word, 'app.js'], flags), null, word);
  for (const word of ['--cpu-prof-interval=1000', '--experimental-vm-modules', '--test', '-r'])
    assert.notEqual(withTierFlags([word, 'app.js'], flags), null, word);
});

test("node is found on the PATH as a shell finds it, past Hotspan's own", () => {
  const search = { list: `${shim}:relative:/none:/bin`, without: shim, platform: 'linux', isFile: () => true } as const;
  assert.equal(nodeBinary('node', search), '/none/node');
  assert.equal(nodeBinary('node', { ...search, isFile: (file) => file === '/bin/node' }), '/bin/node');
  assert.equal(nodeBinary('/opt/n/node', search), '/opt/n/node');
  assert.equal(nodeBinary('/opt/n/nodemon', search), null);
  assert.equal(nodeBinary('npm', search), null);
});

test("a script of Yarn's is the Node that it starts, and its words", () => {
  const wrapper = (...words: readonly string[]): string => `#!/bin/sh\nexec "/opt/n o/node" ${words.join(' ')} "$@"\n`;
  assert.deepEqual(wordsOfWrapper(wrapper("'/app/mocha.js'")), ['/opt/n o/node', '/app/mocha.js']);
  assert.deepEqual(wordsOfWrapper(wrapper(`'/it'"'"'s/yarn.js'`, "'run'")), ['/opt/n o/node', "/it's/yarn.js", 'run']);
  assert.deepEqual(wordsOfWrapper(wrapper()), ['/opt/n o/node']);
  for (const other of ['', 'exec node', `${wrapper("'a.js'")}rm x\n`, wrapper('$(pwd)'), wrapper("'a.js' >b")])
    assert.equal(wordsOfWrapper(other), null, other);
});

test('on Windows it is node.exe, in the folders between semicolons', () => {
  const list = String.raw`C:\cache\shim-0123456789ab;C:\Program Files\nodejs`;
  const without = String.raw`C:\cache\shim-0123456789ab`;
  const search = { list, without, platform: 'win32', isFile: () => true } as const;
  assert.equal(nodeBinary('node', search), String.raw`C:\Program Files\nodejs\node.exe`);
  assert.equal(nodeBinary('Node.EXE', search), String.raw`C:\Program Files\nodejs\Node.EXE`);
  assert.equal(nodeBinary(String.raw`D:\n\node.exe`, search), String.raw`D:\n\node.exe`);
});

test('Node 18 and later takes the flags; what says no version of Node does not', () => {
  assert.deepEqual(['v18.20.8\n', 'v26.10.0'].map(takesTierFlags), [true, true]);
  assert.deepEqual(['v16.20.2', 'v8.17.0', '1.2.3', ''].map(takesTierFlags), [false, false, false, false]);
});

test('the command finds our node first, by whatever letters its PATH is written with', () => {
  const made = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
    commandEnvironment(env, {
      ...{ directory: '/rec', recorderFile: '/cache/recorder-0123456789ab.cjs', intervalUs: microseconds(500) },
      ...{ shim, ownBin: '/own' },
    });
  const first = [shim, '/bin'].join(path.delimiter);
  assert.equal(made({ PATH: '/bin' })['PATH'], first);
  const isWindows = process.platform === 'win32';
  assert.equal(made({ Path: '/bin' })['Path'], isWindows ? first : '/bin', 'elsewhere another variable');
  assert.equal(made({})['PATH'], undefined);
  assert.equal(made(made({ PATH: '/bin' }))['PATH'], first, 'once, in a recording inside another');
});

test('what cannot tell its tiers is said before it runs', () => {
  assert.match(tierNotes(['bun', 'test'])[0] ?? '', /^bun is not Node\.js/);
  assert.match(tierNotes([String.raw`C:\x\electron.cmd`])[0] ?? '', /^electron is not Node\.js/);
  assert.match(tierNotes(['node', '--permission', 'a.js'])[0] ?? '', /^--permission does not go together/);
  assert.deepEqual(tierNotes(['npm', 'test']), []);
  assert.deepEqual(tierNotes(['node', 'a.js', '--prof']), []);
});

test("a recording's node hands on to no other recording's", { skip: process.platform === 'win32' }, async () => {
  const home = temporaryProject({});
  const shims = [await installShim(path.join(home, 'a'), home), await installShim(path.join(home, 'b'), home)];
  const PATH = [...shims, path.dirname(process.execPath), '/bin', '/usr/bin'].join(':');
  const [first = ''] = shims;
  const { stdout } = spawnSync(path.join(first, 'node'), ['-v'], { env: { PATH }, encoding: 'utf8' });
  assert.equal(stdout.trim(), process.version);
});
