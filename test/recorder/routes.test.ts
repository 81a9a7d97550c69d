import assert from 'node:assert/strict';
import { test } from 'node:test';
import { numberRoutes, patternOf, withoutIds } from '../../recorder/preload/requests/routes.ts';

test('ids, queries and hosts are cut out of a path', () => {
  const paths = {
    '/users/17/cart?token=secret': '/users/*/cart',
    '/files/3f2b8c1e-9a4d-4a52-8f3e-1c2d3e4f5a6b': '/files/*',
    '/commits/deadbeef01#top': '/commits/*',
    '/mail/ada%40example.org': '/mail/*',
    '/reset/V1StGXR8_Z5jdHi6B-myT': '/reset/*',
    '/orders/01ARZ3NDEKTSV4RRFFQ69G5FAV': '/orders/*',
    '/posts/how-to-find-2-bugs-in-one-day': '/posts/how-to-find-2-bugs-in-one-day',
    'http://host.example/a/b': '/a/b',
    '/api/v2/orders/': '/api/v2/orders/',
    '/': '/',
  };
  for (const [url, path] of Object.entries(paths)) assert.equal(withoutIds(url), path);
});

test("express's own pattern is kept, below where its router is mounted", () => {
  const request = {
    url: '/1',
    originalUrl: '/shops/77/items/1',
    baseUrl: '/shops/77',
    route: { path: '/items/:item' },
  };
  assert.equal(patternOf(request), '/shops/*/items/:item');
  assert.equal(patternOf({}), '');
});

test('of very many names in one place only the first are kept', () => {
  const paths: string[] = [];
  const routes = numberRoutes((line) => paths.push(String(line[3])));
  for (let post = 0; post < 1000; post++) routes.ofPath('GET', `/posts/about-${nameOf(post)}/comments`);
  assert.equal(paths.length, 51);
  assert.equal(paths.at(-1), '/posts/*/comments');
  assert.equal(routes.ofPath('GET', '/posts/about-nothing/comments?page=2'), 50);
});

test('what a framework has named is never grouped', () => {
  const routes = numberRoutes(() => {});
  const numbers = Array.from({ length: 100 }, (_, index) => routes.ofPattern('GET', `/api/${nameOf(index)}`));
  assert.equal(new Set(numbers).size, 100);
});

/** A word without digits. */
const nameOf = (index: number): string =>
  Array.from(String(index), (digit) => String.fromCodePoint(97 + Number(digit))).join('');

test('a token in a path is cut out, also one of letters alone', () => {
  const token = ['ghp', 'abcdefghijklmnopqrst'].join('_');
  assert.equal(withoutIds(`/hooks/${token}/run`), '/hooks/*/run');
  assert.equal(withoutIds('/oauth/token'), '/oauth/token');
});
