import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { compiled, startOf, totalIsAt } from './compiled-cart.ts';
import { projectFile } from '../../../helpers/project.ts';
import { temporaryProject } from '../../../helpers/temporary-project.ts';

test('a CommonJS bundle maps with mappings.wasm beside it, wherever it is copied', async () => {
  const dir = temporaryProject({});
  const { code, map } = await compiled(false);
  const start = startOf(code, 'total');
  await build({
    stdin: {
      contents: `import { SourceMapper } from './engine/read/sourcemap/source-mapper.ts';
        const mapper = new SourceMapper([{ url: '/app/src/cart.js', map: ${JSON.stringify(map)} }], async () => null);
        mapper.functions('/app/src/cart.js', [${JSON.stringify(start)}]).then(([origin]) => console.log(origin.url + ':' + (origin.line + 1) + ' ' + origin.name));`,
      resolveDir: projectFile('.'),
    },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    outfile: join(dir, 'bundle.cjs'),
    logLevel: 'silent',
  });
  const wasm = await readFile(projectFile('node_modules/source-map/lib/mappings.wasm'));
  await writeFile(join(dir, 'mappings.wasm'), wasm);
  const { stdout } = await promisify(execFile)(process.execPath, [join(dir, 'bundle.cjs')], { cwd: '/' });
  assert.equal(stdout.trim(), totalIsAt);
});
