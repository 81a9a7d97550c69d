import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertEach } from '../../../helpers/assert-each.ts';
import { type DrawnRequest, hotspotsOf, ms } from '../../../helpers/drawn-hotspots.ts';
import { groupPaths } from '../../../../engine/judge/requests/route-waits.ts';
import { mostSiblings } from '../../../../protocol/recording-lines.ts';
import type { ReportRoute } from '../../../../protocol/report.ts';

/** 20 ms of idling, 300 ms in `build`, 100 ms of idling. */
const drawing = `
ms 20     50    50    50    50    50    50    100
   (idle) build build build build build build (idle)
`;

/** The routes of these requests to a server that holds its loop so. */
async function routesOf(requests: readonly DrawnRequest[]): Promise<readonly ReportRoute[]> {
  return (await hotspotsOf(drawing, { turns: '20-320', requests })).report.routes;
}

/** The route of `GET /`. */
async function waitedOf(requests: readonly DrawnRequest[]): Promise<ReportRoute | undefined> {
  return (await routesOf(requests)).find(({ path }) => path === '/');
}

test('what comes while another request holds the loop waits for the rest of it', async () => {
  const [waited, slow] = await routesOf([
    { slow: true, start: 20, end: 320 },
    ...[321, 321.1, 321.2, 321.3, 321.4, 321.5].map((start) => ({ start, end: start + 0.1 })),
    { start: 380, end: 380.1 },
  ]);
  assert.deepEqual(
    [waited?.path, waited?.requests, waited?.delayedOver10Ms, waited?.delayedOver100Ms, waited?.delayedOver1S],
    ['/', 7, 6, 4, 0],
    'as if they had come every 50 ms; the last one found the loop free',
  );
  assert.equal(waited?.behind?.name, 'build');
  assert.deepEqual([slow?.path, slow?.delayedOver10Ms], ['/slow', 0], 'its own work is not waiting');
});

test('a client that asks again at once waits from then on', async () => {
  const waited = await waitedOf([
    { start: 10, end: 11 },
    { since: 11, start: 11.1, end: 12 },
    { since: 12, start: 12.1, end: 19.9 },
    { slow: true, start: 20, end: 320 },
    { since: 19.9, start: 321, end: 321.1 },
  ]);
  assert.equal(waited?.delayedOver100Ms, 1);
  assert.equal(waited?.behind?.us, ms(300));
});

test('clients that wait for an answer come within the time that they usually take', async () => {
  const waited = await waitedOf([
    { slow: true, start: 20, end: 320 },
    { start: 321, end: 321.1 },
    { start: 322, end: 322.1 },
    ...[340, 350, 360, 370, 380, 390, 400, 410].map((start) => ({ start, end: start + 0.1 })),
  ]);
  assert.equal(waited?.delayedOver100Ms, 2, 'two within 20 ms, not one in each half of it');
});

test('a request that is being answered waits too', async () => {
  const waited = await waitedOf([
    { start: 10, end: 330 },
    { slow: true, start: 20, end: 320 },
  ]);
  assert.equal(waited?.behind?.us, ms(300));
});

test('an operation in which no request was read is that of the one that is answered first', async () => {
  const routes = await routesOf([
    { slow: true, start: 10, end: 321 },
    { start: 11, end: 350 },
  ]);
  assertEach(routes, ({ path, delayedOver100Ms }) => [path, delayedOver100Ms], [
    ['/', 1],
    ['/slow', 0],
  ]);
});

test('a request that stays open while the loop is free waits only before it is read and right before its end', async () => {
  const { report } = await hotspotsOf(
    `
    ms 20     300   3000   300   3000   300
       (idle) build (idle) build (idle) build
    `,
    {
      turns: '20-320 3320-3620 6620-6919',
      requests: [
        { slow: true, start: 20, end: 320 },
        { start: 321, end: 6920 },
        { start: 330, end: 6000 },
        { slow: true, start: 3320, end: 3620 },
        { slow: true, start: 6620, end: 6919 },
      ],
    },
  );
  const open = report.routes.find(({ path }) => path === '/');
  assert.deepEqual([open?.requests, open?.delayedOver100Ms], [2, 1]);
  assert.ok(Number(open?.behind?.us) < ms(600), 'a poll: before it and at its end, not what was between');
});

test('without a server there are no routes', async () => {
  const { report } = await hotspotsOf('parse parse', { turns: [[0, 2]] });
  assert.deepEqual(report.routes, []);
});

test('paths that nobody has named are one route where very many differ in one place', () => {
  const posts = Array.from({ length: mostSiblings }, (_, index) => routeBy('path', `/posts/p${index}/comments`));
  const others = [routeBy('path', '/posts'), routeBy('path', '/about'), routeBy('pattern', '/posts/p1/comments')];
  const shown = groupPaths([...posts, ...others]);
  assert.deepEqual(new Set(posts.map((route) => shown.get(route)?.path)), new Set(['/posts/*/comments']));
  assertEach(others, (route) => shown.get(route)?.path, ['/posts', '/about', undefined]);
  const fewer = groupPaths(posts.slice(1));
  assert.equal(new Set([...fewer.values()].map(({ path }) => path)).size, mostSiblings - 1);
});

const routeBy = (by: 'pattern' | 'path', path: string) => ({ method: 'GET', path, by });
