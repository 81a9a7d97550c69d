import assert from 'node:assert/strict';
import test from 'node:test';
import { withVariables, withoutVariables } from '../../recorder/preload/descendants/children.ts';
import { isPoolFile } from '../../recorder/preload/host/run.ts';

const put = (...pairs: readonly string[]): readonly string[] =>
  withVariables(pairs, { HOTSPAN_DIR: '/rec' }, '/r.cjs').toSorted();

test('a child with an environment of its own gets ours put back, beside its own options', () => {
  assert.deepEqual(put('A=1'), ['A=1', 'HOTSPAN_DIR=/rec', 'NODE_OPTIONS=--require /r.cjs']);
  assert.deepEqual(put('NODE_OPTIONS=--no-warnings'), [
    'HOTSPAN_DIR=/rec',
    'NODE_OPTIONS=--no-warnings --require /r.cjs',
  ]);
  if (process.platform !== 'win32') assert.ok(put('node_options=--bad').includes('node_options=--bad'));
});

test('an environment that was passed on stays as it is', () => {
  const passed = ['A=1', 'HOTSPAN_DIR=/other', 'NODE_OPTIONS=--require /r.cjs --no-warnings'];
  assert.deepEqual(put(...passed), passed);
});

test('a child of another user, who may not read the recorder, gets none', () => {
  const given = ['A=1', 'NODE_OPTIONS=--no-warnings', 'HOTSPAN_OTHER=1'];
  assert.deepEqual(withoutVariables(put(...given), ['HOTSPAN_DIR'], '/r.cjs').toSorted(), given.toSorted());
  assert.deepEqual(withoutVariables(put('A=1'), ['HOTSPAN_DIR'], '/r.cjs'), ['A=1']);
});

test('a file of a runner or a pool is known by the package it belongs to', () => {
  assert.ok(isPoolFile('/w/node_modules/tinypool/dist/index.js'));
  assert.ok(isPoolFile('/w/node_modules/.pnpm/jest-worker@30/node_modules/jest-worker/build/index.js'));
  assert.ok(isPoolFile(String.raw`C:\w\node_modules\@vitest\runner\index.js`));
  assert.equal(isPoolFile('/w/vitest/src/pool.ts'), false);
  assert.equal(isPoolFile('/w/node_modules/sharp/lib/index.js'), false);
});
