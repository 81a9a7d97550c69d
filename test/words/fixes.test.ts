import assert from 'node:assert/strict';
import { test } from 'node:test';
import { remediesFor } from '../../words/remedies.ts';
import { asked } from '../helpers/remedy-examples.ts';

/** The code of the first remedy at the line with `// ←`. */
function fixOf(source: string): string | null {
  const lines = source.split('\n').map((line) => line.replace(' // ←', ''));
  const line = source.split('\n').findIndex((text) => text.includes('// ←'));
  return remediesFor(asked(lines.join('\n'), line))[0]?.fix ?? null;
}

test('a call of node:fs is written by its promise, with the names and the statement of the person', () => {
  const named = `import { readFileSync } from 'node:fs';
async function load(file) {
  const text = readFileSync(file, 'utf8'); // ←
}`;
  assert.equal(
    fixOf(named),
    "import { readFile } from 'node:fs/promises';\n\nconst text = await readFile(file, 'utf8');",
  );
  const member = `const fs = require('fs');
exports.load = 1;
function load(file) {
  return JSON.parse(fs.readFileSync(file, 'utf8').trim()); // ←
}`;
  assert.equal(
    fixOf(member),
    "return JSON.parse((await fs.promises.readFile(file, 'utf8')).trim()); // in an async function",
  );
});

test('zlib and crypto are written by promisify', () => {
  const source = `import { gzipSync } from 'node:zlib';
export function compressed(text: string) {
  return gzipSync(text, { level: 9 }); // ←
}`.replace(': string', '');
  assert.equal(
    fixOf(source),
    `import { gzip } from 'node:zlib';
import { promisify } from 'node:util';

return await promisify(gzip)(text, { level: 9 }); // in an async function`,
  );
  const member =
    "const crypto = require('crypto');\nasync function key(secret, salt) {\n  return crypto.scryptSync(secret, salt, 32); // ←\n}";
  assert.equal(
    fixOf(member),
    "const { promisify } = require('node:util');\n\nreturn await promisify(crypto.scrypt)(secret, salt, 32);",
  );
});

test('there is no code where the function around cannot wait, or a name is not certain', () => {
  const callback = `import { readFileSync } from 'node:fs';
const texts = files.map((file) => {
  return readFileSync(file, 'utf8'); // ←
});`;
  const inConstructor = `import { readFileSync } from 'node:fs';
class Page { constructor(file) {
  this.text = readFileSync(file, 'utf8'); // ←
} }`;
  const taken = `import { readFileSync, readFile } from 'node:fs';
function load(file) {
  return readFileSync(file, 'utf8'); // ←
}`;
  const otherModule = `import fs from 'fs-extra';
function load(file) {
  return fs.readFileSync(file, 'utf8'); // ←
}`;
  const renamed = `import { gzipSync as pack } from 'node:zlib';
import zlib from './zlib.js';
function load(text) {
  return zlib.gzipSync(text); // ←
}`;
  const byNumber = `import fs from 'node:fs';
function load(file) {
  return fs.openSync(file); // ←
}`;
  const broken = `import fs from 'node:fs';
function load(file) {
  return fs.readFileSync(file; // ←
}`;
  for (const source of [callback, inConstructor, taken, otherModule, renamed, byNumber, broken])
    assert.equal(fixOf(source), null, source);
});

test('a clone of what the source shows to be a list is a copy of its items', () => {
  const source = `function snapshot(stored) {
  const products = [...stored.values()];
  return JSON.parse(JSON.stringify(products)); // ←
}`;
  assert.equal(
    fixOf(source),
    '// where its items are plain objects; what lies deeper stays shared\nreturn products.map((item) => ({ ...item }));',
  );
  assert.equal(fixOf('function copy(catalogue) {\n  return JSON.parse(JSON.stringify(catalogue)); // ←\n}'), null);
  assert.notEqual(fixOf(`function other(products) {}\n${source}`), null);
  assert.equal(fixOf(source.replace('function snapshot(stored)', 'function snapshot(stored, products = 1)')), null);
  assert.equal(fixOf(source.replace('const products', 'let products')), null);
});

test('what grows by copies is added to', () => {
  assert.equal(
    fixOf('let all = [];\nall = [...all, row.id, row.name]; // ←'),
    '// where no other code holds all yet\nall.push(row.id, row.name);',
  );
  assert.equal(
    fixOf('let byId = {};\nbyId = { ...byId, [row.id]: row }; // ←'),
    '// where no other code holds byId yet\nbyId[row.id] = row;',
  );
  assert.equal(fixOf('let all = [];\nall = [...all, ...rows]; // ←'), null);
});

test('JSON in a loop: the loop lets others run, by time', () => {
  const source = `async function parseAll(lines) {
  for (const line of lines) {
    rows.push(JSON.parse(line)); // ←
  }
}`;
  assert.match(
    fixOf(source) ?? '',
    /^for \(const line of lines\) \{\n  if \(performance\.now\(\) > until\) \{\n    await nextTurn\(\);/m,
  );
  assert.equal(fixOf(source.replace('for (const', 'for await (const')), null);
  assert.equal(fixOf(source.replace('rows.push(JSON.parse(line))', 'each(() => rows.push(JSON.parse(line)))')), null);
});

test('a text that would end the code of a hover gives no code', () => {
  const source = "import { gzipSync } from 'node:zlib';\nfunction pack() {\n  return gzipSync('```'); // ←\n}";
  assert.equal(fixOf(source), null);
  assert.notEqual(fixOf(source.replace('```', '``')), null);
});

test('a line that waited is told nothing of what computes', () => {
  const source =
    "const html = readFileSync(file.replace(/[^.]+$/, 'html'), 'utf8');\nimport { readFileSync } from 'node:fs';";
  const pages = (waited: boolean) => remediesFor({ ...asked(source, 0), waited }).map(({ page }) => page);
  assert.deepEqual(pages(true), ['files']);
  assert.deepEqual(pages(false), ['files', 'regular-expressions']);
});
