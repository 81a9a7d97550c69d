import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { assertEach } from '../helpers/assert-each.ts';
import { startLanguageClient } from '../helpers/language-client.ts';
import { placedProfile } from '../helpers/placed-profile.ts';
import { temporaryProject } from '../helpers/temporary-project.ts';

const text = '// The first line.\n\nexport const part: number = [1, 2, 3].sort()[0];\n';
const main = "import { part } from './part.ts';\nconsole.log(part);\n";
// As esbuild 0.28 makes them.
const mapped = {
  version: 3,
  sources: ['../src/part.ts', '../src/main.ts'],
  sourcesContent: [text, main],
  mappings: ';AAEO,IAAM,OAAe,CAAC,GAAG,GAAG,CAAC,EAAE,KAAK,EAAE,CAAC;;;ACD9C,QAAQ,IAAI,IAAI;',
  names: [],
};
const script = `// src/part.ts
var part = [1, 2, 3].sort()[0];

// src/main.ts
console.log(part);
//# sourceMappingURL=app.mjs.map
`;
const folder = temporaryProject({
  ...{ 'package.json': '{ "name": "shop" }', 'src/part.ts': text, 'src/main.ts': main },
  ...{ 'dist/app.mjs': script, 'dist/app.mjs.map': JSON.stringify(mapped) },
});
const client = await startLanguageClient(folder);
after(client.close);

test("a marked line of a bundle's body has the hover of that body", async () => {
  const profile = path.join(folder, 'a.cpuprofile');
  const body = { name: '', url: pathToFileURL(path.join(folder, 'dist/app.mjs')).href, column: 0 };
  const rows = `(idle) ${'body:2 '.repeat(20)} (idle)`;
  writeFileSync(profile, placedProfile(rows, { functions: { body }, sampleMs: 1 }));
  const source = path.join(folder, 'src/part.ts');
  await client.openRecording(profile);
  assertEach(await client.marks(source), ({ line, text }) => [line, text], [[2, '≈20 ms · 1× · 1 stack']]);
  assert.match(await client.hover(source, 2), /^\*\*app\\\.mjs.+ ≈20 ms worst[\s\S]*20 samples behind the worst/);
  assert.equal(await client.hover(source, 0), '');
});
