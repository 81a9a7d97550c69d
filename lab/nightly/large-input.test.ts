import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { analyze } from '../../engine/analyze.ts';
import { describeFailure } from '../../words/failures.ts';
import { resultView } from '../../cli/views/result-view.ts';
import { valueOf } from '../../engine/read/import/cpuprofile/json-bytes.ts';
import { mapByTokens } from '../../engine/read/sourcemap/map-by-tokens.ts';
import { drawProfile, profileOf } from '../../test/helpers/drawn-profile.ts';
import { hotspotsIn, hotspotsOfProfiles, ms } from '../../test/helpers/drawn-hotspots.ts';
import { diskWorld } from '../../recordings/disk-world.ts';
import { memoryWorld } from '../../test/helpers/memory-world.ts';
import { warningText } from '../../words/warnings/warning-text.ts';
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

/** What is said of a profile in memory. */
async function said(file: string, content: string | Uint8Array): Promise<string> {
  const options = { thresholdUs: ms(1), roots: ['/app'], sourceMaps: true };
  const result = await analyze(['/rec'], memoryWorld({ [file]: content }), options);
  return result.type === 'failed' ? describeFailure(result.failure) : result.analysis.warnings.map(warningText).join();
}

test('a file that unpacks to 600 MB takes little memory', async () => {
  const bomb = gzipSync(Buffer.alloc(600 << 20, ' '));
  const before = process.memoryUsage().rss;
  assert.match(await said('/rec/spaces.cpuprofile.gz', bomb), /unpacks to over fifty times its size/);
  assert.ok(process.memoryUsage().rss - before < 1 << 29);
});

const callFrame = (lineNumber: number): object => ({
  ...{ functionName: 'f', url: 'file:///app/a.js', columnNumber: 0, lineNumber },
});

test('a profile and a trace of more functions than any program has are refused', async () => {
  const nodes = Array.from({ length: 610_000 }, (_, line) => ({ id: line + 1, callFrame: callFrame(line) }));
  const profile = { nodes, startTime: 1, endTime: 9, samples: [1, 2], timeDeltas: [1, 2] };
  assert.match(await said('/rec/a.cpuprofile', JSON.stringify(profile)), /over 600 000 different functions/);
  const data = { cpuProfile: { nodes, samples: [1, 2] }, timeDeltas: [1, 2] };
  const head = { name: 'Profile', ph: 'P', id: '1', pid: 1, tid: 1, ts: 1, args: { data: { startTime: 1 } } };
  const piece = { name: 'ProfileChunk', ph: 'P', id: '1', pid: 1, tid: 1, ts: 2, args: { data } };
  const trace = JSON.stringify({ traceEvents: [head, piece] });
  assert.match(await said('/rec/trace.cpuprofile', trace), /over 600 000 different functions/);
});

test('a profile that names a file of 400 MB does not have it read', async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'hotspan-named-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'large.js');
  writeFileSync(file, 'function f() {}\n');
  truncateSync(file, 400e6);
  const frameAt = { functionName: 'f', scriptId: '1', url: pathToFileURL(file).href, lineNumber: 0, columnNumber: 10 };
  const samples = Array.from({ length: 60 }, () => 1);
  const nodes = [{ id: 1, callFrame: frameAt }];
  const profile = { nodes, samples, timeDeltas: samples.map(() => 1000), startTime: 1e6, endTime: 2e6 };
  writeFileSync(path.join(folder, 'a.cpuprofile'), JSON.stringify(profile));

  const state = { highest: 0 };
  const before = process.memoryUsage().rss;
  const timer = setInterval(() => (state.highest = Math.max(state.highest, process.memoryUsage().rss)), 5);
  const options = { thresholdUs: ms(10), roots: [folder], sourceMaps: true };
  const result = await analyze([path.join(folder, 'a.cpuprofile')], diskWorld, options);
  clearInterval(timer);
  assert.equal(result.type, 'analyzed');
  assert.ok(Math.max(state.highest, process.memoryUsage().rss) - before < 200e6);
});
