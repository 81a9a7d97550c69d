import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { optionsOf } from '../../cli/arguments/command.ts';
import { commands, programOptions } from '../../cli/arguments/commands.ts';
import { completions } from '../../cli/manual/completions.ts';
import { helpText } from '../../cli/manual/help.ts';

describe('the help and the completions have', () => {
  test('every command', () => {
    for (const { name, summary } of commands) {
      for (const text of [helpText(null, 200), completions.zsh(), completions.fish()]) {
        assert.ok(text.includes(name), name);
        assert.ok(text.includes(summary), summary);
      }
      assert.match(completions.bash(), new RegExp(`^    ${name}\\)$`, 'm'));
    }
  });

  test('every option of each command', () => {
    for (const command of commands)
      for (const [name, { short }] of optionsOf(command)) {
        const long = `--${name}`;
        assert.match(helpText(command, 200), new RegExp(`${short === undefined ? '' : `-${short}, `}${long}\\b`));
        assert.ok(sectionOf(completions.bash(), `    ${command.name})`, ';;').includes(long), long);
        assert.ok(sectionOf(completions.zsh(), `        ${command.name})`, ';;').includes(long), long);
        assert.match(completions.fish(), new RegExp(`__hotspan_is ${command.name}'.* -l ${name} `));
      }
  });

  test('every value that may be chosen', () => {
    const all = commands.flatMap((command) => [
      ...(command.operands.choices ?? []),
      ...optionsOf(command).flatMap(([, { value }]) => value?.choices ?? []),
    ]);
    for (const choice of all)
      for (const text of [completions.bash(), completions.zsh(), completions.fish()])
        assert.ok(text.includes(choice), choice);
  });

  test('every exit code', () => {
    for (const command of commands)
      for (const { means } of command.exitCodes) {
        assert.ok(helpText(command, 200).includes(means));
        assert.ok(helpText(null, 200).replaceAll(/\s+/g, ' ').includes(`${command.name}: ${means}`));
      }
  });
});

test('the table says nothing twice', () => {
  const names = [...commands.map(({ name }) => name), 'help'];
  assert.equal(new Set(names).size, names.length);
  for (const command of commands) {
    const letters = optionsOf(command).flatMap(([, { short }]) => short ?? []);
    assert.equal(new Set(letters).size, letters.length, command.name);
    for (const other of command.otherNames) assert.ok(!names.includes(other), other);
  }
  const others = commands.flatMap(({ otherNames }) => otherNames);
  assert.equal(new Set(others).size, others.length);
  assert.deepEqual(Object.keys(programOptions), ['help', 'version']);
});

/** The text from one mark to the next after it. */
function sectionOf(text: string, from: string, to: string): string {
  const start = text.indexOf(from);
  const end = text.indexOf(to, start + from.length);
  return start < 0 ? '' : text.slice(start, end < 0 ? text.length : end);
}
