import assert from 'node:assert/strict';
import test from 'node:test';
import { loadOfRoutes } from '../../../../engine/judge/requests/route-waits.ts';
import type { RecordedLoad } from '../../../../protocol/recording.ts';
import { microseconds } from '../../../../protocol/units.ts';

/** A load of these requests, in which the first had one answer, the second two, and so on. */
function loadOf(...requests: readonly string[]): RecordedLoad {
  const latencyUs = { p50: microseconds(1), p99: microseconds(1) };
  const byRequest = requests.map((_, at) => ({ requests: at + 1, errors: 0, refused: 0, latencyUs }));
  const one = microseconds(1);
  return {
    requests: requests.map((title) => {
      const [method = '', path = ''] = title.split(' ');
      return { title, method, url: `http://localhost:3000${path}`, headers: [], bodyBytes: 0 };
    }),
    ...{ connections: 1, rate: null, amount: 1, durationS: null, warmUpS: 0, baseline: null },
    source: { type: 'words', words: null },
    recorded: {
      ...{ requests: 1, errors: 0, timeouts: 0, refused: 0, requestsPerSecond: 1, bytesPerSecond: 1, byRequest },
      ...{ durationUs: one, latencyUs: { mean: one, p50: one, p90: one, p99: one, max: one } },
    },
  };
}

test('a request belongs to the route of its path, else to the pattern with most of its parts, and by its method', () => {
  const routes = ['GET /users/:id', 'GET /users/me', 'GET /posts/*/text', 'POST /users/:id', 'GET /'].map((route) => {
    const [method = '', path = ''] = route.split(' ');
    return { method, path };
  });
  const load = loadOf('GET /users/17', 'GET /users/me', 'GET /posts/3/text', 'GET /users/18', 'POST /unknown');
  const found = [...loadOfRoutes(load, routes)].map(
    ([{ method, path }, answers]) => [`${method} ${path}`, answers.map(({ requests }) => requests)] as const,
  );
  assert.deepEqual(found, [
    ['GET /users/:id', [1, 4]],
    ['GET /users/me', [2]],
    ['GET /posts/*/text', [3]],
  ]);
});

test('a request that two patterns match as well belongs to neither', () => {
  const routes = ['/:lang/about', '/shop/:page'].map((path) => ({ method: 'GET', path }));
  assert.deepEqual([...loadOfRoutes(loadOf('GET /shop/about'), routes)], []);
});
