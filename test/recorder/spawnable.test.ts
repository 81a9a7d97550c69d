import assert from 'node:assert/strict';
import test from 'node:test';
import { spawnable } from '../../recorder/launch/run/command-line.ts';

const env = { Path: String.raw`C:\bin;C:\node`, PATHEXT: '.EXE;.CMD', ComSpec: 'cmd.exe' };
const onWindows = (command: readonly string[], ...files: readonly string[]): ReturnType<typeof spawnable> =>
  spawnable(command, 'win32', env, (file) => files.includes(file));

test('a command is started as it is', () => {
  assert.deepEqual(spawnable(['npm', 'test'], 'linux', {}), { file: 'npm', args: ['test'], verbatim: false });
});

test('on Windows a program is found by its endings, and started as it is', () => {
  const found = onWindows(['node', 'a b.js'], String.raw`C:\node\node.exe`);
  assert.deepEqual(found, { file: String.raw`C:\node\node.exe`, args: ['a b.js'], verbatim: false });
});

test('on Windows a .cmd file is run by cmd.exe, its arguments safe from it', () => {
  const found = onWindows(['npm', 'run', 'a & b', '100%'], String.raw`C:\node\npm.cmd`);
  const line = String.raw`"C:\node\npm.cmd ^"run^" ^"a^ ^&^ b^" ^"100^%^""`;
  assert.deepEqual(found, { file: 'cmd.exe', args: ['/d', '/s', '/c', line], verbatim: true });
});

test('on Windows the files of node_modules hand their arguments on: they are escaped twice', () => {
  const shim = String.raw`.\node_modules\.bin\mocha.cmd`;
  assert.equal(onWindows([shim, 'a b'], shim).args.at(-1), String.raw`"${shim} ^^^"a^^^ b^^^""`);
});

test('on Windows a path is not looked for elsewhere', () => {
  assert.equal(onWindows([String.raw`.\tool`], String.raw`tool.cmd`).file, 'cmd.exe');
  assert.equal(onWindows(['nothing']).file, 'nothing');
});
