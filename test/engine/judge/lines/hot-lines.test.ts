import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { analysisOf } from './drawn-analysis.ts';
import { linesOf, shown } from './shown-lines.ts';
import { assertEach } from '../../../helpers/assert-each.ts';

test('self time of one line is exactly that line’s', async () => {
  assert.deepEqual(await linesOf('f:3 f:3 f:3'), ['3: 30 ms × 1, 1 exact !']);
});

test('self time of several lines is split in proportion, and said to be', async () => {
  const { lines } = await analysisOf('f:3 f:3 f:3 f:5');
  assert.deepEqual(lines.map(shown), ['3: 30 ms × 1, 1 shared !', '5: 10 ms × 0, 0 shared']);
  assert.deepEqual(lines[0]?.reason, { type: 'splitBySamples', lines: 2 });
});

test('a line with nearly all samples has the whole time, exactly', async () => {
  const rows = `${'f:3 '.repeat(39)}f:4`;
  assert.deepEqual(await linesOf(rows, { sampleMs: 1 }), ['3: 40 ms × 1, 1 exact !']);
});

test('time in a regular expression is the line’s that uses one', async () => {
  const text = 'function f(x) {\n  prepare(x);\n  return pattern.test(x);\n}\n';
  const functions = { r: { url: '', name: 'RegExp: ^a+$', line: -1, column: -1 } };
  const files = { '/app/src/f.js': text };
  assert.deepEqual(await linesOf('f f\nr r', { functions, files }), ['3: 20 ms × 1, 1 exact !']);
  const both = await linesOf('f:2 f f f\n. r r r', { functions, files });
  assert.deepEqual(both, ['3: 30 ms × 1, 1 shared !', '2: 10 ms × 0, 0 shared']);
});

test('a native function is called at the line that V8 gives for it', async () => {
  const functions = { g: { url: '', name: 'get stack', line: -1, column: -1 } };
  assert.deepEqual(await linesOf('f f\ng:3 g:3', { functions }), ['3: 20 ms × 1, 1 exact !']);
});

test('a function of Node with another name is at the only call into Node, as an estimate', async () => {
  const text = "import { gzipSync } from 'node:zlib';\nfunction f(x) {\n  other(x);\n  return gzipSync(x);\n}\n";
  const { lines } = await analysisOf('f f\nz z', {
    functions: { f: { line: 1, column: 10 }, z: { url: 'node:zlib', name: 'syncBufferWrapper' } },
    text,
  });
  assert.deepEqual(lines.map(shown), ['4: 20 ms × 1, 1 shared !']);
  assert.equal(lines[0]?.reason?.type, 'calledByAnotherName');
});

test('writing a stack belongs to the line that reads it', async () => {
  const text = 'function f(x) {\n  const error = new Error(x);\n  return error.stack;\n}\n';
  const functions = { p: { url: 'node:internal/errors', name: 'prepareStackTraceCallback' } };
  const lines = await linesOf('f f\np p', { functions, text });
  assert.deepEqual(lines, ['3: 20 ms × 1, 1 exact !']);
});

test('a class of Node is named as people write it', async () => {
  const text = 'function f(x) {\n  const url = new URL(x);\n  new Headers(x);\n  return fetch(url);\n}\n';
  const functions = { h: { url: 'node:internal/deps/undici/undici', name: '_Headers' } };
  const lines = await linesOf('f f\nh h', { functions, text });
  assert.deepEqual(lines, ['3: 20 ms × 1, 1 exact !']);
});

test('a method with a computed name is on the lines that use its object', async () => {
  const text = 'function f(x) {\n  const router = new Router(x);\n  router.get(x);\n  return router.post(x);\n}\n';
  const functions = { m: { url: '/app/node_modules/router/index.js', name: 'Router.<computed>' } };
  const lines = await linesOf('f f\nm m', { functions, text });
  assert.deepEqual(lines, ['3: 20 ms × 1, 1 oneOf !', '4: 20 ms × 1, 1 oneOf !']);
});

test('what V8 inlined from a file that is not known is on no line of the function', async () => {
  const text = 'function f() {\n  let i;\n  while (now()) i++;\n}\n';
  assert.deepEqual(await linesOf('f:3 f:3 f:548', { text }), ['3: 20 ms × 1, 1 shared !']);
});

const looping = 'function f(x) {\n  JSON.stringify(x);\n  for (const y of x) {\n    g(y);\n  }\n}\n';

test('what V8 inlined from the same file is on the line of that function', async () => {
  const text = `${looping}function g(y) {\n  while (y > 0) y--;\n}\n`;
  assert.deepEqual(await linesOf('f:8 f:8 f:8', { text }), ['8: 30 ms × 1, 1 shared !']);
});

const inTwoFiles = {
  text: `const { g } = require('./g');\n${looping}`,
  files: { '/app/src/g.js': 'exports.g = function g(y) {\n  let n = y;\n  while (n > 0) n--;\n};\n' },
};

test('a line that V8 may have taken from a function of another file is one of two', async () => {
  const functions = { f: { line: 1, column: 10 } };
  const { lines } = await analysisOf('f:3 f:3 f:3', { ...inTwoFiles, functions });
  const shownLines = lines.map(({ url, line, worst, precision }) => [path.basename(url), line, worst, precision]);
  assert.deepEqual(shownLines, [
    ['f.js', 3, 30_000, 'oneOf'],
    ['g.js', 3, 30_000, 'oneOf'],
  ]);
});

test('a line may be of a method that V8 showed below its caller, though no name says which file has it', async () => {
  const functions = { f: { line: 1, column: 10 }, g: { url: '/app/src/g.js', line: 0, column: 22 } };
  const text = inTwoFiles.text.replace('g(y)', 'x.g(y)');
  const { lines } = await analysisOf('f:3 f:3 f:3 f:3 f:3 f\n. . . . . g:3', { ...inTwoFiles, text, functions });
  assert.deepEqual(lines.map(({ url, line, precision }) => [path.basename(url), line, precision]).slice(0, 2), [
    ['f.js', 3, 'oneOf'],
    ['g.js', 3, 'oneOf'],
  ]);
});

test('where V8 shows the other function below its caller, a line of the caller is its own', async () => {
  const functions = { f: { line: 1, column: 10 }, g: { url: '/app/src/g.js', line: 0, column: 22 } };
  const { lines } = await analysisOf('f:3 f:3 f:3 f f f\n. . . g:3 g:3 g:3', { ...inTwoFiles, functions });
  assertEach(lines, ({ url, line, worst, precision }) => [path.basename(url), line, worst, precision], [
    ['f.js', 3, 30_000, 'exact'],
    ['g.js', 3, 30_000, 'exact'],
  ]);
});

const caller = 'function f(x) {\n  prepare();\n  for (const y of x) {\n    slow(y);\n  }\n  once(x);\n}\n';
const slowIsDependency = {
  slow: { url: '/app/node_modules/dep/slow.js' },
  once: { url: '/app/node_modules/dep/once.js' },
};

test('time in a callee is the line’s that calls it', async () => {
  const lines = await linesOf('f:2 f    f    f\n.   slow slow once', { functions: slowIsDependency, text: caller });
  assert.deepEqual(lines, ['4: 20 ms × 1, 1 exact !', '2: 10 ms × 0, 0 exact', '6: 10 ms × 0, 0 exact']);
});

test('a callee named on several lines gives each the whole, never added up', async () => {
  const twice = 'function f(x) {\n  slow(x);\n  slow(x), slow(x);\n  once(x);\n  once(x);\n}\n';
  const { lines } = await analysisOf('f    f    f\nslow slow once', { functions: slowIsDependency, text: twice });
  assert.deepEqual(lines.map(shown), [
    '2: 20 ms × 1, 1 oneOf !',
    '3: 20 ms × 1, 1 oneOf !',
    '4: 10 ms × 0, 0 oneOf',
    '5: 10 ms × 0, 0 oneOf',
  ]);
  const reason = { type: 'callOnLines', callee: 'slow', lines: 2, withoutPositions: false };
  assert.deepEqual(lines[0]?.reason, reason);
});

test('in an attached process only the one line that calls it has its time: others may have called nothing', async () => {
  const text = 'function f(x) {\n  slow(x);\n  slow(x);\n  once(x);\n}\n';
  const attached = {
    functions: slowIsDependency,
    text,
    files: { '/rec/recording.json': '{"cwd":"/app","attached":true}' },
  };
  assert.deepEqual(await linesOf('f    f    f\nslow slow once', attached), [
    '1: 30 ms × 1, 1 shared !',
    '4: 10 ms × 0, 0 exact',
  ]);
});

test('a callee that nothing names is on no line, and the function’s first line stands in', async () => {
  const { lines } = await analysisOf('f    f\nodd  odd', {
    functions: { f: { line: 0, column: 10 }, odd: { url: '/app/node_modules/dep/index.js' } },
    text: caller,
  });
  assert.deepEqual(lines.map(shown), ['1: 20 ms × 1, 1 shared !']);
  assert.equal(lines[0]?.reason?.type, 'wholeFunction');
});

test('where time is spread thin the first line stands in for the function', async () => {
  const lines = await linesOf('f:2 f:3 f:4 f:5', { sampleMs: 5, text: caller });
  assert.deepEqual(lines[0], '1: 20 ms × 1, 1 shared !');
  assert.equal(lines.filter((line) => line.endsWith('!')).length, 1);
});

test('a line counts the operations and the stacks in which it is long', async () => {
  const lines = await linesOf(
    'a   a   (idle) b   b   (idle) a   (idle) a   a\nf:3 f:3 .      f:3 f:3 .      f:3 .      f:3 f:3',
    {},
  );
  assert.deepEqual(lines, ['3: 20 ms × 3, 2 exact !']);
});

test('a line of two functions counts the operations and the stacks of both', async () => {
  const at = { url: '/app/src/f.js', line: 2 };
  const { lines } = await analysisOf('f:3 f:3 (idle) g:3 g:3 g:3', {
    functions: { f: { ...at, column: 1 }, g: { ...at, column: 30 } },
  });
  assert.deepEqual(lines.map(shown), ['3: 30 ms × 2, 2 exact !']);
});

test('a callback and what takes it, on one line, add up, and are one operation', async () => {
  const at = { url: '/app/src/f.js', line: 2 };
  const { lines } = await analysisOf('f:3 f:3 f:3 f:3\n. c:3 c:3 .', {
    functions: { f: { ...at, line: 1, column: 1 }, c: { ...at, column: 30 } },
  });
  assert.deepEqual(lines.map(shown), ['3: 40 ms × 1, 2 shared !']);
  assert.equal(lines[0]?.functionIds.length, 2);
});

test('functions of one line whose own lines nobody knows are long in one operation together', async () => {
  const at = { url: '/app/src/f.js', line: 2 };
  const lines = await linesOf('f f f f\n. . c c', { functions: { f: { ...at, column: 1 }, c: { ...at, column: 30 } } });
  assert.deepEqual(lines, ['3: 20 ms × 1, 2 shared !']);
});

/** A built file, its map, and the source of it in `/app/src/f.ts`. */
const built = (text: string, mappings: string, source: string) => ({
  '/app/dist/f.js': `${text}\n//# sourceMappingURL=f.js.map`,
  '/app/dist/f.js.map': JSON.stringify({ version: 3, sources: ['../src/f.ts'], names: [], mappings }),
  '/app/src/f.ts': source,
});

test('lines of a built file are lines of its source', async () => {
  const lines = await linesOf('f:2 f:2 f:3', {
    functions: { f: { url: '/app/dist/f.js', line: 1, column: 10 } },
    files: built(
      'go();\nfunction f() {\nspin();\n}',
      ';AAGA,SACE;AACA',
      '\n\n\nfunction f() {\n  two();\n  three();\n}\n',
    ),
  });
  assert.deepEqual(lines, ['5: 20 ms × 1, 1 shared !', '6: 10 ms × 0, 0 shared']);
});

test('of the source’s lines in one built line, the only one that calls something has the time', async () => {
  const lines = await linesOf('f:1 f:1', {
    functions: { f: { url: '/app/dist/f.js', column: 10 } },
    files: built('const f = (x) => x.search(p);', 'AAAA,UAAU,OACR', 'const f = (x) =>\n  x.search(p);\n'),
  });
  assert.deepEqual(lines, ['2: 20 ms × 1, 1 shared !']);
});

test('a minified line is the function’s first line, not one of its many at random', async () => {
  const lines = await linesOf('f:1 f:1', {
    functions: { f: { url: '/app/dist/f.js', column: 10 } },
    files: built(
      'const f = (x) => a+b+c+d',
      'AAAA,UAAU,OACR,EACA,EACA,EACA',
      'const f = (x) =>\n  a +\n  b +\n  c +\n  d;\n',
    ),
  });
  assert.deepEqual(lines, ['1: 20 ms × 1, 1 shared !']);
});

test('a line of a minified one that calls what is slow may have some of the time of its neighbours', async () => {
  const { lines } = await analysisOf('f:1 f:1 f:1\n. slow slow', {
    sampleMs: 20,
    functions: { f: { url: '/app/dist/f.js', column: 10 }, slow: { url: '/app/node_modules/dep/index.js' } },
    files: built(
      'const f = (x) => a+other(x)+slow(x)+d',
      'AAAA,UAAU,OACR,EACA,EACA,EACA',
      'const f = (x) =>\n  a +\n  other(x) +\n  slow(x) +\n  d;\n',
    ),
  });
  assert.deepEqual(lines.map(shown), ['4: 40 ms × 1, 1 shared !', '1: 20 ms × 1, 1 shared !']);
  assert.deepEqual(lines[0]?.reason, { type: 'severalLines' });
});
