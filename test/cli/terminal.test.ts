import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { outputOf, showProgress } from '../../cli/views/terminal.ts';

/** What `red('x')` becomes on a stream in an environment. */
function red(isTTY: boolean, env: NodeJS.ProcessEnv): string {
  return outputOf({ isTTY, write: () => true, once: () => undefined }, env).colors.red('x');
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
  showProgress(outputOf({ isTTY: false, write, once: () => undefined }, {}), 'Reading');
  assert.deepEqual(written, []);
  showProgress(outputOf({ isTTY: true, write, once: () => undefined }, {}), 'Reading');
  assert.match(written.join(''), /Reading/);
});

test('what nobody reads yet is not made yet', async () => {
  const made: string[] = [];
  let read = (): void => undefined;
  const slow = { write: () => false, once: (_: 'drain', listener: () => void) => (read = listener) };
  const written = outputOf(slow, {}).writeAll(
    (async function* () {
      for (const text of ['one', 'two']) {
        made.push(text);
        yield text;
      }
    })(),
  );
  await setImmediate();
  assert.deepEqual(made, ['one']);
  read();
  await setImmediate();
  assert.deepEqual(made, ['one', 'two']);
  read();
  await written;
});
