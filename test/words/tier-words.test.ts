import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deoptGroups, optimizedText, tierLines, meaningOf } from '../../words/tier-words.ts';
import { assertEach } from '../helpers/assert-each.ts';
import { drawLog } from '../helpers/drawn-log.ts';
import { hotspotsIn } from '../helpers/drawn-hotspots.ts';

const deopt = (line: number, reason: string): string =>
  `code-deopt,9000,100,0x4000,-1,20,deopt-eager,</app/a.js:${line}:1>,${reason}`;

async function wordsOf(ticks: string) {
  const drawing = `^ work 1000 100\n* work 4000 100\n${ticks}\n${[3, 3, 5].map((line) => deopt(line, line === 3 ? '(unknown)' : 'wrong map')).join('\n')}\ntick:idle 9`;
  const { analysis } = await hotspotsIn({ '/rec/v8.log': drawLog(drawing) });
  const id = analysis.functions.functions.findIndex(({ name }) => name === 'work');
  const found = analysis.tiers?.functions.get(id) ?? assert.fail();
  return { found, lines: tierLines(found, analysis, ({ line }) => `a.js:${line}`) };
}

const times = (count: number, address: string): string => `tick ${address}\n`.repeat(count);

test('shares are said in the words of V8, and what has a reason before what only follows from it', async () => {
  const { found, lines } = await wordsOf(`${times(3, '1010')}${times(9, '4010')}`);
  assert.deepEqual(lines, [
    '75 % optimized · Sparkplug 25 %, TurboFan 75 % of 12 ms in JavaScript',
    'deoptimized: wrong map, a.js:5; (unknown), a.js:3 (2 ×)',
  ]);
  assertEach(deoptGroups(found), ({ count }) => count, [1, 2]);
});

test('fewer than ten ticks give no share', async () => {
  const { found, lines } = await wordsOf(times(9, '4010'));
  assert.equal(optimizedText(found), null);
  assert.match(lines[0] ?? '', /^deoptimized/);
});

test('what V8 never optimized has no share: its time may be that of native code that it calls', async () => {
  const drawing = `~ work 1000 100\n${times(12, '1010')}\ntick:idle 9`;
  const { analysis } = await hotspotsIn({ '/rec/v8.log': drawLog(drawing) });
  const id = analysis.functions.functions.findIndex(({ name }) => name === 'work');
  const found = analysis.tiers?.functions.get(id) ?? assert.fail();
  assert.equal(optimizedText(found), null);
  assert.deepEqual(
    tierLines(found, analysis, () => ''),
    [],
  );
  assert.equal(optimizedText({ ...found, madeIn: 'handler' }), '0 % optimized');
});

test('a reason that nobody knows stands for itself', () => {
  assert.match(meaningOf('not a Smi') ?? '', /small whole numbers/);
  assert.match(meaningOf('Insufficient type feedback for call') ?? '', /^This call had never run/);
  assert.equal(meaningOf('something new'), null);
});
