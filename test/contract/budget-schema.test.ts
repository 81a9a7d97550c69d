import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Ajv } from 'ajv';
import manifest from '../../package.json' with { type: 'json' };
import { budgetFile } from '../../protocol/budget.ts';
import { isRecord, parseJson } from '../../protocol/json-value.ts';
import { milliseconds } from '../../protocol/units.ts';
import { budgetText, parseBudget } from '../../protocol/formats/parse-budget.ts';
import { projectFile } from '../helpers/project.ts';

const schema = parseJson(readFileSync(projectFile('docs/budget.schema.json'), 'utf8'));
const isBySchema = new Ajv({ strict: true }).compile(isRecord(schema) ? schema : false);

const good: readonly unknown[] = [
  { version: 1 },
  { $schema: './schema.json', version: 1, node: '24.1', functions: {}, files: {}, routes: {} },
  { version: 1, functions: { 'src/cart.ts#Cart>total': { worstMs: 1 } } },
  { version: 1, files: { 'src/**': { worstMs: 200 } }, whole: { worstMs: 500 } },
  { version: 1, routes: { 'GET /orders': { delayedOver100MsPercent: 100 } } },
];

const wrong: readonly unknown[] = [
  ...[null, [], 'text', {}, { version: '1' }, { version: 2 }, { version: 1, $schema: 1 }],
  { version: 1, limits: {} },
  { version: 1, functions: null },
  { version: 1, functions: [] },
  { version: 1, functions: [{ worstMs: 1 }] },
  { version: 1, functions: { f: { worstMs: 200 } } },
  { version: 1, functions: { 'a#f': 200 } },
  { version: 1, functions: { 'a#f': { worstMs: 0.5 } } },
  { version: 1, functions: { 'a#f': { worstMs: 1e10 } } },
  { version: 1, files: { '': { worstMs: 200 } } },
  { version: 1, routes: { GET: { delayedOver100MsPercent: 5 } } },
  { version: 1, node: 24 },
  { version: 1, functions: { 'a#f': {} } },
  { version: 1, functions: { 'a#f': { worstMs: 0 } } },
  { version: 1, functions: { 'a#f': { worstMs: -1 } } },
  { version: 1, functions: { 'a#f': { worstMs: '200' } } },
  { version: 1, functions: { 'a#f': { worstMs: 200, worst: 1 } } },
  { version: 1, files: { 'src/**': { delayedOver100MsPercent: 1 } } },
  { version: 1, routes: { 'GET /': { worstMs: 1 } } },
  { version: 1, routes: { 'GET /': { delayedOver100MsPercent: 0 } } },
  { version: 1, routes: { 'GET /': { delayedOver100MsPercent: 100.5 } } },
  { version: 1, whole: null },
  { version: 1, whole: 500 },
];

test('the schema and the parser accept the same budgets', () => {
  const isParsed = (budget: unknown): boolean => parseBudget(JSON.stringify(budget)).type === 'budget';
  for (const [cases, expected] of [
    [good, true],
    [wrong, false],
  ] as const) {
    for (const budget of cases) {
      assert.equal(isParsed(budget), expected, `The parser: ${JSON.stringify(budget)}`);
      assert.equal(isBySchema(budget), expected, `The schema: ${JSON.stringify(budget)}`);
    }
  }
});

test('what "check --update" writes is by the schema', () => {
  const times = new Map([['src/cart.ts#total', milliseconds(200)]]);
  const routes = new Map([['GET /', 0.07]]);
  const budget = { functions: times, files: times, routes, whole: milliseconds(20), node: '24.1' };
  assert.ok(isBySchema(JSON.parse(budgetText(budget, './node_modules/hotspan/docs/budget.schema.json'))));
});

test('VS Code checks the file that "check" reads', () => {
  assert.deepEqual(manifest.contributes.jsonValidation, [{ fileMatch: budgetFile, url: './docs/budget.schema.json' }]);
});
