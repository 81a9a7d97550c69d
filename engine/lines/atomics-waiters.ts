import type { JudgedRun } from '../hotspots/judged-run.ts';
import type { SourceIndexes } from '../source-code/source-indexes.ts';
import { functionAt } from '../source-code/source-index.ts';

/**
 * Culprits that slept with no frame that says in what, and whose source calls `Atomics.wait`, which V8's stacks never
 * show.
 */
export async function atomicsWaiters(
  { functions: { functions }, ownParts }: Pick<JudgedRun, 'functions' | 'ownParts'>,
  indexes: SourceIndexes,
): Promise<ReadonlySet<number>> {
  const found = new Set<number>();
  const asleep = new Set(ownParts.filter(({ waited }) => waited?.in === null).map(({ functionId }) => functionId));
  for (const id of asleep) {
    const fn = functions[id];
    const index = fn === undefined ? null : await indexes.of(fn.url);
    if (fn === undefined || index === null) continue;
    const source = index.functions[functionAt(index, fn.line, fn.column, fn.name)];
    const isCalled = source?.calls.some(({ root, callee }) => root === 'Atomics' && callee === 'wait');
    if (isCalled === true) found.add(id);
  }
  return found;
}
