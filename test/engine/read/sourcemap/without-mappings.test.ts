import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SourceMapper } from '../../../../engine/read/sourcemap/source-mapper.ts';
import { column0, line0, line1 } from '../../../../protocol/units.ts';
import { files, shown } from './compiled-cart.ts';
import { assertEach } from '../../../helpers/assert-each.ts';

test('a line found by its words is a guess where other lines have the same', async () => {
  const typed = 'function f(a: number) {\n  g(a);\n  g(a);\n  h(a);\n}\n';
  const text = 'function f(a) {\n  g(a);\n  h(a);\n}\n';
  const mapper = new SourceMapper([{ url: '/app/src/f.ts', text }], files({ '/app/src/f.ts': typed }));
  const lines = await mapper.lines('/app/src/f.ts', [line1(2), line1(3)]);
  assertEach([...(lines?.values() ?? [])].flat(), ({ line, isGuess }) => [line, isGuess], [
    [3, true],
    [4, false],
  ]);
});

test('a word that the compiler writes itself makes no line certain', async () => {
  const typed = "import { a } from './a';\nimport { b } from './b';\nexport const c = a(b);\n";
  const text = 'const a_1 = require("./a");\nconst b_1 = require("./b");\nexports.c = (0, a_1.a)(b_1.b);\n';
  const mapper = new SourceMapper([{ url: '/app/c.ts', text }], files({ '/app/c.ts': typed }));
  const lines = await mapper.lines('/app/c.ts', [line1(1), line1(2), line1(3)]);
  const sure = [...(lines?.values() ?? [])].flat().filter(({ isGuess }) => !isGuess);
  assert.ok(sure.every(({ line }) => line === 3));
});

test('what a compiler puts into an async function is that function, its helpers in front are none', async () => {
  const texts = {
    '/app/cart.ts': 'import x from "y";\nexport async function total(cart) {\n  await null;\n  return x(cart);\n}\n',
    '/app/cart.js': [
      'var __awaiter = function (run) { return run(); };',
      'const y_1 = require("y");',
      'function total(cart) {',
      '    return __awaiter(this, void 0, void 0, function* () {',
      '        yield null;',
      '        return (0, y_1.default)(cart);',
      '    });',
      '}',
      '//# sourceMappingURL=cart.js.map',
    ].join('\n'),
    '/app/cart.js.map':
      '{"version":3,"sources":["cart.ts"],"names":[],"mappings":";AAAA;AACO,SAAe,KAAK,CAAC,IAAI;;QAC5B,MAAM,IAAI,CAAC;QACX,OAAO,IAAA,WAAC,EAAC,IAAI,CAAC,CAAC;IACnB,CAAC;CAAA"}',
  };
  const mapper = new SourceMapper([], files(texts));
  const at = (line: number, column: number, name: string) => ({ line: line0(line), column: column0(column), name });
  const origins = await mapper.functions('/app/cart.js', [at(0, 25, '__awaiter'), at(2, 14, 'total'), at(3, 52, '')]);
  assert.equal(shown(origins[1]), '/app/cart.ts:2 total');
  assert.deepEqual(origins[2], origins[1]);
  assert.deepEqual(origins[0], { type: 'helper' });
});

test('a function that the compiler has moved is found by its name', async () => {
  const typed =
    'class A {\n  b(x: string) {\n    return x;\n  }\n  c = (x: string) => {\n    return [x, 7, this];\n  };\n}\n';
  const text =
    'class A {\n  constructor() {\n    this.c = (x) => {\n      return [x, 7, this];\n    };\n  }\n  b(x) {\n    return x;\n  }\n}\n';
  const mapper = new SourceMapper([{ url: '/app/a.ts', text }], files({ '/app/a.ts': typed }));
  const origins = await mapper.functions('/app/a.ts', [{ line: line0(6), column: column0(3), name: 'b' }]);
  assert.equal(shown(origins[0]), '/app/a.ts:2 b');
});

test('a map of lines alone is not sure of a line that stands for several', async () => {
  const map = '{"version":3,"sources":["a.ts"],"names":[],"mappings":"AAAA;AACA;AAGA;AACA"}';
  const mapper = new SourceMapper([{ url: '/app/a.js', map }], files({}));
  const lines = await mapper.lines('/app/a.js', [line1(1), line1(2), line1(3)]);
  assertEach([...(lines?.values() ?? [])].flat(), ({ line, isGuess }) => [line, isGuess], [
    [1, false],
    [2, true],
    [5, false],
  ]);
});

test('files without a map are as written, and nothing is said', async () => {
  const mapper = new SourceMapper([], files({ '/app/a.js': 'const words = "//# sourceMappingURL=no.map";\nf();\n' }));
  const starts = [{ line: line0(0), column: column0(3), name: '' }];
  for (const url of ['/app/a.js', '/app/gone.js', 'node:fs', '', '/app/node_modules/x/a.js']) {
    assert.deepEqual(await mapper.functions(url, starts), [{ type: 'asWritten' }]);
  }
  assert.deepEqual(mapper.warnings, []);
});
