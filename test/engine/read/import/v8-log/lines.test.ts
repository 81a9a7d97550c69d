import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertEach } from '../../../../helpers/assert-each.ts';
import { drawLog } from '../../../../helpers/drawn-log.ts';
import { memoryWorld } from '../../../../helpers/memory-world.ts';
import { stacksOfLog } from '../../../../helpers/stacks-of-log.ts';
import { analyzedIn } from '../../../../helpers/analyzed.ts';

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
  return (await analyzedIn(world, {}, ['/log/a.v8.log'])).analysis.lines;
}

const times = <Value>(count: number, value: Value): readonly Value[] => Array.from({ length: count }, () => value);

test('ticks tell which of two calls of one function it was', async () => {
  const lines = await linesOf(times(30, 'third'));
  assertEach(lines, ({ line, worst, precision, reason }) => [line, worst, precision, reason], [
    [3, 30_000, 'exact', null],
  ]);
});

test('calls on two lines share the time by their ticks', async () => {
  const lines = await linesOf([...times(30, 'third' as const), ...times(10, 'second' as const)]);
  assertEach(lines, ({ line, worst, precision }) => [line, worst, precision], [
    [3, 30_000, 'exact'],
    [2, 10_000, 'exact'],
  ]);
});

test('where the code that ran has no positions, the source tells the lines, and the reason says why', async () => {
  const lines = await linesOf(times(30, 'sparkplug'));
  assertEach(lines, ({ line, worst, precision }) => [line, worst, precision], [
    [2, 30_000, 'oneOf'],
    [3, 30_000, 'oneOf'],
  ]);
  const reason = { type: 'callOnLines', callee: 'parse', lines: 2, withoutPositions: true };
  assert.deepEqual(lines[0]?.reason, reason);
});

/** One tick at the call in the last function of a file; the log says how long the whole text was. */
const inLast = (file: string, length: number): string =>
  drawLog(`
    code-creation,Script,9,5,0x500,10, ${file}:1:1,0xabc,~
    code-source-info,0x500,7,0,${length},C0O0,,
    code-creation,JS,9,5,0x1000,100,last ${file}:1:14,0xabd,~
    code-source-info,0x1000,7,13,${length - 1},C0O21,,
    tick 1010`);
const text = 'function last() {\n  work();\n}\n';

test('a file that is as long as the text that ran tells the line, another one does not', async () => {
  const log = inLast('/app/a.js', text.length);
  assert.deepEqual(await stacksOfLog(log, { '/app/a.js': text }), ['last~2']);
  assert.deepEqual(await stacksOfLog(log, { '/app/a.js': text.replace('{', '{ // more\n') }), ['last~']);
  assert.deepEqual(await stacksOfLog(log, { '/app/a.js': `\uFEFF${text.slice(0, -1)}` }), ['last~2'], 'with a mark');
});

test('what Node.js writes behind TypeScript that it strips is not a change', async () => {
  const url = 'file:///app/a.ts';
  const log = inLast(url, `${text}\n\n//# sourceURL=${url}`.length);
  assert.deepEqual(await stacksOfLog(log, { '/app/a.ts': text }), ['last~2']);
});

test('of several isolates in one log, each has its own scripts and functions', async () => {
  const other = `// another\n${text}`;
  const second = `
    code-creation,JS,9,5,0x1000,100,second /app/b.js:2:14,0xabd,~
    code-source-info,0x1000,7,24,55,C0O32,,
    code-creation,JS,9,5,0x2000,100,main /app/b.js:2:14,0xabe,*
    code-source-info,0x2000,7,24,55,C0O32I0,F0O32,S0xabf
    tick 1010
    tick 2010`;
  const first = `${inLast('/app/a.js', text.length)}code-creation,JS,9,5,0x3000,9,gone /app/a.js:9:9,0xabf,~\n`;
  assert.deepEqual(await stacksOfLog(first + drawLog(second), { '/app/a.js': text, '/app/b.js': other }), [
    'last~2',
    'second~3',
    'main*3',
  ]);
});
