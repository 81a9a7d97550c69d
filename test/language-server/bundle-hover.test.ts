import assert from 'node:assert/strict';
import { mkdtemp, mkdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { fileMarksRequest } from '../../protocol/requests.ts';
import { assertEach } from '../helpers/assert-each.ts';
import { startLanguageClient, uriOf } from '../helpers/language-client.ts';

const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'hotspan-bundle-')));
const source = path.join(folder, 'src/part.ts');
const bundle = path.join(folder, 'dist/app.mjs');
await mkdir(path.dirname(source));
await writeFile(path.join(folder, 'package.json'), '{ "name": "shop" }');
await writeFile(path.join(folder, 'src/main.ts'), `import { part } from './part.ts';\nconsole.log(part);\n`);
const text = `// The first line.\n\nexport const part: number = [1, 2, 3].sort()[0];\n`;
await writeFile(source, text);
await mkdir(path.dirname(bundle));
// As esbuild 0.28 makes them.
const mapped = {
  version: 3,
  sources: ['../src/part.ts', '../src/main.ts'],
  sourcesContent: [text, `import { part } from './part.ts';\nconsole.log(part);\n`],
  mappings: ';AAEO,IAAM,OAAe,CAAC,GAAG,GAAG,CAAC,EAAE,KAAK,EAAE,CAAC;;;ACD9C,QAAQ,IAAI,IAAI;',
  names: [],
};
const script = `// src/part.ts
var part = [1, 2, 3].sort()[0];

// src/main.ts
console.log(part);
//# sourceMappingURL=app.mjs.map
`;
await writeFile(bundle, script);
await writeFile(`${bundle}.map`, JSON.stringify(mapped));
const client = await startLanguageClient(folder);
after(async () => {
  await client.close();
  await rm(folder, { recursive: true, force: true });
});

test("a marked line of a bundle's body has the hover of that body", async () => {
  const profile = path.join(folder, 'a.cpuprofile');
  await writeFile(profile, JSON.stringify(profileOf(pathToFileURL(bundle).href)));
  await client.openRecording(profile);
  const { marks } = await client.ask(fileMarksRequest, { uri: uriOf(source) });
  assertEach(marks, ({ line, text }) => [line, text], [[2, '≈20 ms · 1× · 1 stack']]);
  assert.match(await client.hover(source, 2), /^\*\*app\\\.mjs.+ ≈20 ms worst[\s\S]*20 samples behind the worst/);
  assert.equal(await client.hover(source, 0), '');
});

/** The bundle's body works for 20 ms on its second line. */
function profileOf(url: string): unknown {
  const frame = (functionName: string, from: string, line: number) => {
    return { functionName, scriptId: '1', url: from, lineNumber: line, columnNumber: line };
  };
  return {
    nodes: [
      { id: 1, callFrame: frame('(root)', '', -1), hitCount: 0, children: [2, 3] },
      { id: 2, callFrame: frame('(idle)', '', -1), hitCount: 2 },
      { id: 3, callFrame: frame('', url, 0), hitCount: 20, positionTicks: [{ line: 2, ticks: 20 }] },
    ],
    startTime: 1_000_000,
    endTime: 1_022_000,
    samples: [2, ...Array.from({ length: 20 }, () => 3), 2],
    timeDeltas: Array.from({ length: 22 }, () => 1000),
  };
}
