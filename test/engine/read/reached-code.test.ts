import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reachedCode } from '../../../engine/read/source-code/reached-code.ts';

/** The code that the line with `from` reaches, each part on one line, by file. */
async function reachedFrom(files: Readonly<Record<string, string>>, from: string) {
  const [path = '', text = ''] = Object.entries(files).find(([, one]) => one.includes(from)) ?? [];
  const start = text.indexOf(from);
  const roots = [{ path, names: [], range: [start, start + from.length] as const }];
  const reached = await reachedCode(roots, async (one) => files[one] ?? null);
  const plain = (one: string): string => one.replaceAll(/\s+/g, ' ').trim();
  return Object.fromEntries(
    [...reached].map(([file, parts]) => [
      file,
      parts.map(({ start: begin, end }) => plain((files[file] ?? '').slice(begin, end))),
    ]),
  );
}

test('a function reaches what it names in its file, and not its neighbours', async () => {
  const text = `
import { readFileSync, statSync } from 'node:fs';
const rate = 1.2, limit = 5;
const seen = new Map();
seen.set('a', 1);
function price(item) { return item.net * rate + extra(item); }
function extra(item) { return seen.get(item.id); }
function rank(items) { return items.slice(0, limit); }
module.exports = { price, rank };
interrupt();
`;
  assert.deepEqual(await reachedFrom({ '/a.js': text }, 'item.net'), {
    '/a.js': [
      'rate = 1.2',
      'seen = new Map()',
      "seen.set('a', 1);",
      'function price(item) { return item.net * rate + extra(item); }',
      'function extra(item) { return seen.get(item.id); }',
      'price',
    ],
  });
});

test('it reaches what it imports, under another name too, and only that', async () => {
  const files = {
    '/src/cart.ts': `
import type { Item } from './types.ts';
import { total as sum, other } from './sums.js';
export function price(items: Item[]) { return sum(items); }
export const unused = other;
`,
    '/src/sums.ts': `
export { total } from './lib/index.js';
export function other() {}
`,
    '/src/lib/index.ts': `
export const total = (items) => items.reduce(add, 0);
const add = (a, b) => a + b.net;
export default class Sums { count() { return 1; } }
`,
  };
  assert.deepEqual(await reachedFrom(files, 'return sum'), {
    '/src/cart.ts': ['total as sum', 'export function price(items: Item[]) { return sum(items); }'].map((one) =>
      one.replace('export ', ''),
    ),
    '/src/sums.ts': ['total'],
    '/src/lib/index.ts': [
      'total = (items) => items.reduce(add, 0)',
      'add = (a, b) => a + b.net',
      'class Sums {'.replace(' {', ''),
    ],
  });
});

test('a method reaches its class and the methods that it names, and a file is loaded where it is called', async () => {
  const files = {
    '/cart.js': `
class Cart extends Base {
  lines = [];
  constructor(id) { this.id = id; }
  total() { return this.sum() + require('./tax').of(this); }
  sum() { return this.lines.length; }
  print() { return this.id; }
}
class Base {}
`,
    '/tax.js': "const { of: two, never } = require('./rates');\nexports.of = (cart) => two;\nexports.never = never;\n",
    '/rates.js': 'exports.of = 2;\nexports.never = 1;\n',
  };
  assert.deepEqual(await reachedFrom(files, 'this.sum()'), {
    '/cart.js': [
      'class Cart extends Base',
      'lines = [];',
      'constructor(id) { this.id = id; }',
      "total() { return this.sum() + require('./tax').of(this); }",
      'sum() { return this.lines.length; }',
      'class Base',
    ],
    '/tax.js': ['of: two', 'exports.of = (cart) => two'],
    '/rates.js': ['exports.of = 2'],
  });
});

test('a file that is not a program counts as a whole', async () => {
  const reached = await reachedFrom({ '/a.vue': '<script>\nfunction a() { b(; }\n</script>' }, 'b(;');
  assert.equal(reached['/a.vue']?.length, 1);
});
