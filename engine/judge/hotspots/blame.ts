import type { BlameKind } from '../../../protocol/report.ts';
import { microseconds, type Microseconds } from '../../../protocol/units.ts';
import type { Blame, JudgedRun, Verdict } from './judged-run.ts';
import type { FunctionInfo, FunctionFlags } from '../../read/functions/function-table.ts';
import { type CallTree, firstFunctionNode } from '../../read/samples/call-tree.ts';
import { type OperationTree, type PreparedStream, Sums } from '../function-figures/operation-tree.ts';
import { compareTexts } from '../../basics/lists.ts';
import { once } from '../../basics/once.ts';

export interface BlameTargets {
  /** In order of precedence among equal parts. */
  readonly all: readonly Pick<Blame, 'kind' | 'name'>[];
  /** Index into `all` of each kind with one target. */
  readonly of: Readonly<Record<Exclude<BlameKind, 'package'>, number>>;
  /** Index into `all` of the package, by function id; −1 for functions of no package. */
  readonly ofFunction: Int32Array;
}

export function findBlameTargets(functions: readonly FunctionInfo[]): BlameTargets {
  const packages = [...new Set(functions.flatMap(({ packageName }) => packageName ?? []))].toSorted(compareTexts);
  const all = kinds.flatMap((kind) => (kind === 'package' ? packages : [kind]).map((name) => ({ kind, name })));
  const numberOf = (wanted: BlameKind): number => all.findIndex(({ kind }) => kind === wanted);
  const ofPackage = new Map(packages.map((name, index) => [name, numberOf('package') + index]));
  return {
    all,
    of: {
      own: numberOf('own'),
      loading: numberOf('loading'),
      runner: numberOf('runner'),
      other: numberOf('other'),
      node: numberOf('node'),
      gc: numberOf('gc'),
      native: numberOf('native'),
    },
    ofFunction: Int32Array.from(functions, ({ packageName }) => ofPackage.get(packageName ?? '') ?? -1),
  };
}

const kinds: readonly BlameKind[] = ['own', 'package', 'loading', 'runner', 'other', 'node', 'gc', 'native'];

/**
 * Finds what an operation is blamed on: the largest part of what its culprits (`owner` by place; null without any) did
 * not take (rule 14). Null without samples, and beside a culprit where it is not over the threshold.
 */
export function createBlamer(
  { stream, functions, flags: given }: PreparedStream,
  targets: BlameTargets,
  thresholdUs: Microseconds,
): (tree: OperationTree, owner: Int32Array | null) => Blame | null {
  const blamed = once(() => blamedStacks(stream.tree, functions, given, targets));
  const parts = once(() => new Sums(targets.all.length));
  const { gc, native, runner, own } = targets.of;
  // The parent process of tests transforms and reports by packages of its own (vite, esbuild), so all of it is the
  // runner's.
  const { isTestParent } = stream.isolate;
  return ({ size, nodes, self, collecting, native: bare }, owner) => {
    const [targetOf, sums] = [blamed(), parts()];
    sums.fill(0);
    sums.add(gc, collecting);
    sums.add(native, bare);
    for (let place = 1; place < size; place++) {
      if (owner !== null && owner[place] !== -1) continue;
      sums.add(isTestParent ? runner : (targetOf[nodes[place] ?? 0] ?? native), self.weight[place] ?? 0);
    }
    // Beside a culprit, own code is what carriers did not take, or spread too thin to be named.
    if (owner !== null) sums[own] = 0;
    let largest = 0;
    for (let at = 1; at < sums.length; at++) if ((sums[at] ?? 0) > (sums[largest] ?? 0)) largest = at;
    const [target, us] = [targets.all[largest], sums[largest] ?? 0];
    return us <= (owner === null ? 0 : thresholdUs) || target === undefined
      ? null
      : { ...target, us: microseconds(us) };
  };
}

/** Bits for a path. `own`: own code below the innermost runner. `loads`: a loader is innermost. */
const flags = { loads: 1, own: 2, runner: 4, javascript: 8, other: 16 } as const;

/** The target of each node's stack, from the root down: from each sample up took longer than all other figures. */
function blamedStacks(
  { size, parent, functionId }: CallTree,
  functions: readonly FunctionInfo[],
  given: FunctionFlags,
  targets: BlameTargets,
): Int32Array {
  const blamed = new Int32Array(size).fill(targets.of.native);
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
    blamed[node] = blamedFor(seen[node] ?? 0, first === -1 ? undefined : functions[first], targets);
  }
  return blamed;
}

/**
 * What one stack is blamed on: own code below the runner; else the outermost dependency there, or `loading` if that is
 * evaluating a module (mocha runs inside its yargs and calls it too: neither is the program's); else what is left on
 * the stack.
 */
function blamedFor(seen: number, first: FunctionInfo | undefined, { of, ofFunction }: BlameTargets): number {
  const isRunners = (seen & flags.runner) !== 0 && (seen & flags.own) === 0;
  const outermost = isRunners ? undefined : first;
  const isEvaluated = outermost?.moduleBody === true;
  const loads = (seen & flags.loads) !== 0;
  if (!isEvaluated && !loads && (seen & flags.own) !== 0) return of.own;
  if (outermost !== undefined && outermost.packageName !== null && !isEvaluated)
    return ofFunction[outermost.id] ?? of.other;
  if (isEvaluated || loads) return of.loading;
  if ((seen & flags.runner) !== 0) return of.runner;
  if ((seen & flags.other) !== 0) return of.other;
  return (seen & flags.javascript) === 0 ? of.native : of.node;
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

/** The culprit of an operation, unless its blame has more of it. */
export function mainCulprit({ culprit, blame }: Verdict): Verdict['culprit'] {
  return culprit === null || (blame !== null && blame.us > culprit.us) ? null : culprit;
}

/** A long operation with a blame. */
export interface BlamedOperation {
  readonly blame: Blame;
  /** True where its turn was inferred, or is in doubt. */
  readonly estimated: boolean;
  readonly durationUs: Microseconds;
}

type Found = Pick<JudgedRun, 'operations' | 'verdicts' | 'streams' | 'thresholdUs'>;

/** Long operations with one target over the threshold. The others are a mix, which says little beside hotspots. */
export function longBlames(found: Found): readonly BlamedOperation[] {
  return blamedOperations(found).filter(({ blame }) => blame.us > found.thresholdUs);
}

/** The operation with the largest part; undefined without any. */
export function worstBlamed(operations: readonly BlamedOperation[]): BlamedOperation | undefined {
  return operations.toSorted((a, b) => b.blame.us - a.blame.us)[0];
}

/** Long operations with a blame, except on background threads, and where other code may have run all the time. */
export function blamedOperations({ operations, verdicts, streams, thresholdUs }: Found): readonly BlamedOperation[] {
  return operations.flatMap(({ stream, held, measured, doubt }, index) => {
    const { blame, unseen } = verdicts[index] ?? { blame: null, unseen: 0 };
    const isWaited = streams[stream]?.isolate.threadKind !== 'background';
    if (blame === null || !isWaited || (unseen > 0 && blame.us - unseen <= thresholdUs)) return [];
    return [{ blame, estimated: !measured || doubt !== null, durationUs: held }];
  });
}
