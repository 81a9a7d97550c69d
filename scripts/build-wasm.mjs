// `npm run wasm`: compiles what is written in AssemblyScript into files that are kept in the repository, so that tests
// run the sources as they are. test/contract/wasm.test.ts proves that they belong together.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { compiledFiles } from './compile-wasm.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
await Promise.all((await compiledFiles()).map(({ file, text }) => writeFile(path.join(root, file), text)));
