import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hotspotsOfProfiles } from '../../../helpers/drawn-hotspots.ts';
import { drawProfile } from '../../../helpers/drawn-profile.ts';
import { stacksOf } from '../../../helpers/sampled-stacks.ts';
import { analysisOf } from './drawn-analysis.ts';
import { linesOf } from './shown-lines.ts';
import { assertEach } from '../../../helpers/assert-each.ts';

/** `middle` begins on line 1, `alloc` on line 11. */
const functions = {
  middle: { url: '/app/src/f.js', line: 0, column: 15 },
  alloc: { url: '/app/src/f.js', line: 10, column: 14 },
};

/** `body`: the lines of `middle` from line 2 on. */
function textOf(body: string): string {
  const text = `function middle(rows, fn) {\n${body}\n}`;
  return `${text}${'\n'.repeat(11 - text.split('\n').length)}function alloc(n) {\n  n += 1;\n  return 'x' + n;\n}\n`;
}

/** The innermost function of each sample. */
async function leaves(drawing: string, body: string, more: object = {}): Promise<string> {
  const analysis = await analysisOf(drawing, { functions, text: textOf(body), sampleMs: 1, ...more });
  return stacksOf(analysis)
    .map((stack) => stack.at(-1) ?? '-')
    .join(' ');
}

const between = `
  middle  middle:3 middle   middle:3 middle:3
  alloc:13 .        alloc:13 .        .`;
const unmoved = 'alloc middle alloc middle middle';
const moved = 'alloc alloc alloc alloc alloc';

for (const [what, line] of [
  ['a call', 'alloc(60);'],
  ['a call whose result is kept', 'const r = await alloc(60);'],
  ['a call of a parameter, which may be any function', 'return fn(rows.length);'],
  ['a constructor', 'return new alloc(rows);'],
  ['a call of a method', 'this.tools.alloc(rows);'],
  ['a call in a condition', 'if (!alloc(rows)) return;'],
] as const)
  test(`samples that V8 counts at ${what} are those of the function that is called there`, async () => {
    assert.equal(await leaves(between, `  rows.sort();\n  ${line}`), moved);
  });

for (const [what, line] of [
  ['a built-in beside it', "const x = alloc() + big.split(',').length;"],
  ['a built-in around it', 'return JSON.parse(alloc());'],
  ['a built-in that calls it', 'return rows.map(alloc);'],
  ['an operator', 'total += alloc();'],
  ['a text made of it', 'return `${alloc()}`;'],
  ['a copy', 'alloc({ ...rows });'],
  ['an element of a list', 'alloc(rows[7]);'],
  ['a loop', 'for (const row of rows) alloc(row);'],
  ['a loop that counts', 'for (let i = 0; i < 9; i++) alloc(i);'],
  ['another call', 'other(alloc());'],
  ['a call of something else', 'other();'],
] as const)
  test(`a line that calls a function keeps its samples where it has ${what}`, async () => {
    assert.equal(await leaves(between, `  rows.sort();\n  ${line}\n  alloc();`), unmoved);
  });

test('a line that reads a property keeps its samples where an accessor of that name was called, too', async () => {
  const items = { url: '/app/src/view.js', line: 3, column: 5, name: 'get items' };
  const body = '  rows.sort();\n  alloc(rows.items);';
  const drawing = between.replace('alloc:13 .        alloc:13', 'alloc:13 .        items');
  assert.equal(
    await leaves(drawing, body, { functions: { ...functions, items } }),
    'alloc middle get items middle middle',
  );
  assert.equal(await leaves(between, body), moved);
});

test('the caller has neither a finding nor a marked line', async () => {
  const lines = await linesOf(between, { functions, text: textOf('  rows.sort();\n  const r = alloc();') });
  assert.deepEqual(lines, ['13: 50 ms × 1, 1 shared !']);
});

test('a whole operation whose samples all lack the function is the function’s', async () => {
  const drawing = `
    (idle) middle:3 middle:3 middle:3 (idle) middle   (idle)
    .      .        .        .        .      alloc:13 .`;
  assert.equal(await leaves(drawing, '\n  alloc();'), '- alloc alloc alloc - alloc -');
});

test('of a caller with work of its own as many samples as were at the call are the function’s, the nearest ones', async () => {
  const drawing = `
    middle:2 middle:2 middle:3 middle   middle:3 middle   middle:5 middle:5
    .        .        .        alloc:13 .        alloc:13 .        .`;
  const body = '  const all = rows.sort();\n  const r = alloc();\n\n  return rows.join();';
  assert.equal(await leaves(drawing, body), 'middle middle alloc alloc alloc alloc middle middle');
});

test('two functions on two lines have the samples beside their own', async () => {
  const drawing = `
    middle   middle:3 middle:4 middle middle:4
    alloc:13 .        .        clean  .`;
  assert.equal(await leaves(drawing, '\n  alloc();\n  clean();'), 'alloc alloc clean clean clean');
});

for (const [what, body, drawing, leavesOf] of [
  ['in a loop', '  for (const row of rows) {\n    alloc(row);\n  }', between, moved],
  [
    'in a loop that has samples of its own',
    '  for (const row of rows) {\n    alloc(row);\n  }',
    between.replace('middle:3', 'middle:2'),
    unmoved,
  ],
] as const)
  test(`a call ${what}: ${leavesOf === moved ? 'its samples are the function’s' : 'it may be the loop’s work'}`, async () => {
    assert.equal(await leaves(drawing, body), leavesOf);
  });

test('a function that calls itself may have work of its own at a call, where it has other samples', async () => {
  const drawing = (line: number): string => `
    middle   middle   middle:2 middle   middle   middle   middle
    middle   middle:3 .        middle:3 middle   middle:3 middle:${line}
    alloc:13 .        .        .        alloc:13 .        .`;
  const body = '  rows.sort();\n  alloc();\n  middle();';
  assert.equal(await leaves(drawing(3), body), 'alloc alloc middle alloc alloc alloc alloc');
  assert.equal(await leaves(drawing(2), body), 'alloc middle middle middle alloc middle middle');
});

test('an object that is made beside a call may be work, where the caller has other samples', async () => {
  const body = '  rows.sort();\n  return alloc({ rows });';
  assert.equal(await leaves(between, body), moved);
  assert.equal(await leaves(between.replace('middle:3', 'middle:2'), body), unmoved);
});

test('a function that is called for each item has no work of its own either, where it only calls', async () => {
  const text = 'rows.map(\n  (row) =>\n    alloc(row),\n);\n\n\n\n\n\n\nfunction alloc(n) {\n  return n;\n}\n';
  const each = { url: '/app/src/f.js', line: 1, column: 2, name: '' };
  const drawn = between.replaceAll('middle', 'each');
  const only = await analysisOf(drawn, { functions: { ...functions, each }, text, sampleMs: 1 });
  assertEach(stacksOf(only), (stack) => stack.at(-1), moved.split(' '));
});

const timers = { ...functions, timers: { url: 'node:internal/timers', name: 'listOnTimeout', line: 600, column: 9 } };

test('a line of Node that has nearly all its samples only calls the program’s function', async () => {
  const drawing = between.replaceAll('middle', 'timers').replaceAll(':3', ':687');
  assert.equal(await leaves(drawing, '', { functions: timers }), moved);
  const spread = drawing.replace('timers:687', 'timers:650');
  assert.equal(
    await leaves(spread, '', { functions: timers }),
    'alloc listOnTimeout alloc listOnTimeout listOnTimeout',
  );
});

test('where Node calls several, it is the one that was seen before the next pause', async () => {
  const drawing = `
    timers timers:687 (idle) timers:687 timers (idle) timers:687
    alloc  .          .      .          middle .      .`;
  const found = await leaves(drawing, '', { functions: timers });
  assert.equal(found, 'alloc alloc - middle middle - listOnTimeout');
});

test('a measured turn ends what Node called in it', async () => {
  const drawn = drawProfile(`
    node:timers#list node:timers#list node:timers#list node:timers#list node:timers#list
    alloc            .                .                .                clean`);
  const withTicks = drawn.nodes.map((node) =>
    node.callFrame.functionName === 'list' ? { ...node, positionTicks: [{ line: 687, ticks: 3 }] } : node,
  );
  const of = async (turns: string): Promise<string> => {
    const { analysis } = await hotspotsOfProfiles([{ ...drawn, nodes: withTicks }], { turns });
    const stacks = stacksOf(analysis);
    return stacks.map((stack) => stack.at(-1)).join(' ');
  };
  assert.equal(await of('0-4 4-5'), 'alloc alloc alloc alloc clean');
  assert.equal(await of('0-1 1-2 2-5'), 'alloc list clean clean clean');
});

test('a line of a function is an estimate where V8 lost the lines of much of its time', async () => {
  const body = '  rows.sort();\n  alloc();';
  const drawing = (lost: number): string =>
    `${'middle '.repeat(20 - lost)}${'middle:3 '.repeat(lost)}\n${'alloc:13 '.repeat(20 - lost)}${'. '.repeat(lost)}`;
  assert.deepEqual(await linesOf(drawing(3), { functions, text: textOf(body) }), ['13: 200 ms × 1, 1 exact !']);
  const { lines } = await analysisOf(drawing(4), { functions, text: textOf(body) });
  assert.deepEqual(lines[0]?.reason, { type: 'linesLost' });
  const short = textOf(body).replace(/function alloc[^]*/, 'function alloc(n) { return n; }\n');
  const oneLine = drawing(4).replaceAll(':13', ':11');
  assert.deepEqual(await linesOf(oneLine, { functions, text: short }), ['11: 200 ms × 1, 1 exact !']);
});
