import assert from 'node:assert/strict';
import type { Analysis } from '../../engine/analysis.ts';
import { groupBy } from '../../engine/basics/lists.ts';
import { firstFunctionNode, metaNodes } from '../../engine/read/samples/call-tree.ts';
import { type SampleStream, isBackground, startOf } from '../../engine/read/samples/sample-stream.ts';
import { weightList } from '../../test/helpers/weight-list.ts';
import type { FlameAnswer, FlameFrame } from '../../protocol/flame.ts';
import type { Report } from '../../protocol/report.ts';

/** The invariants of the figures, as `docs/definition.md` promises them, on whatever was read. */
export function assertInvariants(analysis: Analysis, report: Report): void {
  assertSafe(report, 'report');
  for (const stream of analysis.streams) assertStream(stream);
  assertTimes(analysis);
  assertFunctions(analysis);
  assertOperations(analysis);
  assertModules(analysis);
  assertLines(analysis);
}

/** Every number is one that JSON and JavaScript hold exactly. */
function assertSafe(value: unknown, where: string): void {
  if (typeof value === 'number') assert.ok(Number.isSafeInteger(value), `${where} is ${value}`);
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) assertSafe(inner, `${where}.${key}`);
}

function weightsOf({ times, end }: SampleStream): readonly number[] {
  return Array.from(times, (time, sample) => (times.at(sample + 1) ?? end) - time);
}

function assertStream(stream: SampleStream): void {
  const weights = weightsOf(stream);
  assert.ok(
    weights.every((weight) => weight >= 0),
    'samples are in order',
  );
  assert.equal(sum(weights), stream.end - startOf(stream), 'weights add up to what was sampled');
  assert.equal(stream.nodes.length, stream.times.length);
  const { samples, grafted, unplaced } = stream.truncated;
  assert.equal(grafted + unplaced.size, samples);
  for (let node = 1; node < stream.tree.size; node++) assert.ok((stream.tree.parent[node] ?? node) < node);
}

/** Self times, idling and native time add up to all; what is within what. */
function assertTimes({ streams, bridged, figures }: Analysis): void {
  const without = { empty: 0, idle: 0 };
  for (const [index, stream] of streams.entries()) {
    const { nodes, weights, spans } = bridged[index] ?? assert.fail();
    assert.ok(
      weightList(weights).every((weight) => weight >= 0),
      'no sample counts less than nothing',
    );
    assert.equal(weights.length, stream.times.length);
    assert.ok(
      spans.of.every((span) => span < spans.wall.length),
      'spans are there',
    );
    for (const [sample, weight] of weightList(weights).entries()) {
      const node = nodes[sample] ?? assert.fail();
      if (node < firstFunctionNode) without.empty += weight;
      if (node === metaNodes.idle) without.idle += weight;
    }
  }
  const all = sum(bridged.map(({ weights }) => sum(weightList(weights))));
  assert.equal(sum(figures.map(({ self }) => self)) + without.empty, all, 'self times add up');
  for (const { self, total, gc, load } of figures) {
    assert.ok(0 <= gc && gc <= self && self <= total && total <= all - without.idle, 'gc ≤ self ≤ total ≤ busy');
    assert.ok(0 <= load && load <= total, 'load ≤ total');
  }
}

function assertFunctions({ figures, operations, streams, thresholdUs }: Analysis): void {
  const waited = operations.filter(({ stream }) => !isBackground(streams[stream]));
  const longest = waited.reduce((most, { held }) => Math.max(most, held), 0);
  for (const { presence, culprit } of figures) {
    assert.ok(presence.worst <= longest, 'worst ≤ operation');
    assert.ok(presence.worstWarm <= presence.worst);
    assert.ok(presence.longCount <= waited.length, 'long count ≤ operations');
    assert.ok(sum(Object.values(presence.byClass)) <= waited.length);
    assert.equal(presence.worst > thresholdUs, presence.longCount > 0);
    assert.ok(presence.distinctStacks >= Math.min(1, presence.longCount));
    if (culprit === null) continue;
    assert.ok(thresholdUs < culprit.worst && culprit.worst <= presence.worst, 'own part ≤ presence');
    assert.ok(culprit.worstWarm <= culprit.worst);
    assert.ok(1 <= culprit.longCount && culprit.longCount <= presence.longCount);
    assert.ok(1 <= culprit.distinctStacks);
  }
}

function assertOperations({ operations, verdicts, ownParts, thresholdUs, streams }: Analysis): void {
  const ends = new Map<number, number>();
  const byOperation = groupBy(ownParts, ({ operation }) => operation);
  for (const [number, { start, end, held: duration, stream, firstSample, lastSample }] of operations.entries()) {
    assert.ok(0 <= duration && duration <= end - start, 'held ≤ by the clock');
    assert.ok(start >= (ends.get(stream) ?? -Infinity), 'operations of a thread do not overlap');
    ends.set(stream, end);
    assert.ok(start >= (operations[number - 1]?.start ?? -Infinity), 'operations are in order');
    assert.ok(firstSample <= lastSample && lastSample <= (streams[stream]?.times.length ?? 0));
    const verdict = verdicts[number] ?? assert.fail();
    const parts = byOperation.get(number) ?? [];
    assert.ok(sum(parts.map(({ weight }) => weight)) + verdict.load <= duration, 'own parts + load ≤ duration');
    assert.ok(verdict.gc <= duration);
    assert.equal(verdict.culprit?.us ?? 0, parts[0]?.weight ?? 0, 'the culprit has the largest own part');
    const blamed = verdict.blame?.us ?? 0;
    if (blamed > 0) assert.ok(duration > thresholdUs && (parts.length === 0 || blamed > thresholdUs));
    assert.ok(sum(parts.map(({ weight }) => weight)) + blamed <= duration, 'own parts + blame ≤ duration');
    for (const { weight, places } of parts) {
      assert.equal(sum(places.map((place) => place.weight)), weight, 'places add up to their part');
      for (const { self, callees, weight: whole } of places)
        assert.equal(self + sum(callees.map((callee) => callee.weight)), whole, 'callees add up to their place');
    }
  }
}

function assertModules({ modules, verdicts }: Analysis): void {
  const load = sum(verdicts.map((verdict) => verdict.load));
  assert.equal(sum(modules.map(({ self }) => self)), load, 'load time is that of the modules');
  for (const { self, total } of modules) assert.ok(self <= total && total <= load, 'self ≤ total ≤ load');
}

function assertLines({ lines, operations, figures, thresholdUs }: Analysis): void {
  for (const { worst, longCount, line, functionIds } of lines) {
    assert.ok(line >= 0 && longCount <= operations.length);
    assert.equal(worst > thresholdUs, longCount > 0);
    const most = functionIds.map((id) => {
      const { culprit, backgroundCulprit } = figures[id] ?? assert.fail();
      return Math.max(culprit?.worst ?? 0, backgroundCulprit?.worst ?? 0);
    });
    assert.ok(worst <= sum(most), 'a line ≤ its functions together');
  }
}

export function assertFlame({ root, selfByCategory, zoom }: FlameAnswer): void {
  const waiting: FlameFrame[] = [root];
  for (let frame = waiting.pop(); frame !== undefined; frame = waiting.pop()) {
    const { value, selfUs, hiddenUs, children, id } = frame;
    assert.ok(value >= 0 && selfUs >= 0 && hiddenUs >= 0 && Number.isSafeInteger(value));
    assert.equal(value, selfUs + hiddenUs + sum(children.map((child) => child.value)));
    if (id === zoom) assert.equal(sum(Object.values(selfByCategory)), value, 'the legend adds up');
    waiting.push(...children);
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
