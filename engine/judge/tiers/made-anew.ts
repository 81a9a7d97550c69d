import type { JudgedRun } from '../hotspots/judged-run.ts';
import type { FunctionInfo } from '../../read/functions/function-table.ts';
import { type SourceIndex, functionAt } from '../../read/source-code/source-index.ts';
import type { SourceIndexes } from '../../read/source-code/source-indexes.ts';
import { type CallTree, firstFunctionNode } from '../../read/samples/call-tree.ts';

type Found = Pick<JudgedRun, 'functions' | 'streams' | 'bridged' | 'operations'>;

export interface Candidate {
  readonly fn: FunctionInfo;
  /** True where more than half of its time in JavaScript was optimized. */
  readonly isOptimized: boolean;
}

/**
 * For each candidate that is made anew by each call of the function around it: the label of that function. Other
 * candidates are left out.
 *
 * V8 keeps one feedback for all closures of a literal, and optimizes them as one: no log says how many there were, and
 * one that is made anew may well be optimized. (Its code does without what V8 builds in for a single closure.) So two
 * things are needed. The source must show that each call makes it. The samples must show several calls: operations in
 * which the function runs below the one around it, where that was called and not resumed. Where V8's last code was for
 * a single closure, there was only one call. A callback that is written where it is handed over is left where it is, if
 * V8 optimizes it.
 */
export async function madeAnew(
  candidates: readonly Candidate[],
  found: Found,
  indexes: SourceIndexes,
): Promise<ReadonlyMap<number, string>> {
  const makers = new Map<number, string>();
  const single = singleClosures(found);
  for (const { fn, isOptimized } of candidates) {
    const index = single.has(fn.id) ? null : await indexes.of(fn.url);
    const maker = index === null ? null : makerOf(fn, isOptimized, index);
    if (index === null || maker === null) continue;
    const around = found.functions.functions
      .filter(({ url }) => url === fn.url)
      .filter((one) => at(one, index) === maker);
    const ids = new Set(around.map(({ id }) => id));
    if (around[0] !== undefined && callsSeen(fn.id, ids, found) > 1) makers.set(fn.id, around[0].label);
  }
  return makers;
}

/** Functions whose last code was made for a single closure. */
function singleClosures({ streams, functions }: Found): ReadonlySet<number> {
  const last = new Map<number, boolean>();
  for (const { tiered } of streams) {
    for (const { frame, tier, osr, forOneClosure } of tiered?.code.compiled ?? []) {
      const isFree = tier === 'sparkplug' || osr;
      if (!isFree || forOneClosure) last.set(functions.frames[frame]?.functionId ?? -1, forOneClosure);
    }
  }
  return new Set([...last].filter(([, isOne]) => isOne).map(([functionId]) => functionId));
}

/**
 * Index of the function that makes this one, or the class that contains it, in each of its calls; null where there is
 * none.
 */
function makerOf(fn: FunctionInfo, isOptimized: boolean, index: SourceIndex): number | null {
  const { functions } = index;
  const number = at(fn, index);
  const holder = functions[number]?.parent ?? -1;
  const literal = functions[holder]?.kind === 'class' ? holder : number;
  const { parent = -1, isMadeByEachCall = false } = functions[literal] ?? {};
  const maker = functions[parent];
  if (!isMadeByEachCall || maker?.kind !== 'function') return null;
  const isCallback = maker.calls.some(({ inline }) => inline.includes(literal));
  return isCallback && isOptimized ? null : parent;
}

function at({ line, column, name }: FunctionInfo, index: SourceIndex): number {
  return functionAt(index, line, column, name);
}

/** Most operations of one isolate in which it ran below one of `makers` that was called there. */
function callsSeen(functionId: number, makers: ReadonlySet<number>, found: Found): number {
  const counts = found.streams.map(() => 0);
  const nodes = found.streams.map(({ tree }) => nodesBelow(functionId, makers, tree, found));
  for (const { stream, firstSample, lastSample } of found.operations) {
    const sampled = found.bridged[stream]?.nodes.subarray(firstSample, lastSample);
    if (sampled?.some((node) => nodes[stream]?.[node] === state.below) === true)
      counts[stream] = (counts[stream] ?? 0) + 1;
  }
  return Math.max(0, ...counts);
}

const state = { outside: 0, called: 1, below: 2 } as const;

function nodesBelow(
  functionId: number,
  makers: ReadonlySet<number>,
  { size, parent, functionId: ids }: CallTree,
  { functions: { functions } }: Found,
): Uint8Array {
  const states = new Uint8Array(size);
  for (let node = firstFunctionNode; node < size; node++) {
    const above = parent[node] ?? 0;
    const before = states[above] ?? state.outside;
    const id = ids[node] ?? -1;
    if (before === state.outside && makers.has(id) && isCaller(functions[ids[above] ?? -1]))
      states[node] = state.called;
    else states[node] = before === state.called && id === functionId ? state.below : before;
  }
  return states;
}

/**
 * Whether a function called the one below it. After an `await`, a function goes on below no function, or below Node's
 * queue of ticks.
 */
function isCaller(fn: FunctionInfo | undefined): boolean {
  return fn !== undefined && fn.url !== 'node:internal/process/task_queues';
}
