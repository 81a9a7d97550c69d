import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseArguments } from '../../cli/arguments/arguments.ts';
import { answerOf } from '../../cli/commands/recheck-answer.ts';
import { outputOf } from '../../cli/views/terminal.ts';
import { comparisonOf } from '../helpers/drawn-sides.ts';

/** What a re-check of `parse`, which became faster, prints, and its exit code. */
function answered(warnings: readonly string[], ...words: readonly string[]): readonly [number | null, string] {
  const asked = parseArguments(['recheck', 'parse', ...words]);
  assert.ok(asked.type === 'recheck');
  const pieces: string[] = [];
  const output = outputOf({ write: (text: string) => pieces.push(text), once: () => undefined }, {});
  const base = { parse: { runs: [312, 313, 314], text: 'was' } };
  const comparison = comparisonOf(base, { parse: { runs: [40, 41, 42], text: 'is' } }, { warnings });
  const session = { options: asked.options, terminal: { out: output, err: output }, fn: undefined };
  const surroundings = { cwd: '/app', env: {}, recorderFile: '', version: '' };
  const code = answerOf(comparison, { ...session, surroundings, query: { type: 'name', name: 'parse' } }, true);
  return [code, pieces.join('')];
}

test('a re-check that ran an older build says only that: its figures are not those of the work tree', () => {
  assert.deepEqual(answered([]), [0, 'parse, src/shop.js:1: faster, was 313 → 41 ms (40–42, 3 pairs)\n']);
  for (const words of [[], ['--json'], ['--json', '--brief']])
    assert.deepEqual(answered(['src/a.ts has changed.'], ...words), [3, 'hotspan: src/a.ts has changed.\n']);
});
