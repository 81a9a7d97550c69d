import type { BlameKind } from '../../protocol/report.ts';
import { microseconds } from '../../protocol/units.ts';
import type { Blame } from '../analysis.ts';
import type { FunctionInfo } from '../functions/function-table.ts';
import { compareTexts } from '../functions/compare-functions.ts';
import { firstDifference } from '../functions/first-difference.ts';
import type { OperationTree } from './operation-tree.ts';
import type { PreparedStream } from './prepared-stream.ts';

/**
 * Who held the loop in an operation without a culprit: what has the largest part of it; ties by the order of `kinds`,
 * then by name. Null where the operation has no sample.
 */
export function blameOf(tree: OperationTree, prepared: PreparedStream): Blame | null {
  const parts = new Map<string, Part>([
    ['gc', { kind: 'gc', name: 'gc', us: tree.collecting }],
    ['native', { kind: 'native', name: 'native', us: tree.native }],
  ]);
  for (const node of tree.nodes) {
    const self = tree.self.weight[node] ?? 0;
    if (self === 0) continue;
    const { kind, name } = prepared.stream.isolate.isTestParent ? runner : blameOfStack(node, prepared);
    const key = `${kind}:${name}`;
    parts.set(key, { kind, name, us: (parts.get(key)?.us ?? 0) + self });
  }
  const [largest] = [...parts.values()].toSorted((a, b) =>
    firstDifference(b.us - a.us, kinds.indexOf(a.kind) - kinds.indexOf(b.kind), compareTexts(a.name, b.name)),
  );
  return largest === undefined || largest.us === 0 ? null : { ...largest, us: microseconds(largest.us) };
}

/** The parent of the tests transforms and reports, by packages of its own: vite, esbuild. */
const runner = { kind: 'runner', name: 'runner' } as const;

interface Part {
  readonly kind: BlameKind;
  readonly name: string;
  readonly us: number;
}

const kinds: readonly BlameKind[] = ['package', 'loading', 'runner', 'node', 'gc', 'native'];

/**
 * The dependency whose frame is outermost below the runner (mocha runs inside its yargs, and calls it too: neither is the
 * program's), unless that is a module being evaluated, which is loading; without one, what else is on the stack.
 */
function blameOfStack(leaf: number, { stream, functions }: PreparedStream): Pick<Part, 'kind' | 'name'> {
  const { parent, functionId } = stream.tree;
  let outermost: FunctionInfo | null = null;
  let innermost: 'loader' | 'user' | null = null;
  let hasRunner = false;
  let hasOwn = false;
  let hasJavaScript = false;
  for (let node = leaf; node > 0; node = parent[node] ?? 0) {
    const fn = functions[functionId[node] ?? -1];
    if (fn === undefined) continue;
    const isPackage = fn.kind === 'dependency' && !fn.loader;
    if (innermost === null && (fn.loader || isPackage || fn.own)) innermost = fn.loader ? 'loader' : 'user';
    if (isPackage && !hasRunner) outermost = fn;
    hasRunner ||= fn.kind === 'runner';
    hasOwn ||= fn.own;
    if (fn.kind === 'runner' && !hasOwn) outermost = null;
    hasJavaScript ||= fn.kind !== 'native';
  }
  const isEvaluated = outermost?.moduleBody === true;
  if (outermost !== null && outermost.packageName !== null && !isEvaluated)
    return { kind: 'package', name: outermost.packageName };
  if (isEvaluated || innermost === 'loader') return { kind: 'loading', name: 'loading' };
  if (hasRunner) return runner;
  // Own code that is spread too thin for any culprit is called by Node's loop: `node`, as the list has no better word.
  return hasJavaScript ? { kind: 'node', name: 'node' } : { kind: 'native', name: 'native' };
}
