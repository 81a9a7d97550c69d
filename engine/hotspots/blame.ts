import type { BlameKind } from '../../protocol/report.ts';
import { microseconds, type Microseconds } from '../../protocol/units.ts';
import type { Blame, JudgedRun } from './judged-run.ts';
import type { FunctionInfo, FunctionFlags } from '../functions/function-table.ts';
import { type CallTree, firstFunctionNode } from '../samples/call-tree.ts';
import type { OperationTree, PreparedStream } from '../function-figures/operation-tree.ts';
import { firstDifference, compareTexts } from '../basics/lists.ts';

/**
 * Finds who held the loop in an operation without a culprit: what has the largest part of it (rule 14). Equal parts are
 * ordered as in `kinds`, then by name. Null where the operation has no sample.
 */
export function createBlamer({
  stream,
  functions,
  flags: given,
}: PreparedStream): (tree: OperationTree) => Blame | null {
  let blamed: Int32Array | null = null;
  return (tree) => {
    const parts = new Map<string, Part>();
    const add = (kind: BlameKind, name: string, us: number): void => {
      const key = `${kind}:${name}`;
      parts.set(key, { kind, name, us: (parts.get(key)?.us ?? 0) + us });
    };
    add('gc', 'gc', tree.collecting);
    add('native', 'native', tree.native);
    blamed ??= blamedStacks(stream.tree, functions, given);
    for (const [one, us] of weightsByBlamed(tree, blamed)) {
      const { kind, name } = stream.isolate.isTestParent ? runner : nameOf(one, functions);
      add(kind, name, us);
    }
    const [largest] = [...parts.values()].toSorted((a, b) =>
      firstDifference(b.us - a.us, kinds.indexOf(a.kind) - kinds.indexOf(b.kind), compareTexts(a.name, b.name)),
    );
    return largest === undefined || largest.us === 0 ? null : { ...largest, us: microseconds(largest.us) };
  };
}

/**
 * The parent process of tests transforms and reports by packages of its own (vite, esbuild), so all of it is the
 * runner's.
 */
const runner = { kind: 'runner', name: 'runner' } as const;

interface Part {
  readonly kind: BlameKind;
  readonly name: string;
  readonly us: number;
}

const kinds: readonly BlameKind[] = ['own', 'package', 'loading', 'runner', 'other', 'node', 'gc', 'native'];

/** What a stack can be blamed on besides a package, as numbers below those of functions. */
const otherKinds = { native: -1, node: -2, runner: -3, loading: -4, own: -5, other: -6 } as const;
const otherNames = ['native', 'node', 'runner', 'loading', 'own', 'other'] as const;

function nameOf(blamed: number, functions: readonly FunctionInfo[]): Pick<Part, 'kind' | 'name'> {
  const packageName = functions[blamed]?.packageName;
  if (packageName !== undefined && packageName !== null) return { kind: 'package', name: packageName };
  const kind = otherNames[-1 - blamed] ?? 'native';
  return { kind, name: kind };
}

function weightsByBlamed({ size, nodes, self }: OperationTree, blamed: Int32Array): ReadonlyMap<number, number> {
  const weights = new Map<number, number>();
  for (let place = 1; place < size; place++) {
    const weight = self.weight[place] ?? 0;
    if (weight === 0) continue;
    const one = blamed[nodes[place] ?? 0] ?? 0;
    weights.set(one, (weights.get(one) ?? 0) + weight);
  }
  return weights;
}

/**
 * What is on the path to a node. `own`: own code below the innermost runner. `loads`: the innermost of loader, package
 * and own frames is a loader's.
 */
const flags = { loads: 1, own: 2, runner: 4, javascript: 8, other: 16 } as const;

/**
 * What the stack of each node is blamed on: a function's id, or one of `otherKinds`. The loop goes from the root down:
 * walking up from each sample took longer than all other figures of an operation whose stacks are 400 frames deep.
 */
function blamedStacks(
  { size, parent, functionId }: CallTree,
  functions: readonly FunctionInfo[],
  given: FunctionFlags,
): Int32Array {
  const blamed = new Int32Array(size).fill(otherKinds.native);
  const seen = new Uint8Array(size);
  /** The outermost function of a dependency below the innermost runner, by node; −1 where there is none. */
  const outermost = new Int32Array(size).fill(-1);
  const { package: isPackage, runner: isRunner, own: isOwn } = given;
  for (let node = firstFunctionNode; node < size; node++) {
    const fn = functionId[node] ?? 0;
    const above = parent[node] ?? 0;
    const outermostAbove = isRunner[fn] === 1 ? -1 : (outermost[above] ?? -1);
    const first = outermostAbove === -1 && isPackage[fn] === 1 ? fn : outermostAbove;
    let kept = seen[above] ?? 0;
    if (isRunner[fn] === 1) kept &= ~flags.own;
    if (isOwn[fn] === 1 || isPackage[fn] === 1) kept &= ~flags.loads;
    outermost[node] = first;
    seen[node] = kept | flagsOf(fn, given);
    // Most nodes have none, and looking up −1 in a list took longer than all the rest here.
    blamed[node] = blamedFor(seen[node] ?? 0, first === -1 ? undefined : functions[first]);
  }
  return blamed;
}

/**
 * What one stack is blamed on. First comes own code below the runner, in calls that are too short to be culprits. Then
 * comes the dependency whose frame is outermost there; where that frame is a module being evaluated, the blame is
 * `loading`. (mocha runs inside its yargs, and also calls it: neither belongs to the program.) Without a dependency, it
 * is what else is on the stack.
 */
function blamedFor(seen: number, first: FunctionInfo | undefined): number {
  const isRunners = (seen & flags.runner) !== 0 && (seen & flags.own) === 0;
  const outermost = isRunners ? undefined : first;
  const isEvaluated = outermost?.moduleBody === true;
  const loads = (seen & flags.loads) !== 0;
  if (!isEvaluated && !loads && (seen & flags.own) !== 0) return otherKinds.own;
  if (outermost !== undefined && outermost.packageName !== null && !isEvaluated) return outermost.id;
  if (isEvaluated || loads) return otherKinds.loading;
  if ((seen & flags.runner) !== 0) return otherKinds.runner;
  if ((seen & flags.other) !== 0) return otherKinds.other;
  return (seen & flags.javascript) === 0 ? otherKinds.native : otherKinds.node;
}

function flagsOf(fn: number, { loader, own, runner: runners, native, other }: FunctionFlags): number {
  return (
    (loader[fn] === 1 ? flags.loads : 0) |
    (own[fn] === 1 ? flags.own : 0) |
    (runners[fn] === 1 ? flags.runner : 0) |
    (other[fn] === 1 ? flags.other : 0) |
    (native[fn] === 1 ? 0 : flags.javascript)
  );
}

/** A long operation without a culprit. */
export interface BlamedOperation {
  readonly blame: Blame;
  readonly durationUs: Microseconds;
}

type Found = Pick<JudgedRun, 'operations' | 'verdicts' | 'streams' | 'thresholdUs'>;

/**
 * Long operations in which one thing alone is over the threshold. The others are a mix, and their largest part is no
 * useful answer beside hotspots.
 */
export function longBlames(found: Found): readonly BlamedOperation[] {
  return blamedOperations(found).filter(({ blame }) => blame.us > found.thresholdUs);
}

/** Long operations without a culprit, on event loops that somebody waits for. */
export function blamedOperations({ operations, verdicts, streams }: Found): readonly BlamedOperation[] {
  return operations.flatMap(({ stream, held }, index) => {
    const blame = verdicts[index]?.blame ?? null;
    const isWaited = streams[stream]?.isolate.threadKind !== 'background';
    return blame === null || !isWaited ? [] : [{ blame, durationUs: held }];
  });
}
