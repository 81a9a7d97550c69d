import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { type AnalyzeResult, analyze } from '../../engine/analyze.ts';
import { describeFailure } from '../../words/failures.ts';
import type { Route } from '../../engine/samples/sample-stream.ts';
import type { World } from '../../engine/files/world.ts';
import { parseJson } from '../../protocol/json-value.ts';
import { graftTruncated } from '../../engine/streams/graft-truncated.ts';
import { V8LogDecoder } from '../../engine/import/v8-log/v8-log-decoder.ts';
import { milliseconds } from '../../protocol/units.ts';
import { drawProfile } from '../helpers/drawn-profile.ts';
import { memoryWorld } from '../helpers/memory-world.ts';
import { groupPaths } from '../../engine/requests/route-waits.ts';
import { trimEnd } from '../../engine/files/file-path.ts';
import { gunzip } from '../../engine/files/opened-file.ts';
import { warningText } from '../../words/warnings/warning-text.ts';

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
  return result.type === 'failed'
    ? describeFailure(result.failure)
    : result.analysis.warnings.map(warningText).join('\n');
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

const lines = (count: number, make: (number: number) => unknown): string =>
  Array.from({ length: count }, (_, number) => json(make(number))).join('\n');

async function recorded(files: Readonly<Record<string, string | Uint8Array>>): ReturnType<typeof analysed> {
  return analysed({
    '/rec/recording.json': json({ version: 2, cwd: '/app' }),
    '/rec/events.jsonl': start(0),
    '/rec/7-0-a.0.cpuprofile': profile,
    ...files,
  });
}

const below = (count: number, callFrame: (number: number) => object): string => {
  const nodes = Array.from({ length: count }, (_, number) => ({ id: number + 1, callFrame: callFrame(number) }));
  const samples = nodes.map(({ id }) => id);
  return json({ nodes, startTime: 1e6, endTime: 9e6, samples, timeDeltas: samples.map(() => 1000) });
};

test(
  'names of 200 000 characters are shown by their ends, and not compared character by character',
  { timeout: soon },
  async () => {
    const names = Array.from({ length: 400 }, (_, number) => `${'f'.repeat(200_000)}${number + 1000}`);
    const { result } = await analysed({
      '/rec/a.cpuprofile': below(400, (number) => ({
        functionName: names[number],
        url: 'file:///app/a.js',
        lineNumber: 0,
      })),
    });
    assert.equal(result.type, 'analyzed');
    const { functions } = result.type === 'analyzed' ? result.analysis.functions : { functions: [] };
    assert.equal(functions.length, 400);
    assert.ok(functions.every(({ name }) => name.length < 20_000 && /^f+…f+\d{4}$/.test(name)));
  },
);

test('a profile of more functions than any program has is refused', { timeout: soon }, async () => {
  const callFrame = { functionName: 'f', url: 'file:///app/a.js', columnNumber: 0 };
  const nodes = Array.from({ length: 610_000 }, (_, line) =>
    json({ id: line + 1, callFrame: { ...callFrame, lineNumber: line } }),
  );
  const text = `{"nodes":[${nodes.join(',')}],"startTime":1,"endTime":9,"samples":[1,2],"timeDeltas":[1,2]}`;
  const { result } = await analysed({ '/rec/a.cpuprofile': text });
  assert.match(saidOf(result), /over 600 000 different functions, which no program has/);
});

test('what is no node ends the reading of nodes', { timeout: soon }, async () => {
  const { result } = await analysed({ '/rec/a.cpuprofile': `{"nodes":[${'{},'.repeat(4e6)}{}],"samples":[1]}` });
  assert.match(saidOf(result), /nodes of its call tree lack a number/);
});

test('stacks are grafted as far as a budget of frames goes', () => {
  const parent = [-1, 0, 0, 0];
  const functionId = [-1, -1, -1, -1];
  const stack = (functions: readonly number[]): number =>
    functions.reduce((above, fn) => {
      functionId.push(fn);
      return parent.push(above) - 1;
    }, 0);
  const calls = Array.from({ length: 150 }, (_, fn) => fn + 10);
  const nodes = [stack([1, 2]), stack([1, ...calls]), stack([...calls.slice(20), 5])];
  const ticks = () => assert.fail();
  const tree = { size: parent.length, parent: Int32Array.from(parent), functionId: Int32Array.from(functionId), ticks };
  const graftedOf = (usualFrames?: number): number =>
    graftTruncated({ tree, nodes: Int32Array.from(nodes) }, usualFrames).truncated.grafted;
  assert.equal(graftedOf(), 1);
  assert.equal(graftedOf(-1e9), 0);
});

test('20 000 tests that never end are told of once each', { timeout: soon }, async () => {
  const begins = lines(20_000, (number) => ['begin', 1e6 + number, number, `/app/${number}.test.js`, ['t'], -1]);
  const { result } = await recorded({ '/rec/7-0-a.tests.jsonl': begins });
  assert.match(saidOf(result), /Tests of 20000 files ran at the same time/);
});

test('a route with the number 4 000 000 000 is one route', { timeout: soon }, async () => {
  const { result } = await recorded({
    '/rec/7-0-a.requests.jsonl': json(['route', 4_000_000_000, 'GET', '/a', 'path']),
  });
  assert.equal(result.type, 'analyzed');
});

test('threads share the texts that their process has told of', { timeout: soon }, async () => {
  const text = (kind: string) =>
    lines(5000, (number) => ({ url: `file:///app/${number}.js`, text: `${kind}-${number}` }));
  const threads = Array.from(
    { length: 1000 },
    (_, number) => [`/rec/7-${number + 1}-a.0.cpuprofile`, profile] as const,
  );
  const { result } = await recorded({
    '/rec/7-0-a.texts.jsonl': text('a'),
    '/rec/read.texts.jsonl': text('b'),
    ...Object.fromEntries(threads),
  });
  assert.equal(result.type, 'analyzed');
});

test('texts of an older version that unpack to too much are told of', { timeout: soon }, async () => {
  const { result } = await recorded({ '/rec/texts.json.gz': gzipSync(Buffer.alloc(300 << 20, ' ')) });
  assert.match(saidOf(result), /texts\.json\.gz is damaged, or unpacks to more than any recording holds/);
});

test('a recording.json of 20 MB is not read', async () => {
  const { result } = await recorded({
    '/rec/recording.json': json({ version: 2, cwd: '/app', notes: ['x'.repeat(20 << 20)] }),
  });
  assert.match(saidOf(result), /recording\.json cannot be read/);
});

test('JSON of ten million values is none', () => {
  assert.equal(parseJson(`[${'[],'.repeat(11e6)}0]`), undefined);
  const braces = json({ text: '{[,"\\'.repeat(5e6) });
  assert.deepEqual(Object.keys(parseJson(braces) ?? {}), ['text'], 'what stands in a text is no value');
});

test('a sourceRoot in front of 20 000 sources is no folder', { timeout: soon }, async () => {
  const sources = Array.from({ length: 20_000 }, (_, number) => `s${number}.ts`);
  const map = json({ version: 3, sourceRoot: `/${'r'.repeat(30_000)}`, names: [], sources, mappings: 'AAAA' });
  const { result } = await recorded({ '/rec/7-0-a.maps.jsonl': json({ url: 'file:///app/src/cart.ts', map }) });
  assert.match(saidOf(result), /has a sourceRoot that no folder has/);
});

test('a file is closed where its reader stops', async () => {
  let isClosed = false;
  async function* pieces(): AsyncGenerator<Uint8Array, undefined> {
    try {
      yield gzipSync(Buffer.alloc(300 << 20, ' '));
      yield new Uint8Array(1);
    } finally {
      isClosed = true;
    }
    return undefined;
  }
  await assert.rejects(async () => {
    for await (const piece of gunzip(pieces(), 1000)) assert.ok(piece.length > 0);
  });
  assert.ok(isClosed);
});

test('records of functions that are cut off are not looked through from each', { timeout: soon }, () => {
  const decoder = new V8LogDecoder();
  const record = 'code-creation,JS,\n';
  decoder.push(new TextEncoder().encode(`v8-version,13,6,233,17,-node.53,0\n${record.repeat(600_000)}`));
  assert.equal(decoder.finish().type, 'damaged');
});

test('slashes at an end are cut off in one pass', () => {
  assert.equal(trimEnd(`${'/'.repeat(300_000)}a//\\`), `${'/'.repeat(300_000)}a`);
});

test('a trace of more functions than any program has says so', { timeout: soon }, async () => {
  const nodes = Array.from({ length: 610_000 }, (_, line) => ({
    id: line + 1,
    callFrame: { functionName: 'f', url: 'file:///app/a.js', lineNumber: line, columnNumber: 0 },
  }));
  const data = { cpuProfile: { nodes, samples: [1, 2] }, timeDeltas: [1, 2] };
  const head = { name: 'Profile', ph: 'P', id: '1', pid: 1, tid: 1, ts: 1, args: { data: { startTime: 1 } } };
  const piece = { name: 'ProfileChunk', ph: 'P', id: '1', pid: 1, tid: 1, ts: 2, args: { data } };
  const { result } = await analysed({ '/rec/trace.cpuprofile': json({ traceEvents: [head, piece] }) });
  assert.match(saidOf(result), /over 600 000 different functions/);
});
