// `npm run wasm`: compiles engine/import/cpuprofile/wasm/ into engine/import/cpuprofile/plain-module.ts, which is kept in the repository, so
// that tests run the sources as they are. test/contract/wasm.test.ts proves that the two belong together.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { compiledModule } from './compile-wasm.mjs';

await writeFile(
  path.join(fileURLToPath(new URL('..', import.meta.url)), 'engine/import/cpuprofile/plain-module.ts'),
  await compiledModule(),
);
