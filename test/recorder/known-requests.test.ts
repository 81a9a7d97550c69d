import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { requestedRoutes, requestFiles } from '../../recorder/launch/load/known-requests.ts';
import { asDrawn } from '../helpers/drawn-root.ts';
import { temporaryProject } from '../helpers/temporary-project.ts';

test('request files are found, the nearest first, and not in installed or hidden folders', async () => {
  const folder = temporaryProject({
    'api/shop.http': '',
    'api/openapi.v1.json': '{}',
    'package.json': '{}',
    'z.rest': '',
    'node_modules/a/a.http': '',
    '.idea/b.http': '',
  });
  const found = await requestFiles(folder);
  assert.deepEqual(
    found.map((file) => asDrawn(path.relative(folder, file))),
    ['z.rest', 'api/openapi.v1.json', 'api/shop.http'],
  );
  assert.deepEqual(await requestFiles(`${folder}/missing`), []);
});

test('routes of the last recordings are offered, GET first, and none of which a part is unknown', async () => {
  const recorded = (startedAt: string, lines: readonly (readonly unknown[])[]): Record<string, string> => ({
    'recording.json': JSON.stringify({ command: ['node', 'app.js'], startedAt }),
    '1-0-a.requests.jsonl': lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
  });
  const old = recorded('2026-01-01T00:00:00Z', [
    ['route', 0, 'GET', '/orders'],
    ['route', 1, 'GET', '/orders/:id'],
    ['request', 0, -1, 5, 9],
  ]);
  const last = recorded('2026-01-02T00:00:00Z', [
    ['route', 0, 'POST', '/sessions'],
    ['route', 1, 'GET', '/products'],
    ['route', 2, 'GET', '/orders'],
    ['route', 3, 'PROPFIND', '/files'],
    ['route', 4, 'GET', '/users/*'],
  ]);
  const below = (folder: string, files: Record<string, string>): Record<string, string> =>
    Object.fromEntries(Object.entries(files).map(([name, text]) => [`${folder}/${name}`, text]));
  const folder = temporaryProject({ ...below('old', old), ...below('last', last) });
  assert.deepEqual(
    (await requestedRoutes([folder])).map((route) => `${route.method} ${route.path}`),
    ['GET /products', 'GET /orders', 'POST /sessions'],
  );
});
