import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Remedy, remediesFor } from '../../words/remedies.ts';
import { asked } from '../helpers/remedy-examples.ts';

/** The code of the first remedy at the line with `// ←`. */
const fixOf = (source: string): string | null => remedyAt(source)?.fix ?? null;

function remedyAt(source: string): Remedy | undefined {
  const lines = source.split('\n').map((line) => line.replace(' // ←', ''));
  const line = source.split('\n').findIndex((text) => text.includes('// ←'));
  return remediesFor(asked(lines.join('\n'), line))[0];
}

test('code replaces a line where the line is nothing but what it replaces', () => {
  const head = 'const base = { a: 1 };\nconst rows = [...given];\nlet all = [];\nlet map = {};\n';
  const replaced = (line: string): string | null => remedyAt(`${head}${line} // ←`)?.replacement ?? null;
  const code = (line: string): string | undefined => replaced(line)?.split('\n').at(-1);
  assert.equal(code('all = [...all, row];'), 'all.push(row);');
  assert.equal(code('map = { ...map, [id]: (map[id] ?? 0) + all.length };'), 'map[id] = (map[id] ?? 0) + all.length;');
  assert.equal(code('use(JSON.parse(raw), JSON.parse(JSON.stringify(base)));'), 'use(JSON.parse(raw), { ...base });');
  assert.equal(code('if (!all) {}\nrun(JSON.parse(JSON.stringify(rows)));'), 'run(rows.map((item) => ({ ...item })));');
  for (const line of notReplaced.trim().split(/ \| |\n/)) assert.equal(replaced(line.replace(' ¶ ', '\n')), null, line);
});

/** Lines of code, behind another one where a `¶` is between them. */
const notReplaced = `
given.forEach((row) => { all = [...all, row]; }); | row && (all = [...all, row]); | n++; all = [...all, n]; | next = (all = [...all, row]);
all = [...all, row], n++; | all = (n++, [...all, row]); | if (n) all = [...all, n]; | all = [...all, row]; // last | all = [/* old */ ...all, row];
all = [...all, await row]; | all = [...all, all]; | all = [...all, all.pop()]; | all = [...all, ,]; | given = [...given, row];
map = { ...map, ...row }; | let own = new Set(); ¶ own = [...own, row]; | all = load(); ¶ all = [...all, row]; | [all] = [0]; ¶ all = [...all, row];
for (all of given); ¶ all = [...all, row]; | let own = { get a() {} }; ¶ own = { ...own, b: 1 };
use(given.map(() => JSON.parse(JSON.stringify(base)))); | JSON.parse(JSON.stringify(rows)).forEach(use);
use(JSON.parse(JSON.stringify(base /* all */))); | use(JSON.parse(base), JSON.stringify(base)); | use(JSON.parse(JSON.stringify(base))); use();
const own = { at: new Date() }; ¶ use(JSON.parse(JSON.stringify(own))); | const own = ['a']; ¶ use(JSON.parse(JSON.stringify(own)));
`;

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
  const ofFs = [
    ...['fs.openSync(file);', 'fs.readFileSync(0);', 'fs.readFileSync(process.stdin.fd);', 'fs.readFileSync(file;'],
    'fs.statSync(file, { throwIfNoEntry: false });',
    'class Page { text = fs.readFileSync(file); }',
    'class Page { static { fs.readFileSync(file); } }',
  ].map((line) => ["fs from 'node:fs'", line]);
  for (const [from, line] of [
    ["{ readFileSync } from 'node:fs'", 'files.map((file) => readFileSync(file));'],
    ["{ readFileSync } from 'node:fs'", 'class Page { constructor(file) { this.text = readFileSync(file); } }'],
    ["{ readFileSync, readFile } from 'node:fs'", 'return readFileSync(file);'],
    ["fs from 'fs-extra'", 'return fs.readFileSync(file);'],
    ["{ gzipSync as pack } from 'node:zlib';\nimport zlib from './zlib.js'", 'return zlib.gzipSync(file);'],
    ...ofFs,
  ])
    assert.equal(remedyAt(`import ${from};\nasync function load(file) {\n${line} // ←\n}`)?.fix, null, line);
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
  assert.equal(fixOf(source.replace('const products', 'products = 1;\n  let products')), null);
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
  assert.match(fixOf(source) ?? '', / = await import\('node:timers/);
  assert.match(fixOf(`export ${source}`) ?? '', /^import \{ setImmediate as nextTurn \}/);
  assert.match(fixOf(`require('a');\n${source}`) ?? '', / = require\('node:timers/);
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
