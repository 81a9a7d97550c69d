import assert from 'node:assert/strict';
import { test } from 'node:test';
import { comesFrom } from '../../../../engine/judge/lines/call-targets.ts';
import { functionInfo } from './drawn-function.ts';
import { linesOf } from './shown-lines.ts';
import { assertEach } from '../../../helpers/assert-each.ts';

for (const [how, body, name] of [
  ['a member', 'a.b.slow(x);', 'slow'],
  ['a private method', 'this.#slow(x);', '#slow'],
  ['a constructor', 'return new Slow(x);', 'Slow'],
  ['a getter', 'return x.slow;', 'get slow'],
  ['a setter', 'x.slow = 1;', 'set slow'],
  ['an export', 'lib.slow(x);', 'exports.slow'],
  ['call', 'slow.call(null, x);', 'slow'],
  ['an optional call', 'x?.slow?.(1);', 'slow'],
  ['a tagged template', 'return slow`${x}`;', 'slow'],
  ['a cast', '(x as any).slow!();', 'slow'],
  ['a comma', '(0, lib.slow)();', 'slow'],
  ['a function that is handed to a built-in', 'x.sort(slow);', 'slow'],
  ['a renamed import', 'quick(x);', 'slow'],
  ['a default import', 'whatever(x);', 'computeAll'],
  ['a required package', 'dep(x);', 'computeAll'],
  ['a destructured method', 'direct(x);', 'slow'],
  ['super', 'super.slow(x);', 'slow'],
  ['a name in brackets', "x['slow'](x);", 'slow'],
  ['a bound function', 'bound(x);', 'slow'],
  ['binding at once', 'slow.bind(x)();', 'slow'],
  ['an alias of an alias', 'again(x);', 'slow'],
  ['Reflect.apply', 'Reflect.apply(slow, x, []);', 'slow'],
  ['a promise', 'return x.then(slow);', 'slow'],
  ['an object of handlers', 'x.on({ data: slow });', 'slow'],
  ['delegation', 'x = function* () {}, [...slow(x)];', 'slow'],
  ['a destructured getter', 'const { slow: y } = x;', 'get slow'],
  ['a shorthand of a getter', 'const { slow } = x;', 'get slow'],
  ['an assignment that reads and writes', 'x.slow += 1;', 'set slow'],
  ['a decorator with arguments', '@slow(x) class D {}', 'slow'],
  ['an element of a namespace', 'all.slow(x);', 'slow'],
] as const) {
  test(`a call by ${how} is found`, async () => {
    const imports =
      "import { slow as quick } from 'dep'; import whatever from 'dep'; const dep = require('dep'); const { slow: direct } = x; const bound = slow.bind(x); const same = slow; const again = same; import * as all from 'dep';\n";
    const text = `${imports}class C extends B { f(x) {\n  JSON.slow(x);\n  ${body}\n  other(); } }\n`;
    const lines = await linesOf('f    f\nslow slow', {
      functions: {
        f: { url: '/app/src/f.ts', line: 1, column: 21 },
        slow: { url: '/app/node_modules/dep/index.js', name },
      },
      files: { '/app/src/f.ts': text },
    });
    assert.deepEqual(lines, ['4: 20 ms × 1, 1 exact !']);
  });
}

test('what makes the elements of JSX is called where they stand', async () => {
  const text = 'function f(x) {\n  return (\n    <Slow x={x} />\n  );\n}\n';
  const slow = { url: '/app/node_modules/ui/jsx-runtime.js', name: 'jsx' };
  const surroundings = { functions: { slow, f: { url: '/app/src/f.tsx' } }, files: { '/app/src/f.tsx': text } };
  assert.deepEqual(await linesOf('f    f\nslow slow', surroundings), ['3: 20 ms × 1, 1 exact !']);
});

test('what no text names (iterators, toString) is on the line that can call it, or on the function, as an estimate', async () => {
  for (const [body, name] of [
    ['for (const y of x) y();', 'next'],
    ['return `${x}`;', 'toString'],
    ['return x + 1;', 'valueOf'],
  ] as const) {
    const text = `function f(x) {\n  other(x);\n  ${body}\n}\n`;
    const slow = { url: '/app/node_modules/dep/index.js', name };
    const lines = await linesOf('f    f\nslow slow', { functions: { slow }, text });
    assert.deepEqual(lines, ['3: 20 ms × 1, 1 shared !'], name);
  }
});

test('a callback that is written in the call is found by its place', async () => {
  const text = 'function f(x) {\n  x.map((a) => a);\n  x.forEach((a) => {\n    spin(a);\n  });\n}\n';
  const at = { url: '/app/src/f.js' };
  const lines = await linesOf('f  f  f\ncb cb cb\ns  s  s', {
    thresholdMs: 10,
    functions: {
      f: at,
      cb: { ...at, name: '', line: 2, column: 12 },
      s: { url: '/app/node_modules/dep/index.js', name: 'spin' },
    },
    text,
  });
  assert.deepEqual(lines, ['4: 30 ms × 1, 1 exact !']);
});

const dependency = '/app/node_modules/dep/index.js';
const twoSamples = 'f    f\nslow slow';

/** Where time below `f`, the first function of this text, is shown; `slow` is what it calls. */
async function linesWith(body: string, slow: Record<string, string | number>, head = ''): Promise<readonly string[]> {
  const text = `function f(x) {\n${body}}\n${head}`;
  return linesOf(twoSamples, { functions: { slow }, text });
}

for (const [how, body, expected] of [
  [
    'the only call that may be it',
    '  const y = JSON.parse(x);\n  x.push(y, helper(y));\n  return x.add(y);\n',
    ['4 exact'],
  ],
  ['any call that may be it', '  const base = lib();\n  for (const y of x) base.add(y);\n', ['2 oneOf', '3 oneOf']],
  ['a callback of which nothing is known', '  x.map(x.made);\n  x.map(helper);\n', ['2 exact']],
  ['the parameter that is called', '  helper(x);\n  return x(1);\n', ['3 exact']],
  ['one of many calls', '  a();\n  b();\n  c();\n  d();\n  e();\n', ['1 shared']],
] as const) {
  test(`a function without a name is on ${how}`, async () => {
    const lines = await linesWith(body, { url: dependency, name: '' }, 'function helper(y) {}\n');
    assertEach(lines, (line) => line.replace(/: .* (\w+) !$/, ' $1'), expected);
  });
}

test('what eval runs is at the call of eval, what it makes at the call of that', async () => {
  const body = "  const made = eval('(n) => n');\n  eval('spin()');\n  return made(x);\n";
  const evaluated = { url: '' };
  assert.deepEqual(await linesWith(body, { ...evaluated, name: '', line: 0, column: 0 }), [
    '2: 20 ms × 1, 1 oneOf !',
    '3: 20 ms × 1, 1 oneOf !',
    '4: 20 ms × 1, 1 oneOf !',
  ]);
  assert.deepEqual(await linesWith(body, { ...evaluated, name: '', line: 0, column: 1 }), ['4: 20 ms × 1, 1 exact !']);
});

test('lines of what eval made are not the lines of its caller', async () => {
  const text = 'function f(x) {\n  let y = 1;\n  y = 2;\n  return x(y);\n}\n';
  const slow = { url: '', name: '', line: 0, column: 19 };
  const lines = await linesOf('f      f\nslow:3 slow:2', { functions: { slow }, text });
  assert.deepEqual(lines, ['4: 20 ms × 1, 1 exact !']);
});

test('the only call of a function is the line of what has another name, but not of what needs no call', async () => {
  const body = '  const y = { x };\n  return view(y);\n';
  assert.deepEqual(await linesWith(body, { url: 'wasm://wasm/0a', name: 'wasm-function[0]' }), [
    '3: 20 ms × 1, 1 exact !',
  ]);
  assert.deepEqual(await linesWith(body, { url: dependency, name: 'toJSON' }), ['1: 20 ms × 1, 1 shared !']);
});

test('a generator runs where it is asked for values, not where it is made', async () => {
  const text =
    'function f(x) {\n  const all = rows(x);\n  for (const y of all) x = y;\n  return x;\n}\nfunction* rows(x) {}\n';
  const slow = { url: '/app/node_modules/dep/index.js', path: '/app/node_modules/dep/index.js', name: 'rows', line: 5 };
  const files = { '/app/src/f.js': text, '/app/node_modules/dep/index.js': text };
  assert.deepEqual(await linesOf(twoSamples, { functions: { slow }, files }), ['3: 20 ms × 1, 1 exact !']);
});

test('work of a loop over an iterator is not on the return behind it', async () => {
  const text = 'async function f(x) {\n  let s = 0;\n  for await (const y of x) {\n    s += y;\n  }\n  return s;\n}\n';
  assert.deepEqual(await linesOf('f:3 f:3 f:6', { text }), ['3: 30 ms × 1, 1 exact !']);
});

test('of files of one name the folder tells which is imported', () => {
  const parse = functionInfo({ url: '/app/src/csv/parse.ts' });
  for (const from of ['./csv/parse.js', '../csv/parse', '@/csv/parse', './parse', 'parse'])
    assert.ok(comesFrom(from, parse), from);
  for (const from of ['./json/parse.js', './csv', 'csv', './arse']) assert.ok(!comesFrom(from, parse), from);
  assert.ok(comesFrom('../csv', functionInfo({ url: '/app/src/csv/index.ts' })));
});

/** `3 exact`: lines and how sure they are. */
function short(lines: readonly string[]): readonly string[] {
  return lines.map((line) => line.replace(/: .* (\w+) !$/, ' $1'));
}

for (const [what, body, slow, head, expected] of [
  [
    'a name that is set anew means nothing for certain',
    "  log('x');\n  other();\n",
    { url: dependency, name: 'report' },
    'let log = () => {}; export const set = (l) => { log = l; }; function other() {}',
    ['2 exact'],
  ],
  [
    'a loop sets a name, too',
    '  for (made of x) made(1);\n  lib(x);\n',
    { url: dependency, name: '' },
    'let made = function () {};',
    ['2 oneOf', '3 oneOf'],
  ],
  [
    'what is built in may have been replaced',
    '  console.log(x);\n  const y = render(x);\n',
    { url: dependency, name: 'mockConstructor' },
    "import { render } from './render';",
    ['3 shared'],
  ],
  [
    'a function with the name of what makes elements may be called itself',
    '  const key = h(x);\n  return x;\n',
    { url: dependency, name: 'h' },
    "import { h } from 'dep';",
    ['2 exact'],
  ],
  [
    'a multiplication makes no generator',
    '  const [first] = x;\n  return norm(first);\n',
    { url: '/app/node_modules/dep/norm.js', name: 'norm', line: 0, column: 20 },
    "import { norm } from 'dep';",
    ['3 exact'],
  ],
] as const) {
  test(what, async () => {
    const text = `function f(x) {\n${body}}\n${head}\n`;
    const files = {
      '/app/src/f.js': text,
      '/app/node_modules/dep/norm.js': 'export const norm = (x) => x * Math.sqrt(x);\n',
    };
    const lines = await linesOf(twoSamples, { functions: { slow }, files });
    assert.deepEqual(short(lines), expected);
  });
}

test('a text that is split is not a regular expression, one that is tested is', async () => {
  const functions = { r: { url: '', name: 'RegExp: ^a+$', line: -1, column: -1 } };
  const split = "function f(x) {\n  x.split(',');\n  return pattern.test('aaa');\n}\n";
  const shownLines = await linesOf('f f\nr r', { functions, text: split });
  assert.deepEqual(shownLines, ['3: 20 ms × 1, 1 exact !']);
  const hidden = 'function f(x) {\n  x[method](pattern);\n  return pattern.test(x);\n}\n';
  const unsure = await linesOf('f f\nr r', { functions, text: hidden });
  assert.deepEqual(unsure, ['3: 20 ms × 1, 1 oneOf !']);
});

test('a call of a function that is written there runs that one, and no other', async () => {
  for (const call of ['await (async () => {\n  read(x);\n})();', '(function go() {\n  read(x);\n})();']) {
    const text = `async function f(x) {\n${call}\n  slow(x);\n}\n`;
    const slow = { url: dependency, name: 'slow' };
    assert.deepEqual(await linesOf(twoSamples, { functions: { slow, f: { column: 16 } }, text }), [
      '5: 20 ms × 1, 1 exact !',
    ]);
  }
});

test('fields of a class and its static blocks are two functions, as V8 places them; Node 22 does not say which', async () => {
  const text = 'class Cart {\n  rows = slow(1);\n  static {\n    slow(2);\n  }\n}\n';
  const linesAt = (line: number, column: number): Promise<readonly string[]> =>
    linesOf(twoSamples, {
      functions: { f: { name: 'Cart', line, column }, slow: { url: dependency, name: 'slow' } },
      text,
    });
  assert.deepEqual(await linesAt(1, 2), ['2: 20 ms × 1, 1 exact !']);
  assert.deepEqual(await linesAt(2, 2), ['4: 20 ms × 1, 1 exact !']);
  assert.deepEqual(await linesAt(0, 11), ['2: 20 ms × 1, 1 oneOf !', '4: 20 ms × 1, 1 oneOf !']);
});

test('of a constructor that a compiler made the calls of the fields are part', async () => {
  const source = 'class F {\n  rows = slow(1);\n  constructor() {\n    slow(2);\n  }\n}\n';
  // The function stands where the class does.
  const map = { version: 3, sources: ['../src/f.ts'], names: [], mappings: 'AAAA' };
  const lines = await linesOf(twoSamples, {
    functions: { f: { name: 'F', url: '/app/lib/f.js', line: 0, column: 10 }, slow: { url: dependency, name: 'slow' } },
    files: {
      '/app/lib/f.js': 'function F() {\n  this.rows = slow(1);\n  slow(2);\n}\n//# sourceMappingURL=f.js.map',
      '/app/lib/f.js.map': JSON.stringify(map),
      '/app/src/f.ts': source,
    },
  });
  assert.deepEqual(lines, ['2: 20 ms × 1, 1 oneOf !', '4: 20 ms × 1, 1 oneOf !']);
});
