import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawLog } from '../../../../helpers/drawn-log.ts';
import { readLog } from '../../../../helpers/stacks-of-log.ts';

/** What stands in the log between the size and the address behind it; the function that it is of: at 2:9, or elsewhere. */
const names: Readonly<Record<string, readonly [text: string, name: string, url: string, place?: readonly number[]]>> = {
  'a plain one': ['add /app/a.js:3:10', 'add', '/app/a.js'],
  'none: an arrow function': [' /app/a.js:3:10', '', '/app/a.js'],
  'a module': ['add file:///app/a%20b.mjs:3:10', 'add', 'file:///app/a%20b.mjs'],
  'one with commas and a line break': ['a,0x1,b\nc /app/a.js:3:10', 'a,0x1,b\nc', '/app/a.js'],
  'one that looks like a record': [
    'x\ntick,0x1000,5,0,0x0,0\n /app/a.js:3:10',
    'x\ntick,0x1000,5,0,0x0,0\n',
    '/app/a.js',
  ],
  'one with blanks': ['get a b /app/a.js:3:10', 'get a b', '/app/a.js'],
  'a path with blanks': ['add /my app/a b.js:3:10', 'add', '/my app/a b.js'],
  'a path with a comma': ['add /app/a\\x2Cb\\\\\\u00e9.js:3:10', 'add', '/app/a,b\\é.js'],
  'a path of Windows': ['add C:\\\\app\\\\a.js:3:10', 'add', 'C:\\app\\a.js'],
  'of an eval': ['add :1:13', 'add', '', [0, 12]],
  "Node's own": [
    'Module._load node:internal/modules/cjs/loader:3:10',
    'Module._load',
    'node:internal/modules/cjs/loader',
  ],
  hostile: ['__proto__ /app/a.js:3:10', '__proto__', '/app/a.js'],
  'control characters': ['a\u0000\u001b[31m\r /app/a.js:3:10', 'a\u0000\u001b[31m\r', '/app/a.js'],
  'other scripts': ['größe😀 /app/ü.js:3:10', 'größe😀', '/app/ü.js'],
  'a place that no file has': ['add /app/a.js:99999999999:4294967299', 'add', '/app/a.js', [-1, -1]],
  WebAssembly: ['wasm-function[3]', 'wasm-function[3]', '', [-1, -1]],
};

for (const [what, [text, functionName, url, [line, column] = [2, 9]]] of Object.entries(names)) {
  test(`the name of a function: ${what}`, async () => {
    const record = `code-creation,JS,9,5,0x1000,100,${text},0xabc,~`;
    const log = `v8-version,13,6,233,17,-node.53,0\n${record}\ntick,0x1010,9,0,0x0,0\n`;
    const { profile, warnings } = await readLog(log);
    assert.deepEqual(profile.frames.at(-1), { functionName, url, line, column });
    assert.deepEqual(warnings, []);
  });
}

test('the name of a script tells where the names of its functions end', async () => {
  const log = drawLog(`
    code-creation,Script,9,5,0x1000,100, odd /name of a script:1:1,0xa,~
    code-source-info,0x1000,3,0,90,C0O0,,
    code-creation,JS,9,5,0x2000,100,f odd /name of a script:1:5,0xb,~
    code-source-info,0x2000,3,4,90,C0O0,,
    tick 2010 1010`);
  const { profile } = await readLog(log);
  assert.deepEqual(profile.frames.map(({ functionName, url }) => [functionName, url]).slice(-2), [
    ['', 'odd /name of a script'],
    ['f', 'odd /name of a script'],
  ]);
});
