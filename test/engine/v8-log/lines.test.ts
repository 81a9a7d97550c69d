import assert from 'node:assert/strict';
import { test } from 'node:test';
import { analyze } from '../../../engine/analyze.ts';
import { milliseconds } from '../../../protocol/units.ts';
import { drawLog } from '../../helpers/drawn-log.ts';
import { memoryWorld } from '../../helpers/memory-world.ts';

/** A handler that calls a package on two lines; ticks are in these calls, by their line and the code of the handler. */
async function linesOf(calls: readonly ('second' | 'third' | 'sparkplug')[]) {
  const frames = { second: '1010', third: '1020', sparkplug: '3010' };
  const log = drawLog(
    `~ handler 1000 100 C0O21C16O23C32O32
     ^ handler 3000 100
     code-creation,JS,9,5,0x2000,100,parse /app/node_modules/lib/index.js:1:15,0xabc,~
     code-source-info,0x2000,8,14,50,C0O20,,
     ${calls.map((call) => `tick 2010 ${frames[call]}`).join('\n')}
     tick:idle 9999`,
    { handler: [16, 1, 17] },
  );
  const world = memoryWorld({
    '/log/a.v8.log': log,
    '/app/a.js': 'function handler() {\n  parse();\n  parse();\n}\n',
    '/app/node_modules/lib/index.js': 'function parse() {}\n',
  });
  const options = { thresholdUs: milliseconds(10), roots: ['/app'], sourceMaps: true };
  const result = await analyze(['/log/a.v8.log'], world, options);
  assert.equal(result.type, 'analyzed');
  return result.type === 'analyzed' ? result.analysis.lines : [];
}

const times = <Value>(count: number, value: Value): readonly Value[] => Array.from({ length: count }, () => value);

test('ticks tell which of two calls of one function it was', async () => {
  const lines = await linesOf(times(30, 'third'));
  assert.deepEqual(
    lines.map(({ line, worst, precision, reason }) => [line, worst, precision, reason]),
    [[3, 30_000, 'exact', null]],
  );
});

test('calls on two lines share the time by their ticks', async () => {
  const lines = await linesOf([...times(30, 'third' as const), ...times(10, 'second' as const)]);
  assert.deepEqual(
    lines.map(({ line, worst, precision }) => [line, worst, precision]),
    [
      [3, 30_000, 'exact'],
      [2, 10_000, 'exact'],
    ],
  );
});

test('where the code that ran has no positions, the source tells the lines, and the reason says why', async () => {
  const lines = await linesOf(times(30, 'sparkplug'));
  assert.deepEqual(
    lines.map(({ line, worst, precision }) => [line, worst, precision]),
    [
      [2, 30_000, 'oneOf'],
      [3, 30_000, 'oneOf'],
    ],
  );
  assert.match(lines[0]?.reason ?? '', /no positions of the code that ran \(Sparkplug, before Node\.js 26\)$/);
});
