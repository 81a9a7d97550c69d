import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import test from 'node:test';
import { reachedThroughShell } from '../../recorder/command-lines/shell-command.ts';

const recorder = '/a folder/r.cjs';

/** What `text` prints as the shell runs it, with the recorder put in. */
function printed(text: string): string {
  const [program = '', ...args] = reachedThroughShell(['sh', '-c', text], recorder) ?? ['sh', '-c', text];
  return spawnSync(program, args, { encoding: 'utf8', env: { PATH: process.env['PATH'] } }).stdout.trim();
}

const isWindows = process.platform === 'win32';
const show = 'printenv NODE_OPTIONS';

test('the recorder comes in front of what a shell sets, whatever is in its path', { skip: isWindows }, () => {
  assert.equal(printed(`NODE_OPTIONS=--a ${show}`), '--require "/a folder/r.cjs" --a');
  assert.equal(printed(`NODE_OPTIONS= ${show}`), '--require "/a folder/r.cjs"');
});

test('a text that keeps what was there stays as it is', () => {
  for (const text of ['NODE_OPTIONS="$NODE_OPTIONS --a" jest', 'NODE_OPTIONS=${NODE_OPTIONS:-} jest', 'jest'])
    assert.equal(reachedThroughShell(['sh', '-c', text], recorder), null, text);
  assert.equal(reachedThroughShell(['node', '-c', 'NODE_OPTIONS=--a x'], recorder), null);
  assert.equal(reachedThroughShell(['sh', 'NODE_OPTIONS=--a'], recorder), null);
});

test('a shell is known by its name, and its text by its option', () => {
  const text = (words: readonly string[]): string | undefined => reachedThroughShell(words, '/r.cjs')?.at(-1);
  const reached = String.raw`NODE_OPTIONS=--require\ /r.cjs\ --a x`;
  assert.equal(text(['/bin/bash', '-ec', 'NODE_OPTIONS=--a x']), reached);
  assert.equal(text(['bash', '-l', '-c', '--', 'NODE_OPTIONS=--a x']), reached);
});

test('commands in commands without an end are read to a depth, and what was found before them holds', () => {
  const text = `NODE_OPTIONS=--trace-gc jest ${'$('.repeat(100_000)}`;
  const [, , reached = ''] = reachedThroughShell(['sh', '-c', text], '/r.cjs') ?? [];
  assert.ok(reached.startsWith('NODE_OPTIONS=--require'), reached.slice(0, 60));
});
