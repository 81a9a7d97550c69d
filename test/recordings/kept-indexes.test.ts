import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readdirSync, readFileSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { indexSource } from '../../engine/read/source-code/index-source.ts';
import type { KeptIndexes } from '../../engine/read/files/world.ts';
import { packIndex } from '../../engine/read/source-code/packed-index.ts';
import type { SourceIndex } from '../../engine/read/source-code/source-index.ts';
import { IndexedTexts } from '../../engine/read/source-code/source-indexes.ts';
import { keptIndexes } from '../../recordings/disk-world.ts';
import { projectFile } from '../helpers/project.ts';
import { cacheIn, temporaryProject } from '../helpers/temporary-project.ts';

const environment = (): NodeJS.ProcessEnv => ({ HOME: temporaryProject({}), ...cacheIn(temporaryProject({})) });
const storeIn = (env: NodeJS.ProcessEnv, indexer = 'v1'): KeptIndexes =>
  keptIndexes(env, indexer) ?? assert.fail('nothing is kept');
const folderIn = (env: NodeJS.ProcessEnv, indexer = 'v1'): string =>
  path.join(env['XDG_CACHE_HOME'] ?? '', 'hotspan', 'indexes', indexer);

/** Sources of this project, with classes, loops, imports, accessors and generators. */
const files = [
  ...['engine/read/source-code/index-source.ts', 'engine/basics/pair-table.ts', 'recordings/disk-world.ts'],
  'test/fixtures/constructs/parts/helpers.cjs',
];

test('an index that was kept is the one that the source has', async () => {
  const env = environment();
  for (const file of files) {
    const text = readFileSync(projectFile(file), 'utf8');
    await new IndexedTexts(storeIn(env)).of(text, file);
    const { read } = storeIn(env);
    const written: string[] = [];
    const again = new IndexedTexts({ read, write: (_, language) => written.push(language) });
    const [kept, made] = [await again.of(text, file), indexSource(text, file)];
    assert.deepEqual(written, [], 'it is not parsed again');
    assert.deepEqual(plain(kept), plain(made));
    const inside = made?.functions.find(({ kind }) => kind === 'function')?.bodyStart;
    assert.ok(inside !== undefined);
    assert.equal(kept?.places.function.holding(inside), made?.places.function.holding(inside));
  }
});

/** All that an index says; what is packed is read. */
function plain(index: SourceIndex | null): unknown {
  const [first = {}] = indexSource('', 'a.js')?.functions ?? [];
  const keys = Object.keys(first);
  const functions = index?.functions.map((fn) => keys.map((key): unknown => Reflect.get(fn, key)));
  return [functions, index?.members, index?.imports];
}

test('another text, another language, and another version of the indexer have their own', () => {
  const env = environment();
  const { write } = storeIn(env);
  const parts = packIndex({ functions: [], members: new Set(['a']), imports: [] });
  write('a', '.ts', parts);
  assert.equal(storeIn(env).read('a', '.ts'), parts);
  assert.equal(storeIn(env).read('b', '.ts'), undefined);
  assert.equal(storeIn(env).read('a', '.js'), undefined);
  const v2 = storeIn(env, 'v2');
  assert.equal(v2.read('a', '.ts'), undefined);
  utimesSync(folderIn(env), 1, 1);
  v2.write('a', '.ts', parts);
  assert.deepEqual(readdirSync(path.dirname(folderIn(env))), ['v2'], 'what an older version kept long ago is deleted');
});

test('a damaged file is not read, and written anew', async () => {
  for (const damage of [
    (file: string) => truncateSync(file, 40),
    (file: string) => truncateSync(file, 0),
    (file: string) => writeFileSync(file, 'not an index'),
  ]) {
    const env = environment();
    await new IndexedTexts(storeIn(env)).of('f();', 'a.js');
    const [name = ''] = readdirSync(folderIn(env));
    damage(path.join(folderIn(env), name));
    assert.equal(storeIn(env).read('f();', '.js'), undefined);
    await new IndexedTexts(storeIn(env)).of('f();', 'a.js');
    assert.notEqual(storeIn(env).read('f();', '.js'), undefined);
  }
});

test('nothing is kept where others may write, where no folder can be made, and by sources that were not built', () => {
  const env = environment();
  mkdirSync(folderIn(env), { recursive: true });
  chmodSync(folderIn(env), 0o777);
  if (process.platform !== 'win32') assert.equal(keptIndexes(env, 'v1'), null); // There, the folder around it decides.
  assert.equal(keptIndexes(cacheIn(path.join(os.devNull, 'cache')), 'v1'), null);
  assert.equal(keptIndexes(environment()), null);
});

test('where there is too much, what was written first is deleted', () => {
  const env = environment();
  const parts = packIndex({ functions: [], members: new Set(), imports: [] });
  storeIn(env).write('old', '.js', parts);
  const [old = ''] = readdirSync(folderIn(env));
  truncateSync(path.join(folderIn(env), old), 129 * 1024 * 1024);
  utimesSync(path.join(folderIn(env), old), 1, 1);
  storeIn(env).write('new', '.js', parts);
  assert.equal(storeIn(env).read('old', '.js'), undefined);
  assert.equal(storeIn(env).read('new', '.js'), parts);
});
