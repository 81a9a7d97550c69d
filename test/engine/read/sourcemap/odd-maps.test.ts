import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SourceMapper } from '../../../../engine/read/sourcemap/source-mapper.ts';
import { column0, line0, line1 } from '../../../../protocol/units.ts';
import { files, noFiles } from './compiled-cart.ts';
import { warningText } from '../../../../words/warnings/warning-text.ts';

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
    const texts = { '/app/a.js': text, ...(map === undefined ? {} : { '/app/a.js.map': map }) };
    const mapper = new SourceMapper([], files(texts));
    const starts = [{ line: line0(0), column: column0(10), name: 'f' }];
    assert.deepEqual(await mapper.functions('/app/a.js', starts), [{ type: 'asWritten' }]);
    assert.deepEqual(await mapper.functions('/app/a.js', starts), [{ type: 'asWritten' }]);
    assert.equal(mapper.warnings.length, 1);
    assert.match(mapper.warnings.map(warningText)[0] ?? '', reason);
    assert.match(mapper.warnings.map(warningText)[0] ?? '', /a\.js .*Build again/);
  });
}

test('a map whose source has become shorter since is of another build', async () => {
  const map = JSON.stringify({ version: 3, sources: ['a.ts'], names: [], mappings: 'AAAA;AASA' });
  const text = 'one();\nfunction f() {}\n//# sourceMappingURL=a.js.map\n';
  const mapper = new SourceMapper([], files({ '/app/a.js': text, '/app/a.js.map': map, '/app/a.ts': 'one();\n' }));
  const starts = [{ line: line0(1), column: column0(10), name: 'f' }];
  assert.deepEqual(await mapper.functions('/app/a.js', starts), [{ type: 'asWritten' }]);
  assert.match(mapper.warnings.map(warningText)[0] ?? '', /is of another build/);
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

test('warnings stand in one order, whichever script is asked about first', async () => {
  const texts = files({
    '/app/a.js': '//# sourceMappingURL=a.js.map',
    '/app/b.js': '//# sourceMappingURL=b.js.map',
    '/app/a.js.map': 'nonsense',
    '/app/b.js.map': 'nonsense',
  });
  const warningsOf = async (urls: readonly string[]): Promise<readonly string[]> => {
    const mapper = new SourceMapper([], texts);
    for (const url of urls) await mapper.functions(url, []);
    return mapper.warnings.map(warningText);
  };
  const warnings = await warningsOf(['/app/a.js', '/app/b.js']);
  assert.equal(warnings.length, 2);
  assert.deepEqual(await warningsOf(['/app/b.js', '/app/a.js']), warnings);
});
