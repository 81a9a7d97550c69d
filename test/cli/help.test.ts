import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commands } from '../../cli/arguments/commands.ts';
import { exitCodesOf, helpText } from '../../cli/manual/help.ts';

test('the help fits a terminal of 60 columns, examples apart', () => {
  for (const topic of [null, ...commands]) {
    const lines = helpText(topic, 60).split('\n');
    for (const line of lines)
      assert.ok(line.length <= 60 || line.startsWith('  HOTSPAN_MODE') || line.includes('completions/hotspan'), line);
  }
});

test('under npx each row begins with npx, and every line fits into 110 columns', () => {
  assert.doesNotMatch(helpText(null, Infinity, 'npx hotspan'), /^ *hotspan/m);
  for (const topic of [null, ...commands])
    for (const line of helpText(topic, Infinity).split('\n')) assert.ok(line.length <= 110, line);
});

test('an option stands with its letter, its value and what is taken without it', () => {
  const record = commands.find(({ name }) => name === 'record') ?? null;
  assert.match(helpText(record, 100), /\n {2}-o, --out DIR {2,}where the recording goes \(in your cache folder\)/);
  assert.match(helpText(record, 100), /\n {6}--keep MB {2,}afterwards/);
});

test('a command says what its exit codes mean, the common ones with its own', () => {
  const codesOf = (name: string): readonly string[] =>
    commands.filter((one) => one.name === name).flatMap((one) => exitCodesOf(one).map(({ code }) => code));
  assert.deepEqual(codesOf('record'), ['as COMMAND', '2', '127']);
  assert.deepEqual(codesOf('analyze'), ['0', '1', '2', '3']);
  assert.deepEqual(codesOf('recordings'), ['0', '2']);
});
