import { weightIn } from '../../cut/operations/operation.ts';
import { firstFunctionNode } from '../../read/samples/call-tree.ts';
import type { Cause } from './causes.ts';
import type { Found } from './finding.ts';

/** A package, and its share of the time below another one, 0 to 1. */
export interface InnerPackage {
  readonly name: string;
  readonly share: number;
}

/**
 * The package that is innermost on the stack for most of the time below another one, in the operations that are blamed on
 * that: of a parser of request bodies the parser of query strings. Null where no sample shows one.
 */
export function innerPackage(run: Found, { operations }: Cause, below: string): InnerPackage | null {
  const times = new Map<string, number>();
  let all = 0;
  for (const number of operations) {
    const operation = run.operations[number];
    const stream = operation?.stream ?? -1;
    const [samples, tree] = [run.bridged[stream], run.streams[stream]?.tree];
    if (operation === undefined || samples === undefined || tree === undefined) continue;
    const last = Math.min(operation.lastSample, samples.weights.length);
    for (let sample = operation.firstSample; sample < last; sample++) {
      const name = innermost(run, tree, samples.nodes[sample] ?? 0, below);
      if (name === null) continue;
      const weight = weightIn(operation, sample, samples.weights);
      times.set(name, (times.get(name) ?? 0) + weight);
      all += weight;
    }
  }
  const [most] = [...times].toSorted(([, a], [, b]) => b - a);
  return most === undefined ? null : { name: most[0], share: most[1] / Math.max(1, all) };
}

/** The package of the innermost frame of one, if the wanted one is on the path; null otherwise. */
function innermost(
  { functions: { functions } }: Found,
  { parent, functionId }: Found['streams'][number]['tree'],
  node: number,
  wanted: string,
): string | null {
  let found: string | null = null;
  for (let at = node; at >= firstFunctionNode; at = parent[at] ?? 0) {
    const fn = functions[functionId[at] ?? -1];
    const name = fn?.kind === 'dependency' ? fn.packageName : null;
    found ??= name;
    if (name === wanted) return found;
  }
  return null;
}
