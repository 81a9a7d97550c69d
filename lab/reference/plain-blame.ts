import type { BlameKind } from '../../protocol/report.ts';
import type { PlainFunction } from './plain-function.ts';
import type { OperationSample } from './plain-operations.ts';
import { firstDifference } from '../../engine/basics/lists.ts';

export interface PlainBlame {
  readonly kind: BlameKind;
  readonly name: string;
  /** In µs. */
  readonly us: number;
}

/** Rule 14: who has the largest part of the samples that no culprit took, beside one without own code; null for none. */
export function plainBlame(
  untaken: readonly OperationSample[],
  { hasCulprit, inTestParent }: Readonly<Record<'hasCulprit' | 'inTestParent', boolean>>,
): PlainBlame | null {
  const blames = new Map<string, PlainBlame>();
  for (const { stack, gc, weight } of untaken) {
    const { kind, name } = blamedFor(stack, gc, inTestParent);
    if (hasCulprit && kind === 'own') continue;
    const key = `${kind} ${name}`;
    blames.set(key, { kind, name, us: (blames.get(key)?.us ?? 0) + weight });
  }
  return [...blames.values()].toSorted(compareBlames)[0] ?? null;
}

/** The largest part; of equals the first in the list of kinds, then of packages the least name. */
function compareBlames(a: PlainBlame, b: PlainBlame): number {
  const kinds: readonly BlameKind[] = ['own', 'package', 'loading', 'runner', 'other', 'node', 'gc', 'native'];
  return firstDifference(b.us - a.us, kinds.indexOf(a.kind) - kinds.indexOf(b.kind), a.name < b.name ? -1 : 1);
}

type Blamed = Pick<PlainBlame, 'kind' | 'name'>;

/**
 * Blame of one sample. Frames up to the innermost runner's are left out, and all frames where no own code follows: what
 * a runner calls is the runner's, and so is what calls it (mocha runs inside its yargs).
 */
function blamedFor(stack: readonly PlainFunction[], gc: boolean, inTestParent: boolean): Blamed {
  if (stack.length === 0) return only(gc ? 'gc' : 'native');
  if (inTestParent) return only('runner');
  const runner = stack.findLastIndex(({ kind }) => kind === 'runner');
  const program = stack.slice(runner + 1);
  const hasOwn = program.some(({ kind }) => kind === 'own');
  const outermost = runner === -1 || hasOwn ? program.find(isPackage) : undefined;
  const innermost = stack.findLast((fn) => fn.loader || isPackage(fn) || fn.kind === 'own');
  const isLoading = innermost?.loader === true;
  // Evaluating a package's modules is loading.
  const isEvaluated = outermost?.moduleBody === true;
  if (hasOwn && !isLoading && !isEvaluated) return only('own');
  if (outermost !== undefined && !isEvaluated) return { kind: 'package', name: outermost.packageName ?? '' };
  if (isLoading || isEvaluated) return only('loading');
  if (runner !== -1) return only('runner');
  if (stack.some(({ kind }) => kind === 'other')) return only('other');
  return only(stack.every(({ kind }) => kind === 'native') ? 'native' : 'node');
}

function only(kind: BlameKind): Blamed {
  return { kind, name: kind };
}

function isPackage({ kind, loader }: PlainFunction): boolean {
  return kind === 'dependency' && !loader;
}
