import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { type AnalyzeResult, analyze } from '../../engine/analyze.ts';
import { describeFailure } from '../../engine/analyze-failure.ts';
import { groupPaths } from '../../engine/requests/group-paths.ts';
import type { Route } from '../../engine/requests/request-log.ts';
import type { World } from '../../engine/world.ts';
import { milliseconds } from '../../protocol/units.ts';
import { drawProfile } from '../helpers/drawn-profile.ts';
import { memoryWorld } from '../helpers/memory-world.ts';

const json = JSON.stringify;
const profile = json(drawProfile('cart.ts#total cart.ts#total cart.ts#total'));
const start = (threadId: number): string =>
  json({ type: 'start', isolate: `7-${threadId}-a`, pid: 7, threadId, argv: ['node', '/app/a.js'], at: 1e6 });

async function analysed(
  files: Readonly<Record<string, string | Uint8Array>>,
  roots = ['/app'],
): Promise<{
  readonly result: AnalyzeResult;
  readonly asked: number;
}> {
  const inMemory = memoryWorld(files);
  const counts = { asked: 0 };
  const world: World = {
    ...inMemory,
    readFile: async (path) => {
      counts.asked++;
      return inMemory.readFile(path);
    },
  };
  const result = await analyze(['/rec'], world, { thresholdUs: milliseconds(1), roots, sourceMaps: true });
  return { result, asked: counts.asked };
}

function saidOf(result: AnalyzeResult): string {
  return result.type === 'failed' ? describeFailure(result.failure) : result.analysis.warnings.join('\n');
}

/** In ms: a hundred times what it takes, and a part of what it took when the time grew with the square. */
const soon = 20_000;

test(
  'a file that unpacks to far more than its size ends in a sentence, in little memory',
  { timeout: soon },
  async () => {
    const bomb = gzipSync(Buffer.alloc(600 << 20, ' '));
    const before = process.memoryUsage().rss;
    const { result } = await analysed({ '/rec/spaces.cpuprofile.gz': bomb });
    assert.match(saidOf(result), /unpacks to over fifty times its size/);
    assert.ok(process.memoryUsage().rss - before < 1 << 29);
  },
);

test('a folder below 20 000 others is not looked for', async () => {
  const { result, asked } = await analysed(
    { '/rec/recording.json': json({ version: 2, cwd: '/a'.repeat(20_000) }), '/rec/7-0-a.0.cpuprofile': profile },
    [],
  );
  assert.match(saidOf(result), /that folder is not looked into/);
  assert.ok(asked < 100);
});

test('40 000 workers that started are looked up once each', { timeout: soon }, async () => {
  const { result } = await analysed({
    '/rec/recording.json': json({ version: 2, cwd: '/app' }),
    '/rec/events.jsonl': Array.from({ length: 40_000 }, (_, threadId) => start(threadId)).join('\n'),
    '/rec/7-0-a.0.cpuprofile': profile,
  });
  assert.equal(result.type, 'analyzed');
});

test('of a map of 100 000 sources no more than some are looked for', { timeout: soon }, async () => {
  const sources = Array.from({ length: 100_000 }, (_, number) => `webpack://shop/./s${number}.ts`);
  const url = '/app/src/cart.ts';
  const map = json({ version: 3, names: [], sources, mappings: 'AAAA' });
  const { asked } = await analysed({
    '/rec/recording.json': json({ version: 2, cwd: '/app' }),
    '/rec/7-0-a.0.cpuprofile': profile,
    '/rec/7-0-a.maps.jsonl': json({ url, map }),
  });
  assert.ok(asked > 1000 && asked < 100_000, String(asked));
});

test('20 000 routes of 300 parts are grouped in one pass', { timeout: soon }, () => {
  const routes = Array.from({ length: 20_000 }, (_, number): Route => {
    return { method: 'GET', path: `${'/x'.repeat(300)}/${number}`, by: 'path' };
  });
  const grouped = groupPaths(routes);
  assert.equal(new Set([...grouped.values()].map(({ path }) => path)).size, 1);
});
