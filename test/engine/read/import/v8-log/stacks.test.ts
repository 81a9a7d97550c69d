import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawLog } from '../../../../helpers/drawn-log.ts';
import { stacksOfLog } from '../../../../helpers/stacks-of-log.ts';

/** Drawn logs, with the stack of each tick behind it. Tiers: `~` Ignition, `^` Sparkplug, `+` Maglev, `*` TurboFan. */
const rules: Readonly<Record<string, string>> = {
  'each frame has the tier of the code that it runs': `
    ~ main 1000 100
    ^ a 2000 100
    + b 3000 100
    * c 4000 100
    tick 4010 3010 2010 1010 → main~ a^ b+ c*`,
  'one function is in two tiers in one stack': `
    ~ f 1000 100
    * f 2000 100
    tick 2010 2020 1010 → f~ f* f*`,
  'a built-in on top belongs to the function that called it': `
    ~ f 1000 100
    builtin 5000 100
    tick 5010 1010 → f~
    tick 9999 1010 → f~`,
  'a regular expression is a function without a place': `
    ~ f 1000 100
    regexp 5000 100
    tick 5010 1010 → f~ RegExp: a+`,
  'new code throws out what it overlaps': `
    ~ f 1000 100
    tick 1050 → f~
    * g 1050 10
    tick 1055 → g*
    tick 1010 → (program)`,
  'code is found where it was moved to, and nowhere else': `
    ~ f 1000 100
    ~ g 6000 100
    move 1000 6010
    tick 6020 → f~
    tick 1020 → (program)
    tick 6000 → (program)`,
  'what is inlined has the tier of the code that it is inlined into': `
    ~ add 1000 100
    ~ sum 2000 100
    * main 3000 100 C0O3C16O7I1C32O9 F0O4F1O5I0 sum add
    tick 3001 → main*
    tick 3015 → main* sumi* addi*
    tick 3025 → main*`,
  'a built-in that V8 inlines without a function adds no frame': `
    ~ add 1000 100
    * main 3000 100 C0O3C16O7I2 F0O4FO5I0F0O6I1 add
    tick 3018 → main* addi* addi*`,
  'behind a call of machine code stands what comes after it, at the call of bytecode stands the call': `
    ~ add 1000 100
    * main 3000 100 C0O3C16O7I0C32O9 F0O4 add
    tick 1010 3020 → main* addi* add~
    tick 1010 3021 → main* add~`,
  'code that was entered within a loop has its own mark': `
    ~ loop 1000 100
    o+ loop 2000 100
    o*' loop 3000 100
    tick 2010 → loopo+
    tick 3010 → loopo*`,
  'a collection, waiting and what is not JavaScript have no function': `
    ~ f 1000 100
    tick:gc 1010 → (garbage collector)
    tick:idle 9999 → (idle)
    tick:external 9999 → (program)
    tick:parser 9999 1010 → f~`,
  'before a late tick the thread waits, where the recorder left no mark': `
    ~ f 1000 100
    tick 1010 → f~
     → (idle)
    tick,0x1010,150000,0,0x0,0 → f~
    code-creation,Script,9,110,0x9000,9, hotspan-clock:7:0:5000000:1:1,0xabc,~
    tick,0x1010,300000,0,0x0,0 → f~`,
  'before an idle tick the thread waits, unless ticks are as rare': `
    ~ f 1000 100
    tick 1010 → f~
     → (idle)
    tick,0x9999,5000,0,0x0,8 → (idle)
    profiler,begin,100000
    tick,0x1010,205000,0,0x0,0 → f~
    tick,0x9999,405000,0,0x0,8 → (idle)`,
  'in a function of C++ its address counts, not the program counter': `
    ~ f 1000 100
    ~ g 2000 100
    tick,0x2010,1000,1,0x9999,6,0x1010 → f~`,
  'a stack that V8 cut short is read as far as it goes': `
    ~ f 1000 100
    tick,0x1010,1000,0,0x0,0,overflow,0x1010 → f~ f~`,
  'the function of an address that is used again is the new one': `
    ~ f 1000 100
    tick 1010 → f~
    code-creation,JS,9,5,0x1000,100,g /app/a.js:9:9,0xabc,~
    tick 1010 → g~`,
  'a caller whose code was replaced between two ticks of one stack is the new one': `
    ~ f 1000 100
    ~ g 2000 100
    tick 2010 2020 1010 → f~ g~ g~
    ~ h 1000 100
    tick 2010 2020 1010 → h~ g~ g~
    move 2000 3000
    tick 2010 2020 1010 → h~`,
  'a function without optimization is interpreted': `
    code-creation,LazyCompile,9,5,0x1000,100,g /app/a.js:9:9,0xabc,
    tick 1010 → g~`,
};

for (const [rule, drawn] of Object.entries(rules)) {
  test(rule, async () => {
    const stacks = Array.from(drawn.matchAll(/ → (.+)/g), ([, stack]) => stack);
    assert.deepEqual(await stacksOfLog(drawLog(drawn.replaceAll(/ → .+/g, ''))), stacks);
  });
}

test('each frame has the line of the call below it, and the innermost the one that runs', async () => {
  const text = 'function main() {\n  one();\n  two();\n}\nfunction one() {}\n';
  const drawing = `
    ~ main 1000 100 C0O20C10O28
    ~ one 2000 100 C0O54
    ^ main 4000 100
    tick 1000
    tick 2000 100a
    tick 2000 4010`;
  const at = { main: [13, 1, 14], one: [50, 5, 13] } as const;
  assert.deepEqual(await stacksOfLog(drawLog(drawing, at), { '/app/a.js': text }), [
    'main~2',
    'main~3 one~5',
    'main^ one~5',
  ]);
});

test('the text in the log counts before that on disk', async () => {
  const drawing = `script-source,7,/app/a.js,a\\nb\\x2C\\u2028c\\\\\\n
    ~ f 1000 100 C0O6
    tick 1000`;
  assert.deepEqual(await stacksOfLog(drawLog(drawing), { '/app/a.js': 'f()' }), ['f~3']);
});

test('where another text ran than is on disk, only what stands between two functions of one line has a line', async () => {
  const drawing = `
    ~ f 1000 100 C0O12C10O25
    ~ g 2000 100 C0O32
    ~ h 3000 100
    tick 1000
    tick 100a
    tick 2000`;
  const at = { f: [10, 2, 5], g: [20, 2, 15], h: [30, 4, 1] } as const;
  assert.deepEqual(await stacksOfLog(drawLog(drawing, at), { '/app/a.js': 'edited\nsince\n' }), ['f~2', 'f~', 'g~']);
});

test('characters of several bytes, and every kind of line break, count as V8 counts them', async () => {
  const text = '\uFEFF/* ü€😀 */\r\n\r\u2028\u2029f\n';
  const offset = text.indexOf('f') - 1; // V8 is given the text without the mark.
  const drawing = `
    ~ f 1000 100 C0O${offset}
    tick 1000`;
  const at = { f: [offset, 5, 1] } as const;
  assert.deepEqual(await stacksOfLog(drawLog(drawing, at), { '/app/a.js': text }), ['f~5']);
});
