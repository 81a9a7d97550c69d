import assert from 'node:assert/strict';
import { test } from 'node:test';
import { outputOf, showProgress } from '../../cli/terminal.ts';

/** What `red('x')` becomes on a stream in an environment. */
function red(isTTY: boolean, env: NodeJS.ProcessEnv): string {
  return outputOf({ isTTY, write: () => true }, env).colors.red('x');
}

test('colours are for terminals, and asked for or refused by the environment', () => {
  const colored = red(true, {});
  assert.notEqual(colored, 'x');
  assert.equal(red(false, {}), 'x');
  assert.equal(red(true, { NO_COLOR: '1' }), 'x');
  assert.equal(red(true, { NO_COLOR: '' }), colored);
  assert.equal(red(true, { TERM: 'dumb' }), 'x');
  assert.equal(red(false, { FORCE_COLOR: '1' }), colored);
  assert.equal(red(true, { FORCE_COLOR: '0' }), 'x');
});

test('progress is for terminals', () => {
  const written: string[] = [];
  const write = (text: string): void => void written.push(text);
  showProgress(outputOf({ isTTY: false, write }, {}), 'Reading');
  assert.deepEqual(written, []);
  showProgress(outputOf({ isTTY: true, write }, {}), 'Reading');
  assert.match(written.join(''), /Reading/);
});
