import asc from 'assemblyscript/asc';
import binaryen from 'binaryen';
import { transformSync } from 'esbuild';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const made = 'made from `wasm/` by `npm run wasm`, not to be edited.';

/** The files that are made from AssemblyScript, with their texts. Throws where the compiler complains on stderr. */
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
  const { error } = await asc.main(
    [
      source,
      '--baseDir',
      root,
      '--outFile',
      'main.wasm',
      ...`-O3 --runtime stub --noAssert --use abort= ${options}`.split(' '),
    ],
    {
      stderr: process.stderr,
      writeFile: (_name, contents) => {
        binary = contents;
      },
    },
  );
  if (error !== null) throw error;
  return binary;
}

function moduleText(name, binary) {
  return [
    `/** WebAssembly, in base64: ${made} */`,
    `export const ${name} =\n  '${Buffer.from(binary).toString('base64')}';\n`,
  ].join('\n');
}

/** The same in JavaScript: a function that makes an instance. */
function scriptText(name, binary) {
  const module = binaryen.readBinaryWithFeatures(binary, binaryen.Features.All);
  const text = module.emitAsmjs();
  module.dispose();
  const [, body] = /^function asmFunc\(imports\) (\{\n.*?^\})$/ms.exec(text) ?? [];
  if (body === undefined) throw new Error('binaryen writes its script in another way now');
  const { code } = transformSync(`export function ${name}() ${body}`, { minify: true });
  return ['// @ts-nocheck -- it has no types', `/** JavaScript: ${made} */`, code].join('\n');
}
