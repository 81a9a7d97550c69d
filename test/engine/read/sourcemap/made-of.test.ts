import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SourceMapper } from '../../../../engine/read/sourcemap/source-mapper.ts';
import { column0, line0, line1 } from '../../../../protocol/units.ts';
import { files, shown } from './compiled-cart.ts';
import { warningText } from '../../../../words/warnings/warning-text.ts';

const at = (line: number, column: number, name: string) => ({ line: line0(line), column: column0(column), name });

const inApp = { roots: ['/app'] };

const config = `import { plugin } from './build/plugin.js';

interface Options {
  readonly input: string;
}

function readOptions(input: string): Options {
  return { input: input.trim() };
}

export default { ...readOptions('src/main.ts'), plugins: [plugin()] };
`;
const plugin = `type Name = string;

function nameOf(name: Name): string {
  return name.toUpperCase();
}

export function plugin() {
  return { name: nameOf('own') };
}
`;
const sources = { '/app/rollup.config.ts': config, '/app/build/plugin.ts': plugin };
const bundle = `function nameOf(name) {
  return name.toUpperCase();
}
function plugin() {
  return { name: nameOf('own') };
}
function readOptions(input) {
  return { input: input.trim() };
}
var config = { ...readOptions('src/main.ts'), plugins: [plugin()] };
export { config as default };
`;
const starts = [at(0, 15, 'nameOf'), at(3, 15, 'plugin'), at(6, 20, 'readOptions')];

test('a bundle of a configuration that was deleted is placed in it and in what it imports, by their words', async () => {
  const url = '/app/rollup.config-1795356796704.mjs';
  const mapper = new SourceMapper([{ url, gone: bundle }], files(sources), inApp);
  assert.deepEqual((await mapper.functions(url, starts)).map(shown), [
    '/app/build/plugin.ts:3 nameOf',
    '/app/build/plugin.ts:7 plugin',
    '/app/rollup.config.ts:7 readOptions',
  ]);
  const lines = await mapper.lines(url, [line1(2), line1(8)]);
  assert.deepEqual(
    [...(lines?.values() ?? [])].flat().map((line) => `${line.url}:${line.line}`),
    ['/app/build/plugin.ts:4', '/app/rollup.config.ts:8'],
  );
  assert.deepEqual(mapper.warnings, []);
});

test('where the text of a deleted configuration is not known, or what it was made of, no line is', async () => {
  for (const [url, gone] of [
    ['/app/rollup.config-1795356796704.mjs', null],
    ['/app/next.config.compiled.js', bundle],
  ] as const) {
    const mapper = new SourceMapper([{ url, gone }], files(sources), inApp);
    assert.deepEqual((await mapper.functions(url, starts)).map(shown), ['lost', 'lost', 'lost']);
    assert.match(mapper.warnings.map(warningText).join(), /The lines of its functions are not known/);
  }
});

test('deleted files are told of in one sentence, and their text is what ran', async () => {
  const urls = ['file:///app/dist/b.mjs', 'file:///app/dist/a.mjs'];
  const scripts = urls.map((url) => ({ url, gone: bundle }));
  const mapper = new SourceMapper(scripts, files({}), inApp);
  for (const url of urls) assert.deepEqual((await mapper.functions(url, starts)).map(shown), ['gone', 'gone', 'gone']);
  assert.equal(await mapper.textOf('file:///app/dist/a.mjs'), bundle);
  assert.equal(mapper.warnings.length, 1);
  assert.match(mapper.warnings.map(warningText)[0] ?? '', /^\/app\/dist\/a\.mjs and 1 more were deleted/);
});

test('what one process has of a script counts before that another found its file gone', async () => {
  const url = '/app/src/plugin.ts';
  const lines = [
    { url, gone: null },
    { url, text: bundle },
  ];
  const mapper = new SourceMapper(lines, files({ [url]: plugin }), inApp);
  assert.deepEqual((await mapper.functions(url, starts.slice(0, 1))).map(shown), [`${url}:3 nameOf`]);
});

test('a function at a column that its line does not have is of another text', async () => {
  const url = '/app/src/cart.ts';
  const mapper = new SourceMapper([], files({ [url]: 'enum Kind { A }\nexport function total() {}\n' }), {
    roots: ['/app'],
  });
  const origins = await mapper.functions(url, [at(0, 0, ''), at(0, 226, 'total')]);
  assert.deepEqual(origins.map(shown), ['lost', 'lost']);
  assert.match(mapper.warnings.map(warningText).join(), /is not the text of that file/);
});

test('the sources of a script that a loader made in a folder of its own are those with the same path and text', async () => {
  const url = 'file:///app/.cache/0ccaf0ea/main.mjs';
  const map = JSON.stringify({
    version: 3,
    sources: ['src/cart.ts', 'src/other.ts'],
    sourcesContent: [plugin, 'const other = 1;'],
    names: [],
    mappings: 'AAEA,SAAS',
  });
  const texts = { '/app/src/cart.ts': plugin, '/app/src/other.ts': 'const another = 1;' };
  const mapper = new SourceMapper([{ url, map }], files(texts), inApp);
  assert.equal(shown((await mapper.functions(url, [at(0, 15, 'nameOf')]))[0]), '/app/src/cart.ts:3 nameOf');
});

test('a file that is gone is said to be deleted, or made from a configuration; one that is there is neither', async () => {
  const saidOf = async (url: string, gone: string | null): Promise<string> => {
    const mapper = new SourceMapper(gone === null ? [] : [{ url, gone }], files({ [url]: plugin }), {
      roots: ['/app'],
    });
    await mapper.functions(url, starts.slice(0, 1));
    return mapper.warnings.map(warningText).join('\n');
  };
  const [built, made] = ['/app/dist/built.js', '/app/vite.config.ts.timestamp-1700000000000-a1b2.mjs'];
  assert.match(await saidOf(built, 'f()'), /^\/app\/dist\/built\.js was deleted before the program had ended/);
  assert.match(await saidOf(made, 'f()'), /^A tool made \S+ from a configuration, and deleted it/);
  for (const url of [built, made]) assert.equal(await saidOf(url, null), '');
});
