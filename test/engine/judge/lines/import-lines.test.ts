import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hotspotsIn, hotspotsOf, ms } from '../../../helpers/drawn-hotspots.ts';
import { drawProfile } from '../../../helpers/drawn-profile.ts';

/** `app.ts` loads something for 3 ms; its import lines, each with what it loads. */
async function loadedBy(source: string, loaded: string): Promise<readonly unknown[]> {
  const { report } = await hotspotsIn({
    '/app/src/app.ts': source,
    '/rec/7-0-x.0.cpuprofile': JSON.stringify(
      drawProfile(`
        app.ts#<module>                app.ts#<module>                app.ts#<module>
        node:internal/modules/cjs#load node:internal/modules/cjs#load node:internal/modules/cjs#load
        ${`${loaded}#<module> `.repeat(3)}
        node:internal/modules/cjs#load node:internal/modules/cjs#load node:internal/modules/cjs#load
      `),
    ),
  });
  return report.imports.map(({ url, line, us, precision }) => [url, line, us, precision]);
}

const appUrl = 'file:///app/src/app.ts';

test('what a module took to load stands on the line that imports it', async () => {
  assert.deepEqual(await loadedBy("import fs from 'fs';\nimport { sum } from './lib.js';\n", 'lib.ts'), [
    [appUrl, 2, ms(3), 'exact'],
  ]);
});

test('a package is loaded by the line that names its file, else by any that names it', async () => {
  const source = "const get = require('lodash/get');\nconst map = require('lodash/map');\n";
  assert.deepEqual(await loadedBy(source, 'lodash/map.js'), [[appUrl, 2, ms(3), 'exact']]);
  assert.deepEqual(await loadedBy(source, 'lodash/core.js'), [
    [appUrl, 1, ms(3), 'oneOf'],
    [appUrl, 2, ms(3), 'oneOf'],
  ]);
});

for (const [what, source] of [
  ['export … from', "export * from './lib.ts';"],
  ['import()', "export const later = () => import('./lib.ts');"],
  ['import = require()', "import lib = require('./lib');"],
  ['a name that a tool resolves', "import lib from '@/src/lib';"],
] as const) {
  test(`a module can be loaded by ${what}`, async () => {
    assert.deepEqual(await loadedBy(`\n${source}\n`, 'lib.ts'), [[appUrl, 2, ms(3), 'exact']]);
  });
}

test('an import of types loads nothing, nor does a module of the same name elsewhere', async () => {
  assert.deepEqual(await loadedBy("import type { Sum } from './lib.ts';\nimport '../lib.ts';\n", 'lib.ts'), []);
});

test('what took less than the threshold to load stands on no line', async () => {
  const { report } = await hotspotsOf(
    `
    app.ts#<module>
    node:internal/modules/cjs#load
    lib.ts#<module>
    node:internal/modules/cjs#load
  `,
  );
  assert.deepEqual([report.modules.length, report.imports], [2, []]);
});
