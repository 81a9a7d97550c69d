import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { test } from 'node:test';
import { defectWarnings, readCpuProfile } from '../../../../../engine/read/import/cpu-profile-importer.ts';
import type { CpuProfile } from '../../../../../engine/read/samples/cpu-profile.ts';
import { ProfileDecoder } from '../../../../../engine/read/import/cpuprofile/profile-decoder.ts';
import { openFile } from '../../../../../engine/read/files/opened-file.ts';
import { assertEach } from '../../../../helpers/assert-each.ts';
import { drawProfile, profileOf } from '../../../../helpers/drawn-profile.ts';
import { warningText } from '../../../../../words/warnings/warning-text.ts';
import type { Imported } from '../../../../../engine/read/import/importer.ts';
import { createPlainReader } from '../../../../../engine/read/import/cpuprofile/plain-reader.ts';
import { memoryWorld } from '../../../../helpers/memory-world.ts';

const drawn = drawProfile(`
  handler handler
  .       parse
`);

test('the first delta is before the first sample, the end after the last', () => {
  const { times, end } = decoded(drawn);
  assert.deepEqual([...times], [2_050_000, 2_051_000]);
  assert.equal(end, 2_052_000);
});

test('parents stand before their children, whatever the order in the file', () => {
  const { parent, nodes, frames, frame } = decoded({ ...drawn, nodes: drawn.nodes.toReversed() });
  assert.ok([...parent].every((above, node) => above < node));
  assertEach([...nodes], (node) => frames[frame[node] ?? -1]?.functionName, ['handler', 'parse']);
});

test('nodes may name their parent instead of their children', () => {
  const parentOf = (id: number): number | undefined => drawn.nodes.find((node) => node.children.includes(id))?.id;
  const nodes = drawn.nodes.map(({ id, callFrame }) => ({ id, callFrame, parent: parentOf(id) }));
  assert.deepEqual([...decoded({ ...drawn, nodes }).parent], [...decoded(drawn).parent]);
});

test('a line that no file can have is none', () => {
  for (const line of [-5, 0.5, 2 ** 32 + 5, 2 ** 53]) {
    const callFrame = { functionName: 'a', url: '/a.js', lineNumber: line, columnNumber: line };
    const nodes = drawn.nodes.map((node) => ({ ...node, callFrame, positionTicks: [{ line, ticks: 1 }] }));
    const { frames, ticks } = decoded({ ...drawn, nodes });
    assert.deepEqual([frames[0]?.line, frames[0]?.column, ...ticks.line], [-1, -1, ...nodes.map(() => 0)]);
  }
});

test('samples whose time runs backwards are sorted, those of one time as they stand', () => {
  const profile = decoded({ ...profileOf([['a'], ['b'], ['c']], [1, 1, 1]), timeDeltas: [0, 2000, -1000] });
  const { times, nodes, frames, frame } = profile;
  assert.deepEqual([...times], [2_000_000, 2_001_000, 2_002_000]);
  assertEach([...nodes], (node) => frames[frame[node] ?? -1]?.functionName, ['a', 'c', 'b']);
});

test('times are whole microseconds', () => {
  assert.deepEqual([...decoded({ ...drawn, startTime: 0.6, timeDeltas: [0, 1000.6] }).times], [1, 1001]);
});

test('times and places that nothing can have are left out', () => {
  const [root, ...others] = drawn.nodes;
  const nodes = others.map((node) => ({ ...node, callFrame: { ...node.callFrame, lineNumber: 1e300 } }));
  const { times, end, frames } = decoded({ ...drawn, nodes: [root, ...nodes], timeDeltas: [0, 1e300], endTime: 1e300 });
  assert.deepEqual([...times, end], [2_000_000, 2_000_000, 2_000_000]);
  assert.ok(frames.every(({ line }) => line === -1));
});

test('times that jump out of every recording are taken as none, and counted', () => {
  const years = 1e14;
  const stacks = [['a'], ['b'], ['c'], ['d']];
  const jumping = { ...profileOf(stacks, [1, 1, 1, 1]), timeDeltas: [0, years, 1000, 'soon'], endTime: -years };
  const { times, end, defects } = decoded(jumping);
  assert.deepEqual([...times, end], [2_000_000, 2_000_000, 2_001_000, 2_001_000, 2_001_000]);
  assert.equal(defects.implausible, 2);
  assert.match(defectWarnings('a', defects).map(warningText).join(), /2 times that no clock can show/);
});

test('an end before the last sample is moved to it', () => {
  const { end, defects } = decoded({ ...drawn, endTime: 0 });
  assert.equal(end, 2_051_000);
  assert.equal(defects.endsEarly, true);
});

test('samples without a time are left out, samples of unknown nodes are kept as such', () => {
  const { nodes, defects } = decoded({ ...drawn, samples: [999, 4, 4] });
  assert.deepEqual([...nodes], [-1, 1]);
  assert.deepEqual([defects.untimed, defects.unpairedTimes, defects.unknownNodes], [1, 0, 1]);
});

test('where times end before samples, or samples before times, the last sample lasts one usual interval', () => {
  const whole = profileOf(Array.from({ length: 100 }, () => ['a']));
  const { timeDeltas, samples } = whole;
  for (const [half, text] of [
    [
      { ...whole, timeDeltas: timeDeltas.slice(0, 50) },
      /50 samples without a time: left out, and what ran in the last 50 ms is/,
    ],
    [
      { ...whole, samples: samples.slice(0, 50) },
      /50 times without a sample: left out, and what ran in the last 50 ms is/,
    ],
  ] as const) {
    const { times, end, defects } = decoded(half);
    assert.deepEqual([times.length, end - (times.last ?? 0)], [50, 1000]);
    assert.match(defectWarnings('a', defects).map(warningText).join(), text);
  }
  const { end, defects } = decoded(whole);
  assert.deepEqual([end, defectWarnings('a', defects)], [whole.endTime, []]);
});

test('samples without any times are spread from the start to the end', () => {
  for (const timeDeltas of [undefined, [], [0, 0, 0]]) {
    const { times, end, defects } = decoded({
      ...profileOf([['a'], ['b'], ['a']]),
      ...{ timeDeltas, endTime: 2_300_000 },
    });
    assert.deepEqual([...times, end], [2_000_000, 2_100_000, 2_200_000, 2_300_000]);
    assert.match(defectWarnings('a', defects).map(warningText).join(), /^a has no times of its samples .* estimate\.$/);
  }
});

test('white space in pieces of its own makes no difference, and nothing but the beginning may be marked', async () => {
  const [head = '', tail = ''] = JSON.stringify(drawn).split('"samples"');
  const read = async (...pieces: readonly string[]): Promise<string> => {
    const content = inPieces(pieces.map((piece) => new TextEncoder().encode(piece)));
    const result = await readCpuProfile({ name: 'a', content, isGzip: false }, { plain: null, signal: undefined });
    return result.type;
  };
  assert.equal(await read(' ', '\n', head, ' ', ' ', '"samples"', ' ', tail, '\n', ' '), 'profile');
  assert.equal(await read('\uFEFF', ' ', head, '"samples"', tail), 'profile');
  assert.equal(await read(' ', '\uFEFF', head, '"samples"', tail), 'unusable');
  assert.equal(await read(' ', ' '), 'unusable');
});

test('a gzipped profile is told by its first bytes', async () => {
  const result = await readFile(inPieces([gzipSync(JSON.stringify(drawn))]));
  assert.equal(result.type, 'profile');
});

test('a gzipped profile whose pieces are overwritten one after the other is read as it was', async () => {
  const packed = gzipSync(JSON.stringify(drawn));
  const result = await readFile(overwritten(packed));
  assert.deepEqual(result, { type: 'profile', profile: decoded(drawn), warnings: [] });
});

test('reading ends with the piece at which it is cancelled, and closes the file', async () => {
  const cancel = new AbortController();
  let asked = 0;
  let isClosed = false;
  async function* endless(): AsyncGenerator<Uint8Array, undefined> {
    try {
      yield new TextEncoder().encode('{"nodes":[');
      for (;;) {
        asked++;
        if (asked === 3) cancel.abort();
        yield new TextEncoder().encode(' ');
      }
    } finally {
      isClosed = true;
    }
  }
  const reading = { plain: null, signal: cancel.signal };
  const result = await readCpuProfile({ name: 'a', content: endless(), isGzip: false }, reading);
  assert.deepEqual(result, { type: 'cancelled' });
  assert.deepEqual([asked, isClosed], [3, true]);
});

/** As `startProfiling(name, false)` of v8-profiler leaves it. */
const { samples: _, timeDeltas: _deltas, ...unsampled } = drawn;
const totals = {
  ...unsampled,
  nodes: drawn.nodes.map((node) => ({ ...node, hitCount: 5, positionTicks: [{ line: 1, ticks: 5 }] })),
};

const damages: readonly (readonly [what: string, content: string | Uint8Array, sentence: RegExp])[] = [
  ['an empty file', '', /is empty/],
  ['a file that was cut off', JSON.stringify(drawn).slice(0, -9), /is cut off/],
  ['a file that was cut off after a node', `${JSON.stringify(drawn).split('}')[0] ?? ''}}`, /is cut off/],
  ['a heap snapshot', '{"snapshot":{},"nodes":[1,2],"samples":[]}', /is JSON, but no CPU profile/],
  [
    'totals',
    JSON.stringify(totals),
    /^a has the total time of each function and no samples, .*startProfiling\(name, true\)/,
  ],
  [
    'a program that was too short for a sample',
    JSON.stringify(unsampled),
    /holds no samples: the program ended too soon/,
  ],
  [
    'samples without times, start or end',
    JSON.stringify({ ...drawn, timeDeltas: [], startTime: null }),
    /^a has samples without times/,
  ],
  ['other JSON', '{"version":3}', /is JSON, but no CPU profile/],
  ['a list', '[]', /is JSON, but no CPU profile/],
  ['no JSON', 'hello', /nor any other JSON/],
  ['a profile without samples', JSON.stringify({ ...drawn, samples: [] }), /holds no samples/],
  ['nodes without numbers', JSON.stringify({ ...drawn, nodes: [{ callFrame: {} }] }), /lack a number/],
  ['nodes that are none', JSON.stringify({ ...drawn, nodes: [null] }), /lack a number/],
  ['two nodes of one number', JSON.stringify({ ...drawn, nodes: [...drawn.nodes, ...drawn.nodes] }), /share one/],
  ['a call tree in a circle', JSON.stringify(circle()), /in a circle/],
  ['samples without a call tree', JSON.stringify({ ...drawn, nodes: [] }), /none of the nodes that were sampled/],
  ['times that are none', JSON.stringify({ ...drawn, timeDeltas: drawn.timeDeltas.map(String) }), /none of its times/],
  ['other JSON in several values', '{"version":3}\n{"version":3}', /nor any other JSON/],
  ['half a gzip file', gzipSync(JSON.stringify(drawn)).subarray(0, 60), /damaged gzip/],
];

for (const [what, content, sentence] of damages) {
  test(`${what} is said to be that`, async () => {
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
    const result = await readFile(inPieces([bytes]));
    assert.match('warning' in result ? warningText(result.warning) : result.type, sentence);
  });
}

async function readFile(chunks: AsyncIterable<Uint8Array>): Promise<Imported> {
  const file = await openFile('a', { ...memoryWorld({}), readChunks: async () => chunks });
  assert.ok(file);
  return readCpuProfile(file, { plain: createPlainReader(), signal: undefined });
}

async function* inPieces(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array, undefined> {
  yield* pieces;
  return undefined;
}

function decoded(profile: unknown): CpuProfile {
  const decoder = new ProfileDecoder();
  decoder.push(new TextEncoder().encode(JSON.stringify(profile)));
  const result = decoder.finish();
  return result.type === 'profile' ? result.profile : assert.fail(result.damage);
}

/** One piece of memory for all pieces, as `readChunks` may use it. */
async function* overwritten(bytes: Uint8Array): AsyncGenerator<Uint8Array, undefined> {
  const piece = new Uint8Array(7);
  for (let at = 0; at < bytes.length; at += piece.length) {
    const { length } = bytes.subarray(at, at + piece.length);
    piece.set(bytes.subarray(at, at + length));
    yield piece.subarray(0, length);
    piece.fill(0);
  }
  return undefined;
}

function circle(): unknown {
  const [root, ...others] = drawn.nodes;
  const nodes = others.map((node) => ({
    ...node,
    children: others.filter((other) => other !== node).map(({ id }) => id),
  }));
  return { ...drawn, nodes: [{ ...root, children: [] }, ...nodes] };
}
