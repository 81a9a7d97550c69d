import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { transform } from 'esbuild';
import type { Origin } from '../../../engine/sourcemap/origin.ts';
import { SourceMapper } from '../../../engine/sourcemap/source-mapper.ts';
import { column0, line0, line1 } from '../../../protocol/units.ts';

const source = `interface Cart { items: string[] }

export function total(cart: Cart): number {
  let sum = 0;
  for (const item of cart.items) {
    sum += item.length;
  }
  return sum;
}
`;

/** Files in memory: path to text. */
const files = (texts: Record<string, string>) => (path: string) => Promise.resolve(texts[path] ?? null);
const noFiles = files({});

/** The position of the function, as V8 has it: where its parameters begin. */
function startOf(
  code: string,
  name: string,
): { line: ReturnType<typeof line0>; column: ReturnType<typeof column0>; name: string } {
  const at = code.search(new RegExp(`\\b${name}\\(`)) + name.length;
  const before = code.slice(0, at).split('\n');
  return { line: line0(before.length - 1), column: column0(before.at(-1)?.length ?? 0), name };
}

const compiled = (minify: boolean) =>
  transform(source, {
    loader: 'ts',
    sourcemap: true,
    sourcefile: 'cart.ts',
    minify,
    minifySyntax: false,
    format: 'esm',
    sourcesContent: true,
  });

function jsonOf(text: string): object {
  const value: unknown = JSON.parse(text);
  return typeof value === 'object' && value !== null ? value : assert.fail();
}

const totalIsAt = '/app/src/cart.ts:3 total';

function shown(origin: Origin | undefined): string {
  return origin?.type === 'original' ? `${origin.url}:${origin.line + 1} ${origin.name}` : String(origin?.type);
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
    {
      loader: 'ts',
      sourcemap: true,
      sourcefile: '/app/src/cart.ts',
      minify: true,
      format: 'iife',
    },
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

test('a module body is its whole source, a helper that the compiler put in is no line of it', async () => {
  const map = JSON.stringify({ version: 3, sources: ['cart.ts'], names: [], mappings: ';;AAEA' });
  const mapper = new SourceMapper([{ url: '/app/cart.ts', map }], noFiles);
  const at = (line: number, column: number) => ({ line: line0(line), column: column0(column), name: '' });
  const [body, wrapped, helper] = await mapper.functions('/app/cart.ts', [at(0, 0), at(0, -196), at(1, 20)]);
  assert.equal(shown(body), '/app/cart.ts:1 ');
  assert.deepEqual(wrapped, body);
  assert.deepEqual(helper, { type: 'helper' });
});

const good = '{"version":3,"sources":["a.ts"],"names":[],"mappings":"AAAA;;;;AAAA"}';
for (const [what, map, reason] of [
  ['no JSON', 'nonsense', /is not JSON/],
  ['broken mappings', '{"version":3,"sources":["a.ts"],"mappings":"!!!"}', /has broken mappings/],
  ['mappings that go below zero', '{"version":3,"sources":["a.ts"],"mappings":"DDDD"}', /has broken mappings/],
  ['another version', '{"version":2,"sources":[],"mappings":""}', /is not of version 3/],
  [
    'sections in sections',
    '{"version":3,"sections":[{"offset":{"line":0,"column":0},"map":{"version":3,"sections":[]}}]}',
    /section/,
  ],
  [
    'sections out of order',
    `{"version":3,"sections":[{"offset":{"line":5,"column":0},"map":${good}},{"offset":{"line":1,"column":0},"map":${good}}]}`,
    /broken/,
  ],
  ['more lines than the file has', good, /is of another build/],
  ['missing', undefined, /cannot be read/],
] as const) {
  test(`a map with ${what} leaves the file as written, with one warning that says what to do`, async () => {
    const text = 'function f() {}\n//# sourceMappingURL=a.js.map\n';
    const mapper = new SourceMapper(
      [],
      files({ '/app/a.js': text, ...(map === undefined ? {} : { '/app/a.js.map': map }) }),
    );
    const starts = [{ line: line0(0), column: column0(10), name: 'f' }];
    assert.deepEqual(await mapper.functions('/app/a.js', starts), [{ type: 'asWritten' }]);
    assert.deepEqual(await mapper.functions('/app/a.js', starts), [{ type: 'asWritten' }]);
    assert.equal(mapper.warnings.length, 1);
    assert.match(mapper.warnings[0] ?? '', reason);
    assert.match(mapper.warnings[0] ?? '', /a\.js .*Build again/);
  });
}

test('a map whose source has become shorter since is of another build', async () => {
  const map = JSON.stringify({ version: 3, sources: ['a.ts'], names: [], mappings: 'AAAA;AASA' });
  const text = 'one();\nfunction f() {}\n//# sourceMappingURL=a.js.map\n';
  const mapper = new SourceMapper([], files({ '/app/a.js': text, '/app/a.js.map': map, '/app/a.ts': 'one();\n' }));
  const starts = [{ line: line0(1), column: column0(10), name: 'f' }];
  assert.deepEqual(await mapper.functions('/app/a.js', starts), [{ type: 'asWritten' }]);
  assert.match(mapper.warnings[0] ?? '', /is of another build/);
});

test('hostile sources name no file of another machine', async () => {
  const map =
    '{"version":3,"sources":["file://evil.example/share/a.ts","//evil.example/a.ts","https://evil.example/a.ts",null,7],"mappings":"AAAA;ACAA;ACAA;ACAA;ACAA"}';
  const read: string[] = [];
  const mapper = new SourceMapper([{ url: '/app/a.js', map }], async (path) => {
    read.push(path);
    return null;
  });
  const starts = [0, 1, 2, 3, 4].map((line) => ({ line: line0(line), column: column0(1), name: 'f' }));
  for (const origin of await mapper.functions('/app/a.js', starts)) {
    if (origin.type === 'original') await mapper.textOf(origin.url);
  }
  assert.deepEqual(read, []);
});

test('a map whose words and numbers are objects is answered, not thrown', async () => {
  const odd = { toString: 1, valueOf: 1 };
  const map = { version: 3, sources: ['a.ts'], names: [odd], mappings: 'AAAAA' };
  const index = { version: 3, sections: [{ offset: { line: odd, column: odd }, map }] };
  for (const hostile of [map, index, { ...map, version: odd }]) {
    const mapper = new SourceMapper([{ url: '/app/a.js', map: JSON.stringify(hostile) }], noFiles);
    const found = await mapper.functions('/app/a.js', [{ line: line0(0), column: column0(1), name: 'f' }]);
    assert.equal(found.length, 1);
  }
});

test('positions that no text can have are answered, not thrown', async () => {
  const mapper = new SourceMapper([{ url: '/app/a.js', map: good }], noFiles);
  const starts = [-1, 1.5, NaN, Infinity, 2 ** 40].map((n) => ({ line: line0(n), column: column0(n), name: 'f' }));
  assert.equal((await mapper.functions('/app/a.js', starts)).length, starts.length);
  assert.equal((await mapper.lines('/app/a.js', [line1(-1), line1(NaN), line1(9e9)]))?.size, 3);
});

test('a CommonJS bundle maps with mappings.wasm beside it, wherever it is copied', async (t) => {
  const { build } = await import('esbuild');
  const { execFile } = await import('node:child_process');
  const { promisify } = await import('node:util');
  const dir = await mkdtemp(join(tmpdir(), 'bundle-'));
  t.after(() => rm(dir, { recursive: true }));
  const { code, map } = await compiled(false);
  const start = startOf(code, 'total');
  await build({
    stdin: {
      contents: `import { SourceMapper } from './engine/sourcemap/source-mapper.ts';
        const mapper = new SourceMapper([{ url: '/app/src/cart.js', map: ${JSON.stringify(map)} }], async () => null);
        mapper.functions('/app/src/cart.js', [${JSON.stringify(start)}]).then(([origin]) => console.log(origin.url + ':' + (origin.line + 1) + ' ' + origin.name));`,
      resolveDir: join(import.meta.dirname, '../../..'),
    },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    outfile: join(dir, 'bundle.cjs'),
    logLevel: 'silent',
  });
  const wasm = await readFile(join(import.meta.dirname, '../../../node_modules/source-map/lib/mappings.wasm'));
  await writeFile(join(dir, 'mappings.wasm'), wasm);
  const { stdout } = await promisify(execFile)(process.execPath, [join(dir, 'bundle.cjs')], { cwd: '/' });
  assert.equal(stdout.trim(), totalIsAt);
});
