import assert from 'node:assert/strict';
import { test } from 'node:test';
import { columns, findingsOf } from './drawn-findings.ts';
import { analysisOf } from '../lines/drawn-analysis.ts';
import { causeText, findingName } from '../../../../words/findings.ts';

const text = "function f(x) {\n  if (!known.test(x)) return '';\n  return x.replace(/[-_]/g, (c) => table[c]);\n}\n";
const inPackage = { p: { url: 'file:///app/node_modules/p/index.js', name: '' } };
const functions = { f: { line: 0, column: 10 }, r: { url: '', name: 'RegExp: [-_]', line: -1, column: -1 } };

type Run = readonly [count: number, ...frames: readonly string[]];

/** Kind and line of the first finding's cause, where each sample is 10 ms. */
async function causeIn(
  drawing: string,
  source = text,
  places: NonNullable<Parameters<typeof analysisOf>[1]>['functions'] & object = functions,
): Promise<readonly [kind: string | undefined, line: number | null | undefined]> {
  const [first] = (await analysisOf(drawing, { functions: places, text: source })).findings.all;
  return [first?.cause.kind, first?.cause.line];
}

test('what V8 counts for the function on a line that matches is matching only where V8 is seen to match below it', async () => {
  assert.deepEqual(await causeIn('f:3 f:3 f:3 f:3 f:3 f f:2\n. . . . . r .'), ['regex', 3]);
  assert.deepEqual(await causeIn('f:3 f:3 f:3 f:3 f:3 f:3 f:2'), ['own', null]);
});

test('all of a line that does nothing but match is matching, also where V8 has no frame for it', async () => {
  const places = { ...nodes, u: { url: '', name: 'RegExp: ^(a+)+$', line: -1, column: -1 } };
  const causeOf = async (code: string) =>
    causeAndRemedy('f f f f f:3 f:3\nu u u u . .', `let g;\nfunction f(x) {\n  ${code};\n}\n`, places);
  const part = ['67 % of it in a regular expression, line 3', 'regular-expressions'];
  assert.deepEqual(await causeOf('return /^(a+)+$/.test(x)'), ['all of it in a regular expression, line 3', part[1]]);
  assert.deepEqual(await causeOf('return /^(a+)+$/.test(g(x))'), part);
  assert.deepEqual(await causeOf('while (/^(a+)+$/.test(x)) x += 1'), part);
});

test('nor is it one where most of the time is in functions that it calls', async () => {
  const calls = text.replace('x.replace(', 'g(x) + h(x) + i(x) + j(x) + x.replace(');
  assert.deepEqual(await causeIn('f f f f f f:3\ng h i j r .', calls), ['own', null]);
  const json = calls.replace('x.replace(', 'JSON.stringify(x, ');
  assert.deepEqual(await causeIn('f f f f f f:3\ng h i j . .', json), ['own', null]);
});

test('a call by its name on the line is the cause where the time is in it, and not where the line computes', async () => {
  const source =
    "const fs = require('fs');\nfunction f(x) {\n  for (let i = fs.readFileSync(x).length; i > 0; i--) sum += i;\n}\n";
  const places = {
    f: { line: 1, column: 10 },
    n: { url: 'node:fs', name: 'readFileSync' },
    s: { url: 'node:fs', name: 'openSync' },
  };
  const causeOf = async (drawing: string) => causeIn(drawing, source, places);
  assert.deepEqual(await causeOf('f:3 f:3 f:3 f:3 f:3 f:3'), ['loop', 3]);
  assert.deepEqual(await causeOf('f:3 f:3 f:3 f:3 f f\n. . . . n n'), ['loop', 3]);
  assert.deepEqual(await causeOf('f f f f:3 f:3 f\nn n n . . s'), ['syncCall', 3]);
});

test('the loop of what a file runs while it loads is its cause, unless it waits between its runs', async () => {
  const source = 'const list = [];\nfor (let i = 0; i < 1e8; i++) list.push(i);\nfunction f() {}\n';
  const places = { f: { line: 0, column: 0, name: '' } };
  const causeOf = async (text: string) => causeIn('f:2 f:2 f:2 f:2 f:2 f:2', text, places);
  assert.deepEqual(await causeOf(source), ['loop', 2]);
  assert.deepEqual(await causeOf('for (const x of await all()) {\nx();\n}'), ['loop', 1]);
  assert.deepEqual(await causeOf('for (const x of all) {\nx();\nawait 1;\n}'), ['own', null]);
  assert.deepEqual(await causeOf('for (const x of all) {\nfor (;;) x();\nawait 1;\n}'), ['loop', 2]);
});

test('of a package the cause is the one inside that has most of the time, else the package itself', async () => {
  const causeOf = async (...rows: readonly Run[]) => {
    const [first] = await findingsOf(columns(...rows), { turns: [[0, 30]] });
    return [first?.name, first?.open, first?.cause.text];
  };
  const [qs, iconv] = [['raw-body#done', 'qs#parse'] as const, ['raw-body#done', 'iconv-lite#decode'] as const];
  const [most, all] = ['most of it in the package qs', 'all of it in the package raw-body'];
  assert.deepEqual(await causeOf([24, ...qs], [6, ...iconv]), ['raw-body', true, most]);
  assert.deepEqual(await causeOf([12, ...qs], [6, 'raw-body#done'], [12, ...iconv]), ['raw-body', true, all]);
});

test('a line that is one of several is not named as the line of the call', async () => {
  const drawing = 'f f f f f f\np p p p p p';
  const either = 'function f(x) {\n  const base = lib();\n  return base.add(x);\n}\n';
  assert.deepEqual(await causeIn(drawing, either, inPackage), ['package', null]);
  assert.deepEqual(await causeIn(drawing, either.replace('lib()', '1'), inPackage), ['package', 3]);
});

test('a function that calls itself for most of its time is a recursion; one that V8 samples twice on a stack is none', async () => {
  const causeOf = async (...rows: readonly Run[]) =>
    (await findingsOf(columns(...rows), { turns: [[0, 30]] }))[0]?.cause.kind;
  assert.equal(await causeOf([10, 'walk'], [10, 'walk', 'walk'], [10, 'walk', 'walk', 'walk']), 'recursion');
  assert.equal(await causeOf([28, 'walk'], [2, 'walk', 'walk']), 'own');
  assert.equal(await causeOf([10, 'walk'], [20, 'walk', 'each', 'walk']), 'recursion');
});

/** The text of the first finding's cause, and its remedy, where each sample is 10 ms. */
async function causeAndRemedy(drawing: string, source: string, places: typeof nodes) {
  const analysis = await analysisOf(drawing, { functions: places, text: source });
  const [first] = analysis.findings.all;
  return first === undefined ? [] : [causeText(first, analysis), first.remedy];
}

const nodes = {
  f: { line: 1, column: 10 },
  z: { url: 'node:zlib', name: 'syncBufferWrapper' },
  u: { url: 'node:internal/crypto/hash', name: 'update' },
  p: { url: 'file:///app/node_modules/p/index.js', name: '' },
};

test('where a line calls more than what its text is known for, the cause is probable', async () => {
  const sourceOf = (code: string): string => `'use strict';\nfunction f(x) {\n  return ${code};\n}\n`;
  const causeOf = async (code: string) => causeAndRemedy('f:3 f:3 f:3 f:3 f:3 f:3', sourceOf(code), nodes);
  assert.deepEqual(await causeOf('JSON.parse(x)'), ['all of it in JSON, line 3', 'json']);
  assert.deepEqual(await causeOf('JSON.parse(readFileSync(x))'), ['all of it in JSON, line 3', 'json']);
  const probably = ['all of it probably in JSON, line 3', 'json'];
  assert.deepEqual(await causeOf('x.flat().concat(JSON.parse(y))'), probably);
  assert.deepEqual(await causeOf('JSON.stringify(x.toSorted().slice(0, 9))'), probably);
  const matching = ['all of it probably in a regular expression, line 3', 'regular-expressions'];
  assert.deepEqual(await causeOf('pattern.test(x)'), matching);
  const copying = 'it probably copies all that came before, again and again, line 3';
  assert.deepEqual(await causeOf('all = [...all, x.flat()]'), ['its own code', null]);
  assert.deepEqual(await causeOf('0; for (;;) all = [...all, x.flat()]'), [copying, 'growing-copies']);
});

test('of a line with code of several functions only that of its own tells what a function does', async () => {
  const loop = '{ let n = 0; for (let i = 0; i < x; i++) n += i; return n; }';
  const source = `function f(x) ${loop} function p(x) { return JSON.parse(x); }\nfunction q(x) { return JSON.stringify(x.map((x) => ${loop})); }\n`;
  const places = {
    f: { line: 0, column: 10 },
    p: { url: '/app/src/f.js', line: 0, column: source.indexOf('p(') + 1 },
    c: { url: '/app/src/f.js', line: 1, column: source.indexOf('(x) =>') - source.indexOf('\n') - 1, name: '' },
  };
  assert.deepEqual(await causeIn('f:1 f:1 f:1 f:1 f:1 f:1', source, places), ['loop', 1]);
  assert.deepEqual(await causeIn('p:1 p:1 p:1 p:1 p:1 p:1', source, places), ['json', 1]);
  assert.deepEqual(await causeIn('c:2 c:2 c:2 c:2 c:2 c:2', source, places), ['loop', 2]);
  const apart = 'function f(x) { x.sort(); function p() {}\n  JSON.parse(x);\n}\n';
  const shared = 'h h h h h h h h h h h h h\nf:1 f:1 f:1 f:1 f:2 f:2 f:2 f:2 f:2 f:2 p:1 p:1 p:1';
  const onOne = { ...places, p: { ...places.p, column: apart.indexOf('p(') + 1 } };
  assert.deepEqual(await causeIn(shared, apart, onOne), ['json', 2]);
});

test('a line that takes turns with a function that it calls once has no other call of it as its cause', async () => {
  const source = "'use strict';\nfunction f(x) {\n  save(g(x), JSON.stringify(x));\n}\n";
  const inTurns = 'f:3 f f:3 f f:3 f f:3 f f:3 f\n.   g .   g .   g .   g .   g';
  const oneAfterTheOther = 'f f f f f f:3 f:3 f:3 f:3 f:3\ng g g g g .   .   .   .   .';
  assert.deepEqual(await causeIn(inTurns, source, { f: { line: 1, column: 10 } }), ['own', null]);
  assert.deepEqual(await causeIn(oneAfterTheOther, source, { f: { line: 1, column: 10 } }), ['json', 3]);
});

test('a function that V8 inlined into several that take turns is the cause, and one change removes all of it', async () => {
  const [f, k] = ['f', 'k'].map((name) => `function ${name}(x) {\n  g(x);\n}\n`);
  const source = `function h(x) { f(x); k(x); }\n${f}${k}function g(y) {\n  while (y > 0) y--;\n}\n`;
  const at = (line: number) => ({ url: '/app/src/f.js', line, column: 10 });
  const found = async (drawing: string) => {
    const analysis = await analysisOf(drawing, { functions: { h: at(0), f: at(1), k: at(4) }, text: source });
    return analysis.findings.all.slice(0, 1).map((first) => [causeText(first, analysis), first.removesUs])[0];
  };
  const inTurns = (f: string, k: string): string => `h h h h h h h h\n${`f:9 k:${k} f:${f} k:9 `.repeat(2)}`;
  assert.deepEqual(await found(inTurns('9', '9')), ['all of it in g, which V8 inlined', 70_000]);
  assert.deepEqual(await found(inTurns('9', '6')), ['most of it in g, which V8 inlined', 52_500]);
  const apart = '50 % of it in f, the rest in k: many short calls';
  assert.deepEqual(await found(inTurns('9', '9').replaceAll('f:9', 'f:3').replaceAll('k:9', 'k:6')), [apart, 40_000]);
});

test('one change reaches a function with what is written inside it', async () => {
  const inside = 'function f(x) {\n  return x.filter((y) => y > 1).map((z) => z);\n}\n';
  const text = `function h(x) { f(x); k(x); }\n${inside}function k(x) {\n  x();\n}\n`;
  const at = (line: number, column = 10) => ({ url: '/app/src/f.js', line, column });
  const functions = { h: at(0), f: at(1), c: { ...at(2, 18), name: '' }, d: { ...at(2, 36), name: '' }, k: at(4) };
  const found = async (drawing: string) => {
    const analysis = await analysisOf(drawing, { functions, text });
    const [first] = analysis.findings.all;
    return first && [findingName(first, analysis), first.removesUs / 1000, causeText(first, analysis).split(':')[0]];
  };
  const inTurns = 'h h h h h h h h h h\nf f k f f k f f k f\n. c . . c . . c . .';
  assert.deepEqual(await found(inTurns), ['h + 3 others', 70, '40 % of it in f, in turns with 2 other functions']);
  const rarely = 'h h h h h h h h h h\nf f f f k f f f f k\n. c . c . . c . c .';
  assert.deepEqual(await found(rarely), ['f + 1 other', 80, '50 % of it in f, the rest in filter() callback in f']);
  const both = `${'h '.repeat(12)}\n${'f '.repeat(12)}\n${'. c . d '.repeat(3)}`;
  assert.deepEqual(await found(both), ['f + 2 others', 110, '50 % of it in f, the rest in 2 functions inside it']);
});

test('a call is named by the function in which the time is, and has its own remedy', async () => {
  const head = "const { writeFileSync } = require('fs'), { gzipSync } = require('zlib');\n";
  const sourceOf = (code: string): string => `${head}function f(x) {\n  ${code};\n}\n`;
  const causeOf = async (callee: string, code: string) =>
    causeAndRemedy(`f f f f f f\n${callee} ${callee} ${callee} ${callee} ${callee} ${callee}`, sourceOf(code), nodes);
  const written = 'writeFileSync(x, gzipSync(y))';
  assert.deepEqual(await causeOf('z', written), ['all of it in the synchronous gzipSync, line 3', 'compression']);
  const hashed = "all = [...all, hash.update(x).digest('hex')]";
  assert.deepEqual(await causeOf('u', hashed), ['all of it in update of Node, line 3', null]);
  assert.deepEqual(await causeOf('p', "p(JSON.parse(x), writeFileSync('a', x))"), [
    'all of it in the package p, from line 3',
    null,
  ]);
});

test('a function that calls itself and spends its time in a loop of its leaves is that loop', async () => {
  const head = 'function f(x) {\n  for (const y of x.all) f(y);\n';
  const drawing = 'f f f f f f\nf:3 f:3 f:3 f:3 f:3 f:3';
  assert.deepEqual(await causeIn(drawing, `${head}  for (let i = 0; i < x.size; i++) sum += i;\n}\n`), ['loop', 3]);
  assert.deepEqual(await causeIn(drawing, `${head}  sum += x.size;\n}\n`), ['recursion', null]);
});

test('closures of one function that call each other count as recursion only where code around them names it', async () => {
  const nested = 'f f f f f f\nf:2 f:2 f:2 f:2 f:2 f:2';
  const timed = (call: string): string => `const timed = (fn) =>\nfunction run(x) { return ${call}; };\n`;
  const places = { f: { line: 1, column: 12, name: 'run' } };
  assert.deepEqual(await causeIn(nested, timed('fn(x)'), places), ['own', null]);
  assert.deepEqual(await causeIn(nested, timed('run(x)'), places), ['recursion', null]);
});

test('how its caller calls a function counts where all calls of that name do so', async () => {
  const causeOf = async (calls: string) => {
    const source = `async function g(rows, other) {\n${calls}\n}\nfunction f(a, b) {\n  return a.n - b.n;\n}\n`;
    const line = calls.split('\n').length + 2;
    const places = { g: { url: '/app/src/f.js', line: 0, column: 16 }, f: { line, column: 10 } };
    const own = `f:${line + 2}`;
    return causeIn(`g g g g g g\n${own} ${own} ${own} ${own} ${own} ${own}`, source, places);
  };
  const inLoop = 'for (const a of rows)\nf(a, a);';
  assert.deepEqual((await causeOf('rows.sort(f);'))[0], 'sort');
  assert.deepEqual(await causeOf(`rows.sort(f);\n${inLoop}`), ['manyCalls', 4]);
  const itemsOf = async (callback: string) => {
    const places = { g: { url: '/app/src/f.js', line: 0, column: 10 }, f: { line: 1, column: 9, name: '' } };
    return causeIn('g g g g g g\nf:2 f:2 f:2 f:2 f:2 f:2', `function g(rows) {\nrows.map(${callback});\n}\n`, places);
  };
  assert.deepEqual(await itemsOf('(a) => a'), ['manyCalls', 2]);
  assert.deepEqual(await itemsOf('async (a) => a'), ['own', null]);
  assert.deepEqual(await causeOf('for await (const a of rows)\nf(a, a);'), ['own', null]);
  assert.deepEqual(await causeOf(`f(rows[0], rows[1]);\n${inLoop.replace('f(a', 'other.f(a')}`), ['own', null]);
});
