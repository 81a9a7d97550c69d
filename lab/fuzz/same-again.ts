import assert from 'node:assert/strict';
import type { AnalyzeResult } from '../../engine/analyze.ts';
import { describeFailure } from '../../words/failures.ts';
import { parseJson } from '../../protocol/json-value.ts';
import { reportOf } from '../../show/report/report.ts';
import type { Report } from '../../protocol/report.ts';
import type { DrawnProfile } from '../../test/helpers/drawn-profile.ts';
import { analyzed, type FuzzCase } from './fuzz-case.ts';

/** What says the same is read the same: in other pieces, other white space and keys, other nodes, or in two files. */
export async function assertSameAgain(given: FuzzCase, result: AnalyzeResult): Promise<void> {
  const first = outcome(result);
  const otherwise = async (files: FuzzCase['files'], chunkSize: number): Promise<unknown> =>
    outcome(await analyzed({ ...given, files, chunkSize }));
  const otherSize = given.chunkSize === 0 ? 7 : 0;
  if (sizeOf(given) < 100_000) assert.deepEqual(await otherwise(given.files, otherSize), first, 'in other pieces');
  const rewritten = mapProfiles(given.files, rewrittenJson);
  if (rewritten !== null)
    assert.deepEqual(await otherwise(rewritten, 0), first, 'in other white space and order of keys');
  if (given.sound === null) return;
  const path = Object.keys(given.files).find((name) => name.startsWith('/rec/')) ?? '';
  const renumbered = { ...given.files, [path]: bytesOf(renumberedNodes(given.sound)) };
  assert.deepEqual(await otherwise(renumbered, 0), first, 'with other nodes');
  const parts = partsAtIdle(given.sound);
  if (parts === null) return;
  const { [path]: _, ...others } = given.files;
  // In a recording, maps beside the files count for nothing: it has those that were read when the code was compiled.
  if (Object.keys(others).some((name) => name.endsWith('.map'))) return;
  const split = parts.map((part, number) => [`/rec/7-0-x.${number}.cpuprofile`, bytesOf(part)] as const);
  const recording = { '/rec/events.jsonl': new Uint8Array(0), ...Object.fromEntries(split) };
  const again = await analyzed({ ...given, files: { ...others, ...recording }, chunkSize: 0 });
  assert.deepEqual(hotspotsIn(again), hotspotsIn(result), 'split at an idle sample');
}

function outcome(result: AnalyzeResult): Report | string {
  return result.type === 'failed' ? describeFailure(result.failure) : reportOf(result.analysis, 'all');
}

function hotspotsIn(result: AnalyzeResult): unknown {
  const report = outcome(result);
  if (typeof report === 'string') return report;
  const { functions, modules, lines } = report;
  // As a part of a recording its process is known.
  const operations = report.operations.map((operation) => ({ ...operation, pid: null, threadId: null }));
  return { functions, modules, lines, operations };
}

function sizeOf({ files }: FuzzCase): number {
  return Object.values(files).reduce((sum, bytes) => sum + bytes.length, 0);
}

/** Null where one of the profiles is not JSON. */
function mapProfiles(
  files: FuzzCase['files'],
  change: (bytes: Uint8Array) => Uint8Array | null,
): FuzzCase['files'] | null {
  const changed = Object.entries(files).map(
    ([path, bytes]) => [path, path.endsWith('.cpuprofile') ? change(bytes) : bytes] as const,
  );
  return changed.some(([, bytes]) => bytes === null)
    ? null
    : Object.fromEntries(changed.flatMap(([path, bytes]) => (bytes === null ? [] : [[path, bytes]])));
}

function rewrittenJson(bytes: Uint8Array): Uint8Array | null {
  const text = new TextDecoder().decode(bytes);
  // Left alone: what `JSON.stringify` cannot write again, as 1e400, or is too deep for it.
  const isPlain = !/e\+?\d{3}|\[{99}|(\{"a":){99}/i.test(text);
  const value = isPlain ? parseJson(text) : undefined;
  return value === undefined ? null : bytesOf(value, '\t');
}

function bytesOf(value: unknown, indent = ''): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value, backwards, indent));
}

function backwards(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toReversed());
}

/** The same profile: nodes backwards, with other numbers. */
function renumberedNodes({ nodes, samples, ...rest }: DrawnProfile): DrawnProfile {
  const other = (id: number): number => 10_000 - id * 7;
  return {
    ...rest,
    samples: samples.map(other),
    nodes: nodes
      .toReversed()
      .map((node) => ({ ...node, id: other(node.id), children: node.children.map(other).toReversed() })),
  };
}

/** Two profiles, of which the second begins with the first idle sample; null where there is none but at the start. */
function partsAtIdle(profile: DrawnProfile): readonly DrawnProfile[] | null {
  const idle = profile.nodes.find(({ callFrame }) => callFrame.functionName === '(idle)')?.id;
  const at = profile.samples.indexOf(idle ?? -1);
  if (at <= 0) return null;
  const { samples, timeDeltas } = profile;
  const begin = timeDeltas.slice(0, at + 1).reduce((sum, delta) => sum + delta, profile.startTime);
  return [
    { ...profile, samples: samples.slice(0, at), timeDeltas: timeDeltas.slice(0, at), endTime: begin },
    { ...profile, samples: samples.slice(at), timeDeltas: [0, ...timeDeltas.slice(at + 1)], startTime: begin },
  ];
}
