import assert from 'node:assert/strict';
import { test } from 'node:test';
import { routeOf, withoutIds } from '../../recorder/preload/route.ts';

test('ids, queries and hosts are cut out of a path', () => {
  const paths = {
    '/users/17/cart?token=secret': '/users/:id/cart',
    '/files/3f2b8c1e-9a4d-4a52-8f3e-1c2d3e4f5a6b': '/files/:id',
    '/commits/deadbeef01#top': '/commits/:id',
    '/mail/ada%40example.org': '/mail/:id',
    '/reset/V1StGXR8_Z5jdHi6B-myT': '/reset/:id',
    '/orders/01ARZ3NDEKTSV4RRFFQ69G5FAV': '/orders/:id',
    '/posts/how-to-find-2-bugs-in-one-day': '/posts/how-to-find-2-bugs-in-one-day',
    'http://host.example/a/b': '/a/b',
    '/api/v2/orders/': '/api/v2/orders/',
    '/': '/',
  };
  for (const [url, path] of Object.entries(paths)) assert.equal(withoutIds(url), path);
});

test("express's own pattern is kept, below where its router is mounted", () => {
  const request = {
    method: 'GET',
    url: '/1',
    originalUrl: '/shops/77/items/1',
    baseUrl: '/shops/77',
    route: { path: '/items/:item' },
  };
  assert.deepEqual(routeOf(request), ['GET', '/shops/:id/items/:item']);
});
