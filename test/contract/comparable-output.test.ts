import assert from 'node:assert/strict';
import test from 'node:test';
import { compareOutputs } from '../helpers/comparable-output.ts';

const same = { lines: [], isReordered: false };

for (const [runner, one, other] of [
  ['node:test', '✔ adds (1.2ms)\nℹ duration_ms 81.2', '✔ adds (0.314ms)\nℹ duration_ms 1081'],
  ['node:test, TAP', '  duration_ms: 1.2\n# duration_ms 8.1', '  duration_ms: 2.5\n# duration_ms 181.123'],
  ['mocha', '  ✔ adds\n  2 passing (9ms)', '  ✔ adds (45ms)\n  2 passing (1s)'],
  ['jest', 'PASS test/a.js\nTime: 0.9 s', 'PASS test/a.js (5.2 s)\nTime: 7.123 s, estimated 8 s'],
  [
    'vitest',
    ' ✓ a.test.ts (1 test) 9ms\n   Start at  17:59:59\n   Duration  1.2s (tests 0ms)',
    ' ✓ a.test.ts (1 test) 345ms\n   Start at  18:00:01\n   Duration  980ms (transform 1.9s, tests 12ms)',
  ],
  ['ava', '  ✔ adds\n  1 test passed', '  ✔ adds (118ms)\n  1 test passed'],
  ['tap', 'ok 1 - a # time=1.5ms\n# time=12ms', 'ok 1 - a # time=301.25ms\n# time=1012.5ms'],
  ['jasmine', '1 spec, 0 failures\nFinished in 0.012 seconds', '1 spec, 0 failures\nFinished in 1 second'],
  ['a warning of Node', '(node:123) Warning: x', '(node:4567) Warning: x'],
  ['what Hotspan has lost', 'done', 'done\nhotspan: Process 7 was killed.'],
] as const) {
  test(`${runner}: two outputs are the same but for their times`, () => {
    assert.deepEqual(compareOutputs(one, other), same);
  });
}

test('another word, number or result is a difference', () => {
  for (const [one, other] of [
    ['2 passing (9ms)', '3 passing (9ms)'],
    ['✔ adds', '✖ adds'],
    ['at a.js:12:7', 'at a.js:13:7'],
  ] as const) {
    assert.deepEqual(compareOutputs(one, other).lines, [
      `- ${one.replace(' (9ms)', '')}`,
      `+ ${other.replace(' (9ms)', '')}`,
    ]);
  }
});

test('a line said twice is not the line said once', () => {
  assert.deepEqual(compareOutputs('a\nb', 'a\nb\na').lines, ['+ a']);
});

test('the same lines in another order are the same, and it is said', () => {
  assert.deepEqual(compareOutputs('a\nb', 'b\na'), { lines: [], isReordered: true });
});

test("Vitest's advice on workers that started slowly is none of the output", () => {
  const advice = `     Isolate  3 workers spawned · ~201ms startup each (spawn + environment, per file)
              at least ~402ms faster with isolate: false — reuses workers across files instead of one per file`;
  assert.deepEqual(compareOutputs('a\nb', `a\n${advice}\nb`).lines, []);
});
