import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../helpers/drawn-cases.ts';
import { startOf } from '../../engine/read/samples/sample-stream.ts';
import { weightList } from '../helpers/weight-list.ts';
import { type DrawnProfile, profileOf } from '../helpers/drawn-profile.ts';
import { type DrawnHotspots, hotspotsIn, hotspotsOfProfiles } from '../helpers/drawn-hotspots.ts';

const frames = [
  ...['parse', 'render', 'walk', 'test#case', 'cart.ts#<module>', 'lib.ts#<module>', 'bcryptjs#hash', 'mocha#run'],
  ...['jest-runtime#require', 'node:internal/modules/cjs#load', 'node:fs#read', 'native#now'],
];
const javaScript = fc.array(fc.constantFrom(...frames), { minLength: 1, maxLength: 6 });
const meta = fc.constantFrom(['(idle)'], ['(gc)'], ['(program)'], ['(root)']);
const sample = fc.record({
  stack: fc.oneof({ weight: 5, arbitrary: javaScript }, { weight: 2, arbitrary: meta }),
  /** In ms. */
  duration: fc.constantFrom(0, 0.5, 1, 1, 1, 3, 12),
});
const samples = fc.array(sample, { minLength: 1, maxLength: 30 });
/** Turns that do not overlap: gap before and length, in ms. */
const turns = fc
  .array(fc.tuple(fc.constantFrom(0, 0.5, 2), fc.constantFrom(1, 1.5, 3, 8)), { maxLength: 12 })
  .map((steps) => {
    let now = 0;
    return steps.map(([gap, length]) => {
      const start = now + gap;
      now = start + length;
      return [start, now] as const;
    });
  });
const recording = fc.record({ samples, turns: fc.option(turns, { nil: undefined }) });
type Recording = Readonly<
  Parameters<Parameters<typeof fc.property<[typeof recording extends fc.Arbitrary<infer R> ? R : never]>>[1]>[0]
>;

function drawn({ samples: all }: Pick<Recording, 'samples'>): DrawnProfile {
  return profileOf(
    all.map(({ stack }) => stack),
    all.map(({ duration }) => duration),
  );
}

const analyzed = new Map<string, Promise<DrawnHotspots>>();

/** Each recording is analyzed once: the properties are about the same ones. */
async function hotspots(given: Recording): Promise<DrawnHotspots> {
  const key = JSON.stringify(given);
  const known = analyzed.get(key) ?? hotspotsOf(drawn(given), given);
  analyzed.set(key, known);
  return known;
}

async function hotspotsOf(profile: DrawnProfile, { turns: given }: Recording): Promise<DrawnHotspots> {
  return hotspotsOfProfiles([profile], given === undefined ? {} : { turns: given });
}

function always(what: string, check: (given: Recording) => Promise<void>): void {
  test(what, () => fc.assert(fc.asyncProperty(recording, check), { numRuns: 40 }));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

always('self times, idling and native code add up to what was sampled, or at least to the turns', async (given) => {
  const { analysis, report } = await hotspots(given);
  for (const [index, stream] of analysis.streams.entries()) {
    const { nodes, weights } = analysis.bridged[index] ?? assert.fail();
    const without = sum(weightList(weights).filter((_, at) => (nodes[at] ?? 0) < 4));
    assert.equal(sum(report.functions.map(({ selfUs }) => selfUs)) + without, sum(weightList(weights)));
    // Turns may begin before the first sample, and end after the profile.
    const sampled = analysis.operations.filter(({ firstSample, lastSample }) => firstSample < lastSample);
    const start = Math.min(startOf(stream), ...sampled.map((operation) => operation.start));
    const last = analysis.operations.filter((operation) => operation.start < stream.end || sampled.includes(operation));
    const end = Math.max(stream.end, ...last.map((operation) => operation.end));
    const least = given.turns === undefined ? end - start : sum(sampled.map(({ held }) => held));
    assert.ok(sum(weightList(weights)) >= least && sum(weightList(weights)) <= end - start);
  }
});

always('no worst is longer than the longest operation, no count greater than their number', async (given) => {
  const { report } = await hotspots(given);
  const longest = Math.max(0, ...report.operations.map(({ durationUs }) => durationUs));
  for (const fn of report.functions) {
    assert.ok(fn.worstUs <= longest);
    assert.ok(fn.longCount <= report.operations.length);
    assert.ok(fn.distinctStacks >= Math.min(1, fn.longCount));
    assert.ok(fn.worstWarmUs <= fn.worstUs);
    assert.ok((fn.culprit?.worstUs ?? 0) <= fn.worstUs);
    assert.ok((fn.culprit?.longCount ?? 0) <= fn.longCount);
  }
});

always('self is within total, total within the time that was not idle', async (given) => {
  const { analysis, report } = await hotspots(given);
  const { nodes, weights } = analysis.bridged[0] ?? assert.fail();
  const busy = sum(weightList(weights).map((weight, at) => (nodes[at] === 2 ? 0 : weight)));
  for (const { selfUs, totalUs, gcUs, loadUs } of report.functions) {
    assert.ok(gcUs <= selfUs && selfUs <= totalUs && loadUs <= totalUs && totalUs <= busy);
  }
});

always(
  'own parts and load are within the operation; places add up to parts, lines of callees to places',
  async (given) => {
    const { analysis, operations } = await hotspots(given);
    for (const [number, { durationUs, loadUs, culprit, blame }] of operations.entries()) {
      const parts = [...analysis.ownParts].filter(({ operation }) => operation === number);
      const held = sum(parts.map(({ weight }) => weight)) + Math.max(loadUs, blame?.us ?? 0);
      assert.ok(held <= durationUs);
      assert.equal(culprit?.us ?? 0, parts[0]?.weight ?? 0);
      const isSampled =
        (analysis.operations[number]?.firstSample ?? 0) < (analysis.operations[number]?.lastSample ?? 0);
      assert.equal(parts.length > 0 || blame !== null, isSampled && durationUs > analysis.thresholdUs);
      for (const { weight, places } of parts) {
        assert.equal(sum(places.map((place) => place.weight)), weight);
        for (const place of places) {
          assert.ok(place.weight > analysis.thresholdUs);
          assert.equal(place.self + sum(place.callees.map((callee) => callee.weight)), place.weight);
        }
      }
    }
  },
);

always('inferred operations are made of whole samples and do not overlap', async (given) => {
  const { operations } = await hotspots({ samples: given.samples, turns: undefined });
  for (const [number, { startUs, durationUs }] of operations.entries()) {
    assert.ok(startUs + durationUs <= (operations[number + 1]?.startUs ?? Infinity));
  }
});

always('the order and the numbers of nodes and keys make no difference', isTheSameShuffled);

test('the order of nodes makes no difference to which of two equal callers is named', () =>
  isTheSameShuffled({
    samples: [
      { stack: ['parse', 'cart.ts#<module>'], duration: 3 },
      { stack: ['cart.ts#<module>'], duration: 3 },
      { stack: ['(idle)'], duration: 0 },
    ],
    turns: undefined,
  }));

async function isTheSameShuffled(given: Recording): Promise<void> {
  const { report } = await hotspotsOf(shuffled(drawn(given)), given);
  assert.deepEqual(report, (await hotspots(given)).report);
}

always('a profile that is split at an idle sample gives the same hotspots', async (given) => {
  const profile = drawn({ samples: given.samples });
  const whole = await hotspotsOfProfiles([profile]);
  const idle = profile.nodes.find(({ callFrame }) => callFrame.functionName === '(idle)')?.id;
  const at = profile.samples.indexOf(idle ?? -1);
  if (at <= 0) return;
  const split = await hotspotsOfProfiles(partsAt(profile, at));
  assert.deepEqual(withoutFiles(split), withoutFiles(whole));
});

test('a stack of 30 000 frames and one of 30 000 neighbours overflow nothing', async () => {
  const deep = Array.from({ length: 30_000 }, (_, depth) => node(depth + 1, depth < 29_999 ? [depth + 2] : []));
  const children = Array.from({ length: 30_000 }, (_, child) => child + 2);
  const wide = [node(1, children), ...children.map((child) => node(child, []))];
  for (const nodes of [deep, wide]) {
    const profile = { nodes, samples: [30_000, 15_000], timeDeltas: [0, 1000], startTime: 0, endTime: 2000 };
    const { report } = await hotspotsIn({ '/rec/a.cpuprofile': JSON.stringify(profile) });
    assert.ok(report.functions.length > 0);
  }
});

function node(id: number, children: readonly number[]): unknown {
  const functionName = id === 1 ? '(root)' : `f${id}`;
  const url = id === 1 ? '' : 'file:///app/src/app.ts';
  return { id, callFrame: { functionName, url, lineNumber: id, columnNumber: 1, scriptId: '1' }, children };
}

/** The same profile: nodes backwards, other numbers, keys in another order. */
function shuffled({ nodes, samples: ids, startTime, endTime, timeDeltas }: DrawnProfile): DrawnProfile {
  const other = (id: number): number => 10_000 - id * 7;
  return {
    timeDeltas,
    samples: ids.map(other),
    endTime,
    startTime,
    nodes: nodes.toReversed().map(({ id, callFrame, children, hitCount }) => ({
      hitCount,
      children: children.map(other).toReversed(),
      callFrame,
      id: other(id),
    })),
  };
}

function partsAt(profile: DrawnProfile, at: number): readonly DrawnProfile[] {
  const begin = profile.startTime + sum(profile.timeDeltas.slice(0, at + 1));
  const [samplesBefore, deltasBefore] = [profile.samples.slice(0, at), profile.timeDeltas.slice(0, at)];
  const timeDeltas = [0, ...profile.timeDeltas.slice(at + 1)];
  return [
    { ...profile, samples: samplesBefore, timeDeltas: deltasBefore, endTime: begin },
    { ...profile, samples: profile.samples.slice(at), timeDeltas, startTime: begin },
  ];
}

function withoutFiles({ report }: DrawnHotspots): unknown {
  return { functions: report.functions, operations: report.operations, modules: report.modules };
}
