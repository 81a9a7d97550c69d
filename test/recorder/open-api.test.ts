import assert from 'node:assert/strict';
import path from 'node:path';
import test from 'node:test';
import { readRequests } from '../../recorder/launch/load/read-requests.ts';
import { temporaryProject } from '../helpers/temporary-project.ts';
import { shown } from './shown-requests.ts';

const referenceTo = (key: string) => ({ $ref: `#/components/parameters/${key}` });
const api = {
  openapi: '3.1.0',
  servers: [{ url: 'https://{host}/v{version}', variables: { host: { default: 'a' }, version: { default: 2 } } }],
  components: {
    parameters: {
      'x%': { in: 'cookie', name: 's', required: true, example: 1 },
      t: { in: 'cookie', name: 't', required: true, example: 2 },
      q: { in: 'query', name: 'q', required: true, example: '\ud800' },
      page: { in: 'query', name: 'page', required: true, schema: { type: 'integer', default: 1 } },
    },
  },
  paths: {
    '/orders': {
      parameters: [referenceTo('page')],
      get: {
        parameters: [
          { in: 'query', name: 'sort', required: true, schema: { enum: ['price', 'name'] } },
          { in: 'query', name: 'q' },
          { in: 'query', name: 'tag', required: true, example: ['a', 'b c'] },
          { in: 'header', name: 'X-Shop', required: true, examples: { one: { value: 's1' } } },
        ],
      },
      post: {},
    },
    '/orders/{id}': { get: { parameters: [{ in: 'path', name: 'id', required: true, schema: { example: 'a/7' } }] } },
    '/items/{id}': { get: { parameters: [{ in: 'path', name: 'id', required: true, schema: { type: 'string' } }] } },
    '/files/{name}': { get: {} },
    '/own': { servers: [{ url: '//a/v3' }], get: { parameters: ['x%', 't', 'q'].map(referenceTo) } },
  },
};

test('an OpenAPI 3 description: GET with the examples and defaults of what is required', async () => {
  const folder = temporaryProject({
    'api.json': `\uFEFF${JSON.stringify(api)}`,
    'api.yaml': 'openapi: 3.1.0',
    'two.json': '{ "swagger": "2.0" }',
    'one.json': '{}',
    'broken.json': '{',
  });
  const readIn = async (name: string) =>
    shown(await readRequests({ file: path.join(folder, name), environment: null, env: {} }));
  assert.deepEqual(await readIn('api.json'), {
    sent: [
      'GET /orders: GET /v2/orders?page=1&sort=price&tag=a&tag=b%20c x-shop=s1',
      'GET /orders/{id}: GET /v2/orders/a%2F7',
      'GET /own: GET /v3/own?q=%EF%BF%BD cookie=s=1; t=2',
    ],
    leftOut: [
      'POST /orders may change data, as it is not a GET: write it into a .http file',
      'GET /items/{id} has no example or default for "id"',
      'GET /files/{name} does not describe {name}',
    ],
    notes: [],
  });
  assert.match(String(await readIn('api.yaml')), /^api\.yaml is YAML, which is not read: convert it to JSON/);
  assert.equal(await readIn('two.json'), 'two.json is Swagger 2: convert it to OpenAPI 3 (npx swagger2openapi).');
  assert.equal(await readIn('one.json'), 'one.json is not an OpenAPI 3 description.');
  assert.equal(await readIn('broken.json'), 'broken.json is not JSON.');
});
