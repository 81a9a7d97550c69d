import path from 'node:path';
import { readFile, readdir, stat } from 'node:fs/promises';
import { analyze } from '../../engine/analyze.ts';
import { describeFailure } from '../../words/failures.ts';
import { reportOf } from '../../show/report/report.ts';
import { diskWorld } from '../../recordings/disk-world.ts';
import { profileSuffix } from '../../protocol/recording.ts';
import { milliseconds } from '../../protocol/units.ts';
import { differencesOf } from './figures.ts';
import { PlainFunctions, type PlainFunction } from './plain-function.ts';
import { parsePlainProfile, type PlainProfile } from './plain-profile.ts';
import { plainRecording } from './plain-recording.ts';
import { type ReferenceAnalysis, referenceAnalysis } from './reference-analysis.ts';
import type { LostFrames } from './plain-thread.ts';
import { firstFunctionNode } from '../../engine/read/samples/call-tree.ts';
import type { Analysis } from '../../engine/analysis.ts';

export interface Compared {
  readonly samples: number;
  readonly nodes: number;
  readonly functions: number;
  readonly culprits: number;
  readonly operations: number;
  readonly truncated: number;
  readonly unplaced: number;
  /** A sentence each. */
  readonly differences: readonly string[];
  readonly reference: ReferenceAnalysis;
}

/** Engine and reference on a `.cpuprofile` or a folder of a recording, as it was sampled: without source maps. */
export async function compareRecording(place: string, root: string, thresholdMs: number): Promise<Compared> {
  const files = await filesIn(place);
  const { isolates, evaluated } = plainRecording(files, parsePlainProfile);
  const options = { thresholdUs: milliseconds(thresholdMs), roots: [root], sourceMaps: false };
  const result = await analyze([place], diskWorld, options);
  if (result.type === 'failed') throw new Error(describeFailure(result.failure));
  const lost = lostFrames(result.analysis);
  const reference = referenceAnalysis(isolates, { roots: [root], evaluated }, thresholdMs * 1000, lost);
  const report = reportOf(result.analysis, 'all');
  const grafts = reference.threads.map((thread) => thread.grafts);
  return {
    samples: sum(reference.threads.map(({ samples }) => samples.length)),
    nodes: sum(isolates.flatMap(({ parts }) => parts.map(({ nodes }) => nodes.length))),
    functions: report.functions.length,
    culprits: report.functions.filter(({ culprit }) => culprit !== null).length,
    operations: report.operations.length,
    truncated: sum(grafts.map(({ truncated }) => truncated)),
    unplaced: sum(grafts.map(({ unplaced }) => unplaced)),
    differences: [
      ...differencesOf(result.analysis, reference),
      ...tickDifferences(
        result.analysis,
        isolates.flatMap(({ parts }) => parts),
        new PlainFunctions({ roots: [root], evaluated }),
      ),
    ],
    reference,
  };
}

/** The innermost frames that the engine found by the sources, which the reference does not read. */
function lostFrames({ functions: { functions }, streams }: Analysis): LostFrames {
  return (thread, sample, depth) => {
    const { nodes, lost, tree } = streams[thread] ?? {};
    const node = nodes?.[sample] ?? -1;
    if (tree === undefined || lost?.has(node) !== true) return null;
    let frames = 0;
    for (let at = node; at >= firstFunctionNode; at = tree.parent[at] ?? 0) frames++;
    const fn = functions[tree.functionId[node] ?? -1];
    if (fn === undefined || frames !== depth + 1) return null;
    const { name, url, line, column } = fn;
    return { functionName: name, scriptId: '', url, lineNumber: line, columnNumber: column };
  };
}

async function filesIn(place: string): Promise<Readonly<Record<string, string>>> {
  const isFolder = (await stat(place)).isDirectory();
  const names = isFolder ? await readdir(place) : [path.basename(place)];
  const folder = isFolder ? place : path.dirname(place);
  const read = names
    .filter((name) => name.endsWith(profileSuffix) || name.endsWith('.jsonl') || name === 'recording.json')
    .map(async (name) => [name, await readFile(path.join(folder, name), 'utf8')] as const);
  return Object.fromEntries(await Promise.all(read));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/**
 * Rule 16, as far as no source is needed: in how many samples each line of each function was executing, over all its
 * nodes. A sentence for each function in which the two differ. Samples of one node whose outer frames V8 lost may go
 * several ways, and nobody knows which of its lines goes which: each way then has them all, so there the engine may have
 * more. Where V8 lost the innermost frame, the engine has fewer at the caller.
 */
function tickDifferences(
  { functions: { functions }, streams }: Pick<Analysis, 'functions' | 'streams'>,
  parts: readonly PlainProfile[],
  plain: PlainFunctions,
): readonly string[] {
  const mine = new Map<string, Map<number, number>>();
  const callers = new Set<string>();
  for (const { tree, lost } of streams) {
    for (const node of lost.keys()) {
      const caller = functions[tree.functionId[tree.parent[node] ?? -1] ?? -1];
      if (caller !== undefined) callers.add(nameOf(caller));
    }
    const { start, line, count } = tree.ticks();
    for (let node = 0; node < tree.size; node++) {
      const fn = functions[tree.functionId[node] ?? -1];
      if (fn === undefined) continue;
      for (let entry = start[node] ?? 0; entry < (start[node + 1] ?? 0); entry++)
        add(mine, nameOf(fn), line[entry] ?? 0, count[entry] ?? 0);
    }
  }
  const theirs = new Map<string, Map<number, number>>();
  for (const { callFrame, positionTicks = [] } of parts.flatMap(({ nodes }) => nodes)) {
    const isMeta = callFrame.url === '' && callFrame.functionName.startsWith('(');
    for (const { line, ticks } of isMeta ? [] : positionTicks) add(theirs, nameOf(plain.of(callFrame)), line, ticks);
  }
  const isGrafted = streams.some(({ truncated }) => truncated.grafted > 0);
  return [...new Set([...mine.keys(), ...theirs.keys()])].flatMap((name) => {
    const [engine, reference] = [shown(mine.get(name)), shown(theirs.get(name))];
    const isMore =
      isGrafted && linesIn(mine.get(name)) === linesIn(theirs.get(name)) && isAtLeast(mine.get(name), theirs.get(name));
    return engine === reference || isMore || callers.has(name)
      ? []
      : [`lines of ${name}: engine ${engine}, reference ${reference}`];
  });
}

function add(sums: Map<string, Map<number, number>>, name: string, line: number, count: number): void {
  const lines = sums.get(name) ?? new Map<number, number>();
  sums.set(name, lines.set(line, (lines.get(line) ?? 0) + count));
}

function nameOf({ name, url, line, column }: Pick<PlainFunction, 'name' | 'url' | 'line' | 'column'>): string {
  return `${name} ${url}:${line}:${column}`;
}

type Lines = ReadonlyMap<number, number> | undefined;

function shown(lines: Lines): string {
  return JSON.stringify([...(lines ?? [])].filter(([, count]) => count > 0).toSorted(([a], [b]) => a - b));
}

function linesIn(lines: Lines): string {
  return [...(lines?.keys() ?? [])].toSorted((a, b) => a - b).join(' ');
}

function isAtLeast(more: Lines, less: Lines): boolean {
  return [...(less ?? [])].every(([line, count]) => (more?.get(line) ?? 0) >= count);
}
