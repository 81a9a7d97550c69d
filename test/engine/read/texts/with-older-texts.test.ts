import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Mapper, withOlderTexts } from '../../../../engine/read/texts/open-mappers.ts';
import { column0, line0, line1 } from '../../../../protocol/units.ts';
import { olderUrl } from '../../../../engine/read/files/file-path.ts';

const url = 'file:///app/dist/a.js';
const source = { url: '/app/src/a.ts', line: line1(7) };
const text = 'function one() {\n  spin();\n}\nfunction two() {\n  spin(2);\n}\n';

test('the map of a script is asked once for all that stands in its newer text', async () => {
  const asked: number[] = [];
  const mapper: Mapper = {
    functions: async (_, starts) => {
      asked.push(starts.length);
      return starts.map((start) => ({ ...start, type: 'original', url: source.url }));
    },
    lines: async (_, lines) => {
      asked.push(lines.length);
      return new Map(lines.map((line) => [line, [{ ...source, isGuess: false }]]));
    },
    textOf: async () => `// moved\n${text}`,
  };
  const older: Mapper = { ...mapper, textOf: async () => text };
  const both = withOlderTexts(mapper, async () => older);
  const start = { column: column0(12), name: '' };
  const origins = await both.functions(olderUrl(url, 'a-1'), [
    { ...start, line: line0(0) },
    { ...start, line: line0(3) },
  ]);
  assert.deepEqual(
    [origins.map((one) => 'line' in one && one.line), asked],
    [
      [1, 4],
      [2, 2],
    ],
  );

  await both.lines(olderUrl(url, 'a-1'), [line1(2), line1(5)]);
  assert.deepEqual(asked, [2, 2, 2, 2]);
});
