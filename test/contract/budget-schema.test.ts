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

/** In the place of `{ "worstMs": 200 }`, and of a route's limit. */
const wrongLimits = [200, {}, ...[0.5, 1e10, 0, -1, '200'].map((worstMs) => ({ worstMs })), { worstMs: 200, worst: 1 }];
const wrongDelays = [{ worstMs: 1 }, { delayedOver100MsPercent: 0 }, { delayedOver100MsPercent: 100.5 }];

const wrong: readonly unknown[] = [
  ...[null, [], 'text', {}, { version: '1' }, { version: 2 }, { version: 1, $schema: 1 }],
  ...[{ limits: {} }, { node: 24 }, { whole: null }, { whole: 500 }].map((one) => ({ version: 1, ...one })),
  ...[null, [], [{ worstMs: 1 }], { f: { worstMs: 200 } }].map((functions) => ({ version: 1, functions })),
  ...wrongLimits.map((limit) => ({ version: 1, functions: { 'a#f': limit } })),
  ...[{ '': { worstMs: 200 } }, { 'src/**': { delayedOver100MsPercent: 1 } }].map((files) => ({ version: 1, files })),
  ...wrongDelays.map((limit) => ({ version: 1, routes: { 'GET /': limit } })),
  { version: 1, routes: { GET: { delayedOver100MsPercent: 5 } } },
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
