import assert from 'node:assert/strict';
import { test } from 'node:test';
import { analyze } from '../../engine/analyze.ts';
import { describeFailure } from '../../words/failures.ts';
import { resultView } from '../../cli/views/result-view.ts';
import { valueOf } from '../../engine/import/cpuprofile/json-bytes.ts';
import { mapByTokens } from '../../engine/sourcemap/map-by-tokens.ts';
import { drawProfile, profileOf } from '../helpers/drawn-profile.ts';
import { hotspotsIn, hotspotsOfProfiles, ms } from '../helpers/drawn-hotspots.ts';
import { memoryWorld } from '../helpers/memory-world.ts';
import { readSources } from '../../cli/views/shown-code.ts';

/** More than the arguments that a call can have. */
const many = 150_000;

test('a function of very many sampled lines has its figures', async () => {
  const profile = drawProfile('parse parse parse');
  const positionTicks = Array.from({ length: many }, (_, index) => ({ line: index + 1, ticks: 1 }));
  const nodes = profile.nodes.map((node) => ({ ...node, positionTicks }));
  const { culprit } = await hotspotsIn({ '/rec/a.cpuprofile': JSON.stringify({ ...profile, nodes }) });
  assert.equal(culprit('parse')?.longCount, 1);
});

test('a very deep stack of functions that are all long has its figures', async () => {
  const stack = Array.from({ length: many }, (_, depth) => ({ ...frame, functionName: `f${depth}` }));
  const nodes = stack.map((callFrame, depth) => ({ id: depth + 1, callFrame, parent: depth }));
  const profile = { nodes, samples: [many], timeDeltas: [0], startTime: 0, endTime: 5000 };
  const { report } = await hotspotsIn({ '/rec/a.cpuprofile': JSON.stringify(profile) });
  assert.equal(report.functions.length, many);
  assert.ok(report.functions.every(({ distinctStacks }) => distinctStacks === 1));
});

test('an operation of very many samples has the time of each of them', async () => {
  const stacks = Array.from({ length: many }, (_, sample) => ['handle', sample % 3 === 0 ? 'parse' : 'render']);
  const durations = stacks.map((_, sample) => (sample % 65_536 === 65_535 ? 7 : sample === many - 1 ? 40 : 1));
  const shorter = profileOf(
    [...stacks.slice(0, 60_000), ['(idle)'], ...stacks.slice(60_000)],
    [...durations.slice(0, 60_000), 1, ...durations.slice(60_000)],
  );
  const sumOf = (from: number, to: number, step = 1): number =>
    durations.reduce((sum, ms, at) => (at >= from && at < to && at % step === 0 ? sum + ms : sum), 0);
  const { worst, operations } = await hotspotsOfProfiles([shorter]);
  assert.deepEqual(
    operations.map(({ durationUs }) => durationUs),
    [ms(sumOf(0, 60_000)), ms(sumOf(60_000, many))],
  );
  assert.deepEqual([worst('handle'), worst('parse')], [ms(sumOf(60_000, many)), ms(sumOf(60_000, many, 3))]);
});

const frame = { scriptId: '1', url: 'file:///app/src/app.ts', lineNumber: 3, columnNumber: 1 };

test('a name longer than any text is none', () => {
  const bytes = new Uint8Array(2 ** 29 + 2).fill(0x78);
  bytes[0] = 0x22;
  bytes[bytes.length - 1] = 0x22;
  assert.equal(valueOf(bytes, 0, bytes.length), '');
  bytes[0] = 0x7b;
  assert.equal(valueOf(bytes, 0, bytes.length), undefined);
});

test('a node longer than any text is said to be too long', async () => {
  const letters = new Uint8Array(2 ** 24).fill(0x78);
  const text = (part: string): Uint8Array => new TextEncoder().encode(part);
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield text('{"nodes":[{"id":1,"callFrame":{"functionName":"');
    for (let size = 0; size <= 2 ** 28; size += letters.length) yield letters;
    yield text('"}}],"samples":[1],"timeDeltas":[0],"startTime":0,"endTime":5000}');
  }
  const world = { ...memoryWorld({ '/rec/a.cpuprofile': '{}' }), readChunks: async () => chunks() };
  const result = await analyze(['/rec'], world, { thresholdUs: ms(10), roots: [], sourceMaps: false });
  const said = result.type === 'failed' ? describeFailure(result.failure) : '';
  assert.match(said, /a\.cpuprofile is damaged: one node of its call tree takes over 256 MB.*; record again\.$/);
});

test('very many operations of one package are one sentence', async () => {
  const stacks = Array.from({ length: many * 2 }, (_, index) => [index % 2 === 0 ? 'bcryptjs#hash' : '(idle)']);
  const { analysis } = await hotspotsOfProfiles([
    profileOf(
      stacks,
      stacks.map(() => 3),
    ),
  ]);
  const sources = await readSources([], async () => null, '/app');
  assert.deepEqual(resultView(analysis, { all: false, sources }).blamed, [`bcryptjs up to 3 ms (${many} ×)`]);
});

test('very long sources are found again in what was compiled of them', () => {
  const text = 'f();\n'.repeat(many / 4);
  assert.notEqual(mapByTokens(text, [{ url: '/app/src/long.ts', text }]), null);
});
