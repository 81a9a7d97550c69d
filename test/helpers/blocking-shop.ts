import { busyFor } from './busy-for.ts';
import type { Files } from './temporary-repository.ts';

/** The text of a function that blocks for so many ms. */
export const work = (name: string, ms: number | string): string => `
function ${name}() {
  // Busy:
  let sum = 0;
  ${busyFor(ms, 'sum += Math.sqrt(step)')}
  return sum;
}
`;

/** A module whose `quote` blocks for so many ms, `rank` for 40. */
export const blockingShop = (ms: number): string =>
  `${work('quote', ms)}${work('rank', 40)}module.exports = { quote, rank };\n`;

/** A package whose tests call both. */
export const shopFiles: Files = {
  'package.json': '{ "name": "shop", "scripts": { "test": "node --test shop.test.js" } }\n',
  'shop.js': blockingShop(70),
  'shop.test.js': `
const { test } = require('node:test');
const { quote, rank } = require('./shop.js');
test('quotes', () => new Promise((resolve) => setTimeout(() => resolve(quote()), 5)));
test('ranks', () => new Promise((resolve) => setTimeout(() => resolve(rank()), 5)));
`,
};
