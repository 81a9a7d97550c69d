import asc from 'assemblyscript/asc';
import { fileURLToPath } from 'node:url';

const options = '-O3 --runtime stub --noAssert --enable simd --initialMemory 128 --use abort='.split(' ');

/** The text of engine/import/cpuprofile/plain-module.ts. Throws where the compiler complains, which it does on stderr. */
export async function compiledModule() {
  const root = fileURLToPath(new URL('..', import.meta.url));
  let binary = new Uint8Array(0);
  const { error } = await asc.main(
    ['engine/import/cpuprofile/wasm/main.ts', '--baseDir', root, '--outFile', 'main.wasm', ...options],
    {
      stderr: process.stderr,
      writeFile: (_name, contents) => {
        binary = contents;
      },
    },
  );
  if (error !== null) throw error;
  return [
    '/** WebAssembly, in base64: made from `wasm/` by `npm run wasm`, not to be edited. */',
    `export const plainModule =\n  '${Buffer.from(binary).toString('base64')}';\n`,
  ].join('\n');
}
