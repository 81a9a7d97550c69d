import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { parseJson } from '../../protocol/json-value.ts';
import { graftTruncated } from '../../engine/cut/streams/graft-truncated.ts';
import { trimEnd } from '../../protocol/path-spelling.ts';
import { gunzip } from '../../engine/read/files/opened-file.ts';
import { analysed, json, profile, recorded, saidOf } from './made-recording.ts';

test('a folder below 20 000 others is not looked for', async () => {
  const { result, asked } = await analysed(
    { '/rec/recording.json': json({ version: 2, cwd: '/a'.repeat(20_000) }), '/rec/7-0-a.0.cpuprofile': profile },
    [],
  );
  assert.match(saidOf(result), /that folder is not looked into/);
  assert.ok(asked < 100);
});

test('of a map of 40 000 sources no more than some are looked for', async () => {
  const sources = Array.from({ length: 40_000 }, (_, number) => `webpack://shop/./s${number}.ts`);
  const url = '/app/src/cart.ts';
  const map = json({ version: 3, names: [], sources, mappings: 'AAAA' });
  const { asked } = await analysed({
    '/rec/recording.json': json({ version: 2, cwd: '/app' }),
    '/rec/7-0-a.0.cpuprofile': profile,
    '/rec/7-0-a.maps.jsonl': json({ url, map }),
  });
  assert.ok(asked > 1000 && asked < 40_000, String(asked));
});

const below = (count: number, callFrame: (number: number) => object): string => {
  const nodes = Array.from({ length: count }, (_, number) => ({ id: number + 1, callFrame: callFrame(number) }));
  const samples = nodes.map(({ id }) => id);
  return json({ nodes, startTime: 1e6, endTime: 9e6, samples, timeDeltas: samples.map(() => 1000) });
};

test('names of 600 000 characters are shown by their ends, and not compared character by character', async () => {
  const names = Array.from({ length: 20 }, (_, number) => `${'f'.repeat(600_000)}${number + 1000}`);
  const { result } = await analysed({
    '/rec/a.cpuprofile': below(20, (number) => ({
      functionName: names[number],
      url: 'file:///app/a.js',
      lineNumber: 0,
    })),
  });
  assert.equal(result.type, 'analyzed');
  const { functions } = result.type === 'analyzed' ? result.analysis.functions : { functions: [] };
  assert.equal(functions.length, 20);
  assert.ok(functions.every(({ name }) => name.length < 20_000 && /^f+…f+\d{4}$/.test(name)));
});

test('what is not a node ends the reading of nodes', async () => {
  const { result } = await analysed({ '/rec/a.cpuprofile': `{"nodes":[${'{},'.repeat(4e4)}{}],"samples":[1]}` });
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

test('a route with the number 4 000 000 000 is one route', async () => {
  const { result } = await recorded({
    '/rec/7-0-a.requests.jsonl': json(['route', 4_000_000_000, 'GET', '/a', 'path']),
  });
  assert.equal(result.type, 'analyzed');
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
  assert.deepEqual(Object.keys(parseJson(braces) ?? {}), ['text'], 'what stands in a text is not a value');
});

test('a sourceRoot in front of 2000 sources is not a folder', async () => {
  const sources = Array.from({ length: 2000 }, (_, number) => `s${number}.ts`);
  const map = json({ version: 3, sourceRoot: `/${'r'.repeat(300_000)}`, names: [], sources, mappings: 'AAAA' });
  const { result } = await recorded({ '/rec/7-0-a.maps.jsonl': json({ url: 'file:///app/src/cart.ts', map }) });
  assert.match(saidOf(result), /has a sourceRoot that no folder has/);
});

test('a file is closed where its reader stops', async () => {
  let isClosed = false;
  async function* pieces(): AsyncGenerator<Uint8Array, undefined> {
    try {
      yield gzipSync(Buffer.alloc(1 << 20, ' '));
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

test('slashes at an end are cut off in one pass', () => {
  assert.equal(trimEnd(`${'/'.repeat(300_000)}a//\\`), `${'/'.repeat(300_000)}a`);
});
