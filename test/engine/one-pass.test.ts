import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Route } from '../../engine/read/samples/sample-stream.ts';
import { V8LogDecoder } from '../../engine/read/import/v8-log/v8-log-decoder.ts';
import { groupPaths } from '../../engine/judge/requests/route-waits.ts';
import { growthOf, linear } from '../helpers/count-steps.ts';
import { analysed, json, lines, profile, recorded, saidOf, start } from './made-recording.ts';

test('each worker that started is looked up once', async () => {
  const growth = await growthOf(
    200,
    (count) => ({
      '/rec/recording.json': json({ version: 2, cwd: '/app' }),
      '/rec/events.jsonl': Array.from({ length: count }, (_, threadId) => start(threadId)).join('\n'),
      '/rec/7-0-a.0.cpuprofile': profile,
    }),
    async (files) => assert.equal((await analysed(files)).result.type, 'analyzed'),
  );
  assert.ok(growth <= linear);
});

test('routes of many parts are grouped in one pass', async () => {
  const routesOf = (count: number): readonly Route[] =>
    Array.from({ length: count }, (_, number) => ({
      ...({ method: 'GET', by: 'path' } as const),
      path: `${'/x'.repeat(300)}/${number}`,
    }));
  assert.equal(new Set([...groupPaths(routesOf(200)).values()].map(({ path }) => path)).size, 1);
  assert.ok((await growthOf(200, routesOf, groupPaths)) <= linear);
});

test('tests that never end are warned of once for each file', async () => {
  const begins = (count: number): string =>
    lines(count, (number) => ['begin', 1e6 + number, number, `/app/${number}.test.js`, ['t'], -1]);
  const said = async (tests: string) => saidOf((await recorded({ '/rec/7-0-a.tests.jsonl': tests })).result);
  assert.match(await said(begins(200)), /Tests of 200 files ran at the same time/);
  assert.ok((await growthOf(200, begins, said)) <= linear);
});

test('threads share the texts of their process', async () => {
  const text = (count: number, kind: string): string =>
    lines(5 * count, (number) => ({ url: `file:///app/${number}.js`, text: `${kind}-${number}` }));
  const filesOf = (count: number): Record<string, string> => ({
    '/rec/7-0-a.texts.jsonl': text(count, 'a'),
    '/rec/read.texts.jsonl': text(count, 'b'),
    ...Object.fromEntries(
      Array.from({ length: count }, (_, number) => [`/rec/7-${number + 1}-a.0.cpuprofile`, profile]),
    ),
  });
  const growth = await growthOf(50, filesOf, async (files) =>
    assert.equal((await recorded(files)).result.type, 'analyzed'),
  );
  assert.ok(growth <= linear);
});

test('records of functions that are cut off are not looked through from each', async () => {
  const logOf = (count: number): Uint8Array =>
    new TextEncoder().encode(`v8-version,13,6,233,17,-node.53,0\n${'code-creation,JS,\n'.repeat(count)}`);
  const decode = (log: Uint8Array): void => {
    const decoder = new V8LogDecoder();
    decoder.push(log);
    assert.equal(decoder.finish().type, 'damaged');
  };
  assert.ok((await growthOf(1000, logOf, decode)) <= linear);
});
