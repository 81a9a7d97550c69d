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

test('progress obeys TERM=dumb and NO_COLOR: no line that replaces itself, and no escape sequence', () => {
  const written: string[] = [];
  const stream = { isTTY: true, columns: 20, write: (text: string) => written.push(text), once: () => undefined };
  showProgress(outputOf(stream, { TERM: 'dumb' }), 'Reading');
  assert.equal(written.join(''), '');
  const output = outputOf(stream, { NO_COLOR: '1' });
  showProgress(output, 'Reading file 1 of 20: 30 % …');
  showProgress(output, '');
  assert.ok(!written.join('').includes('\u001B'));
  for (const line of written.join('').split('\r')) assert.ok(line.length < 20, line);
  assert.ok(written.join('').endsWith(`\r${' '.repeat(19)}\r`));
});

test('the width of a line is that of the terminal as it is now, and endless elsewhere', () => {
  const stream = { isTTY: true, columns: 60, write: () => true, once: () => undefined };
  const output = outputOf(stream, {});
  assert.equal(output.columns, 60);
  stream.columns = 90;
  assert.equal(output.columns, 90);
  assert.equal(outputOf({ ...stream, isTTY: false }, {}).columns, Infinity);
  assert.equal(outputOf({ ...stream, columns: 0 }, {}).columns, Infinity);
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
