// `npm run wasm`: compiles the AssemblyScript sources into files that are kept in the repository, so that tests need no
// build. test/contract/wasm.test.ts checks that they are up to date.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';
import binaryen from 'binaryen';
import { transformSync } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const made = 'made from `wasm/` by `npm run wasm`, not to be edited.';

if (process.argv[1] === import.meta.filename)
  await Promise.all((await compiledFiles()).map(({ file, text }) => writeFile(path.join(root, file), text)));

/** The compiled files with their texts. Throws if the compiler fails, which says why on stderr. */
export async function compiledFiles() {
  const decoder = await compile('engine/read/import/cpuprofile/wasm/main.ts', '--enable simd --initialMemory 128');
  const kernel = await compile('engine/basics/kernel/wasm/main.ts', '--disable nontrapping-f2i --disable bulk-memory');
  return [
    { file: 'engine/read/import/cpuprofile/plain-module.ts', text: moduleText('plainModule', decoder) },
    { file: 'engine/basics/kernel/kernel-module.ts', text: moduleText('kernelModule', kernel) },
    { file: 'engine/basics/kernel/kernel-script.ts', text: scriptText('kernelScript', kernel) },
  ];
}

async function compile(source, options) {
  let binary = new Uint8Array(0);
  const given = `-O3 --runtime stub --noAssert --use abort= ${options}`.split(' ');
  const { error } = await asc.main([source, '--baseDir', root, '--outFile', 'main.wasm', ...given], {
    stderr: process.stderr,
    writeFile: (_name, contents) => {
      binary = contents;
    },
  });
  if (error !== null) throw error;
  return binary;
}

function moduleText(name, binary) {
  return [
    `/** WebAssembly, in base64: ${made} */`,
    `export const ${name} =\n  '${Buffer.from(binary).toString('base64')}';\n`,
  ].join('\n');
}

/** The module as JavaScript: a function that creates an instance. */
function scriptText(name, binary) {
  const module = binaryen.readBinaryWithFeatures(binary, binaryen.Features.All);
  const text = module.emitAsmjs();
  module.dispose();
  const [, body] = /^function asmFunc\(imports\) (\{\n.*?^\})$/ms.exec(text) ?? [];
  if (body === undefined) throw new Error('The output format of binaryen has changed.');
  const { code } = transformSync(`export function ${name}() ${body}`, { minify: true });
  return ['// @ts-nocheck -- it has no types', `/** JavaScript: ${made} */`, code].join('\n');
}
