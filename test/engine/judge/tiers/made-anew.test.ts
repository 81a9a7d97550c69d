import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawLog } from '../../../helpers/drawn-log.ts';
import { hotspotsIn } from '../../../helpers/drawn-hotspots.ts';

/** Who makes `sum` anew; `marker` is that of its optimized code. Requests call `handler`, on its line, which calls `sum`. */
async function makerOfSum(
  source: string,
  { marker = '^', calls = 'tick 3010 2010 1010', operations = 2 } = {},
): Promise<string | null> {
  const lines = source.split('\n');
  const at = (name: string): readonly [number, number, number] => {
    const line = lines.findIndex((text) => new RegExp(`\\b${name}\\b(\\(| = )`).test(text));
    const [before = ''] = /^.*?(?=\()/.exec(lines[line] ?? '') ?? [];
    return [line * 100 + before.length, line + 1, before.length + 1];
  };
  const log = drawLog(
    `~ emit 1000 100
     ~ handler 2000 100
     ${marker} sum 3000 100
     ${`${`${calls}\n`.repeat(3)}tick:idle 9999\n`.repeat(operations)}`,
    { emit: at('emit'), handler: at('handler'), sum: at('sum') },
  );
  const { fn } = await hotspotsIn({ '/rec/v8.log': log, '/app/a.js': source });
  return fn('sum').tiers?.madeAnewIn ?? null;
}

const emit = 'function emit() {}';

test('a function inside a handler that is called again and again is made anew each time', async () => {
  assert.equal(
    await makerOfSum(`${emit}\nfunction handler(items) {\n  function sum(list) {}\n  return sum(items);\n}`),
    'handler',
  );
  assert.equal(
    await makerOfSum(`${emit}\nfunction handler(items) {\n  const sum = (list) => 1;\n  sum(items);\n}`),
    'handler',
  );
});

test('in a function of which only one call was seen it may have been made once', async () => {
  const source = `${emit}\nfunction handler(items) {\n  function sum(list) {}\n  return sum(items);\n}`;
  assert.equal(await makerOfSum(source, { operations: 1 }), null);
});

test('beside the handler it is not', async () => {
  assert.equal(
    await makerOfSum(`${emit}\nfunction sum(list) {}\nfunction handler(items) {\n  return sum(items);\n}`),
    null,
  );
});

test('one that is kept for the next call is not', async () => {
  const kept = (literal: string): string =>
    `${emit}\nlet kept;\nfunction handler(items) {\n${literal}\n  kept(items);\n}`;
  assert.equal(await makerOfSum(kept('  kept ??= function sum(list) {};')), null);
  assert.equal(await makerOfSum(kept('  if (!kept) {\n kept = function sum(list) {};\n}')), null);
  assert.equal(await makerOfSum(kept('  if (kept) return kept(items);\n  kept = function sum(list) {};')), null);
  assert.equal(await makerOfSum(kept('  const sum = kept || ((list) => 1);')), null);
});

test('neither is one of a generator, or of a function that goes on after it has waited', async () => {
  assert.equal(
    await makerOfSum(`${emit}\nfunction* handler(items) {\n  const sum = (list) => 1;\n  yield sum(items);\n}`),
    null,
  );
  const waiting = `${emit}\nasync function handler(items) {\n  const sum = (list) => 1;\n  for (;;) sum(await items);\n}`;
  assert.equal(await makerOfSum(waiting, { calls: 'tick 3010 2010' }), null);
  assert.equal(await makerOfSum(waiting), 'handler', 'it was called anew');
});

test('neither is one that changes what is around it, or reads that and is handed on', async () => {
  const inside = async (code: string) => makerOfSum(`${emit}\nfunction handler(items) {\n  const sum = ${code};\n}`);
  assert.equal(await inside('(list) => list + items;\n  sum(items)'), 'handler');
  assert.equal(await inside('(list) => list.items;\n  each(sum)'), 'handler');
  assert.equal(await inside('(list) => list + items;\n  each(sum)'), null);
  assert.equal(await inside('function (list) { list[items] = arguments; };\n  sum(items)'), 'handler');
  const assigned = 'items = 1, items ||= 1, items >>>= 1, ++items, [items--], [items] = [1], { a: items } = 1';
  const others = '() => { for (items of []); }, arguments[0], new.target, super.a';
  for (const changes of `${assigned}, ${others}`.split(', '))
    assert.equal(await inside(`(list) => (${changes});\n  sum(items)`), null, changes);
});

test('neither is one that V8 compiled for the only closure there was', async () => {
  const source = `${emit}\nfunction handler(items) {\n  function sum(list) {}\n  return sum(items);\n}`;
  assert.equal(await makerOfSum(source, { marker: "*'" }), null);
  assert.equal(await makerOfSum(source, { marker: '*' }), 'handler');
});

test('a callback that V8 optimizes where it stands is left there', async () => {
  const source = `${emit}\nfunction handler(items) {\n  items.map(function sum(list) {});\n}`;
  assert.equal(await makerOfSum(source, { marker: '*' }), null);
  assert.equal(await makerOfSum(source, { marker: '^' }), 'handler');
});
