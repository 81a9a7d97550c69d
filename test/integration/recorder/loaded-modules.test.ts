import assert from 'node:assert/strict';
import path from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import { reportOf } from '../../helpers/report-schema.ts';
import { testedVersions } from '../../helpers/node-versions.ts';
import { mapsOf, program, recorded } from './recorded.ts';
import type { WrittenMapLine } from '../../../protocol/recording-lines.ts';

/** What a loader makes of `cart.ts`: its types are gone, and so its function stands elsewhere. */
const typed = 'interface Cart {\n  id: number;\n}\n\nexport function total(work: Work) {\n  work(30);\n}\n';
const plain = 'export function total(work) {\n  work(30);\n}\n';
const spinning =
  'export function total() {\n  let sum = 0;\n  for (let i = 0; i < 100_000_000; i += 1) sum += Math.sqrt(i);\n  return sum;\n}\n';
const fileMap = '{"version":3,"sources":["cart.ts"],"names":[],"mappings":"AAAA"}';
const inlineMap = `//# sourceMappingURL=data:application/json;base64,${Buffer.from('cart').toString('base64')}`;

/** A loader by hooks of Node's, in a thread of its own. */
const hooksOf = (made: string): string => `
  export const load = (url, context, next) => url.endsWith('cart.ts')
    ? { format: 'module', shortCircuit: true, source: ${JSON.stringify(made)} }
    : next(url, context);
`;
const files = {
  'cart.ts': typed,
  'register.mjs': `import { register } from 'node:module';\nregister('./hooks.mjs', import.meta.url);\n`,
};

const own = (lines: readonly WrittenMapLine[], folder: string): readonly WrittenMapLine[] =>
  lines.filter(({ url }) => url.startsWith(pathToFileURL(folder).href));

for (const { node, version } of testedVersions()) {
  test(`what a loader made without a map is kept as text, though vm has not compiled it (Node ${version})`, async (t) => {
    const folder = program(t, {
      ...files,
      'hooks.mjs': hooksOf(plain),
      'program.mjs': `
        import './register.mjs';
        import busy from './busy.js';
        const { total } = await import('./cart.ts');
        total(busy.busyTarget);
      `,
    });
    const { directory } = await recorded(folder, [node, 'program.mjs']);
    const url = pathToFileURL(path.join(folder, 'cart.ts')).href;
    assert.deepEqual(own(mapsOf(directory), folder), [{ url, text: plain }]);
  });

  for (const end of ['ends by itself', 'is ended by its program']) {
    test(`a worker thread that ${end} keeps the maps of its modules (Node ${version})`, async (t) => {
      const folder = program(t, {
        ...files,
        'hooks.mjs': hooksOf(`${plain}${inlineMap}`),
        'worker.mjs': `
          import { parentPort } from 'node:worker_threads';
          import busy from './busy.js';
          const { total } = await import('./cart.ts');
          total(busy.busyTarget);
          parentPort.postMessage('done');
          ${end === 'ends by itself' ? '' : 'setInterval(() => {}, 1000);'}
        `,
        'program.mjs': `
          import { Worker } from 'node:worker_threads';
          const worker = new Worker(new URL('worker.mjs', import.meta.url));
          worker.on('message', () => setTimeout(() => ${end === 'ends by itself' ? '{}' : 'worker.terminate()'}, 600));
        `,
      });
      const { directory } = await recorded(folder, [node, '--import', './register.mjs', 'program.mjs']);
      const url = pathToFileURL(path.join(folder, 'cart.ts')).href;
      assert.deepEqual(own(mapsOf(directory), folder), [{ url, map: 'cart' }]);
    });
  }

  for (const map of ['with', 'without']) {
    const isSeen = map === 'with' && !version.startsWith('20.');
    const kept = isSeen ? 'keeps its map' : 'is said to be gone';
    test(`a module ${map} a map that is built, run and deleted ${kept} (Node ${version})`, async (t) => {
      const text = `${spinning}${map === 'with' ? '//# sourceMappingURL=chunk.mjs.map' : ''}`;
      const tool = 'node_modules/tool/build.mjs';
      const folder = program(t, {
        [tool]: `
          import { rmSync, writeFileSync } from 'node:fs';
          import { pathToFileURL } from 'node:url';
          await new Promise((resolve) => setTimeout(resolve, 50));
          const files = ['chunk.mjs', 'chunk.mjs.map'];
          writeFileSync(files[0], ${JSON.stringify(text)});
          writeFileSync(files[1], ${JSON.stringify(fileMap)});
          const { total } = await import(pathToFileURL(files[0]).href);
          total();
          await new Promise((resolve) => setTimeout(resolve, 50));
          for (const file of files) rmSync(file);
        `,
      });
      const { directory } = await recorded(folder, [node, tool]);
      const url = pathToFileURL(path.join(folder, 'chunk.mjs')).href;
      assert.deepEqual(own(mapsOf(directory), folder), [isSeen ? { url, map: fileMap } : { url, gone: text }]);
      if (isSeen) return;
      const report = await reportOf(directory, folder);
      const precisions = report.lines.filter((line) => line.url === url).map(({ precision }) => precision);
      assert.deepEqual(new Set(precisions), new Set(['shared']));
      assert.match(report.warnings.join(), /chunk\.mjs was deleted/);
    });
  }
}
