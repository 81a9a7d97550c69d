import assert from 'node:assert/strict';
import { test } from 'node:test';
import { transform } from 'esbuild';
import { SourceMapper } from '../../../../engine/read/sourcemap/source-mapper.ts';
import { column0, line0, line1 } from '../../../../protocol/units.ts';
import { compiled, files, noFiles, shown, source, startOf, totalIsAt } from './compiled-cart.ts';

function jsonOf(text: string): object {
  const value: unknown = JSON.parse(text);
  return typeof value === 'object' && value !== null ? value : assert.fail();
}

test('a function of TypeScript compiled without a source map is found by its words', async () => {
  const helper = 'var __decorate = function (decorators) { return decorators[0](); };\n';
  const { code } = await transform(source, { loader: 'ts', format: 'cjs' });
  const text = `${helper}${code}`;
  const mapper = new SourceMapper([{ url: '/app/src/cart.ts', text }], files({ '/app/src/cart.ts': source }));
  const [origin] = await mapper.functions('file:///app/src/cart.ts', [startOf(text, 'function total')]);
  assert.equal(shown(origin), '/app/src/cart.ts:3 function total');
  const line = line1(text.slice(0, text.indexOf('sum +=')).split('\n').length);
  const lines = await mapper.lines('/app/src/cart.ts', [line]);
  assert.deepEqual(lines?.get(line), [{ url: '/app/src/cart.ts', line: 6, isGuess: false }]);
});

test('a function compiled in memory is where the map of the recording says, not where the text on disk has it', async () => {
  const { code, map } = await compiled(false);
  const mapper = new SourceMapper([{ url: '/app/src/cart.ts', map }], files({ '/app/src/cart.ts': source }));
  const [origin] = await mapper.functions('file:///app/src/cart.ts', [startOf(code, 'total')]);
  assert.equal(shown(origin), totalIsAt);
  assert.notEqual(startOf(code, 'total').line, 2);
  assert.deepEqual(mapper.warnings, []);
});

test('a map of the recording may be the url that it was compiled with', async () => {
  const { code, map } = await compiled(false);
  const base64 = `data:application/json;base64,${Buffer.from(map).toString('base64')}`;
  for (const url of [base64, `data:application/json,${encodeURIComponent(map)}`]) {
    const mapper = new SourceMapper([{ url: '/app/src/cart.ts', map: url }], files({ '/app/src/cart.ts': source }));
    assert.deepEqual((await mapper.functions('/app/src/cart.ts', [startOf(code, 'total')])).map(shown), [totalIsAt]);
  }
});

test('a file on disk is mapped by its inline map', async () => {
  const { code, map } = await compiled(false);
  const url = `data:application/json;base64,${Buffer.from(map).toString('base64')}`;
  const mapper = new SourceMapper([], files({ '/app/src/cart.js': `${code}//# sourceMappingURL=${url}\n` }));
  assert.deepEqual((await mapper.functions('/app/src/cart.js', [startOf(code, 'total')])).map(shown), [totalIsAt]);
});

test('a map beside the file is found by its percent-encoded name, and its sources go by its source root', async () => {
  const { code, map } = await compiled(false);
  const rooted = JSON.stringify({ ...jsonOf(map), sourceRoot: '../src' });
  const texts = { '/app/out dir/a.js': `${code}//# sourceMappingURL=a%20b.js.map`, '/app/out dir/a b.js.map': rooted };
  const mapper = new SourceMapper([], files(texts));
  assert.deepEqual((await mapper.functions('file:///app/out%20dir/a.js', [startOf(code, 'total')])).map(shown), [
    totalIsAt,
  ]);
});

test('a minified function has its original name, its line and its column', async () => {
  const minified = await transform(
    `${source.replace('export ', '')}\nconst shown = (cart: Cart) => total(cart);\nconsole.log(shown);`,
    { loader: 'ts', sourcemap: true, sourcefile: '/app/src/cart.ts', minify: true, format: 'iife' },
  );
  const short = /function (\w+)\(/.exec(minified.code)?.[1] ?? '';
  const arrow = /(\w+)=(\w+)=>/.exec(minified.code);
  assert.ok(arrow !== null);
  const starts = [
    startOf(minified.code, short),
    { line: line0(0), column: column0(arrow.index + `${arrow[1]}=`.length), name: arrow[1] ?? '' },
  ];
  const mapper = new SourceMapper([{ url: '/app/dist/app.js', map: minified.map }], noFiles);
  const origins = await mapper.functions('/app/dist/app.js', starts);
  assert.deepEqual(origins.map(shown), [totalIsAt, '/app/src/cart.ts:11 shown']);
});

test('lines of a generated text are lines of its source; a text in one line holds them all', async () => {
  const { code, map } = await compiled(false);
  const mapper = new SourceMapper(
    [
      { url: '/app/src/cart.js', map },
      { url: '/app/one.js', map: (await compiled(true)).map },
    ],
    noFiles,
  );
  const sum = line1(code.split('\n').findIndex((line) => line.includes('sum +=')) + 1);
  assert.deepEqual((await mapper.lines('/app/src/cart.js', [sum]))?.get(sum), [
    { url: '/app/src/cart.ts', line: 6, isGuess: false },
  ]);
  const all = (await mapper.lines('/app/one.js', [line1(1)]))?.get(line1(1));
  assert.ok((all?.length ?? 0) >= 4);
});

test('a bundle of sections maps into the source of the section', async () => {
  const { code, map } = await compiled(false);
  const below = JSON.stringify({ version: 3, sections: [{ offset: { line: 100, column: 0 }, map: jsonOf(map) }] });
  const mapper = new SourceMapper([{ url: '/app/src/all.js', map: below }], noFiles);
  const start = startOf(code, 'total');
  assert.deepEqual(
    (await mapper.functions('/app/src/all.js', [{ ...start, line: line0(start.line + 100) }])).map(shown),
    [totalIsAt],
  );
  const line = line1(start.line + 101);
  assert.deepEqual((await mapper.lines('/app/src/all.js', [line]))?.get(line), [
    { url: '/app/src/cart.ts', line: 3, isGuess: false },
  ]);
});

test('code that webpack evaluates keeps the name of its source, whose text comes from the map', async () => {
  const { code, map } = await compiled(false);
  const packed = JSON.stringify({ ...jsonOf(map), sources: ['webpack://shop/./src/cart.ts'] });
  const mapper = new SourceMapper([{ url: 'webpack-internal:///412', map: packed }], noFiles);
  const origins = await mapper.functions('webpack-internal:///412', [startOf(code, 'total')]);
  assert.deepEqual(origins.map(shown), ['webpack://shop/./src/cart.ts:3 total']);
  assert.equal(await mapper.textOf('webpack://shop/./src/cart.ts'), source);
});

test('a module body is its whole source, a helper that the compiler put in is not a line of it', async () => {
  const map = JSON.stringify({ version: 3, sources: ['cart.ts'], names: [], mappings: ';;AAEA' });
  const mapper = new SourceMapper([{ url: '/app/cart.ts', map }], noFiles);
  const at = (line: number, column: number) => ({ line: line0(line), column: column0(column), name: '' });
  const [body, wrapped, helper] = await mapper.functions('/app/cart.ts', [at(0, 0), at(0, -196), at(1, 20)]);
  assert.equal(shown(body), '/app/cart.ts:1 ');
  assert.deepEqual(wrapped, body);
  assert.deepEqual(helper, { type: 'helper' });
});
