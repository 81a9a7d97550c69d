import type { FunctionFigures } from '../hotspots/function-figures.ts';
import { labelsOf } from './labels.ts';
import type { SourceIndexes } from '../source-code/source-indexes.ts';
import type { FunctionInfo } from '../functions/function-table.ts';

/** Gives anonymous functions the labels that their sources tell, the worst first: not every source is read. */
export async function labelFunctions(
  functions: readonly FunctionInfo[],
  figures: readonly FunctionFigures[],
  indexes: SourceIndexes,
): Promise<readonly FunctionInfo[]> {
  const rank = ({ own, id }: FunctionInfo): number => (own ? 1e15 : 0) + (figures[id]?.presence.worst ?? 0);
  const labels = await labelsOf(
    functions.toSorted((a, b) => rank(b) - rank(a)),
    indexes,
  );
  return functions.map((fn) => ({ ...fn, label: labels.get(fn.id) ?? fn.label }));
}
