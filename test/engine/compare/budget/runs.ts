import type { FunctionFigure, RunFigures } from '../../../../engine/compare/budget.ts';
import { line1, milliseconds } from '../../../../protocol/units.ts';

/** A run in which functions took so many ms: `{ 'src/cart.ts#total': 312 }`; null: not over the threshold. */
export function run(
  times: Readonly<Record<string, number | null>>,
  changes: Partial<FunctionFigure> = {},
  routes: Readonly<Record<string, number>> = {},
): RunFigures {
  const functions = Object.entries(times).map(([key, ms]): FunctionFigure => {
    const [file = '', label = ''] = key.split('#');
    const place = { label, file, url: `file:///shop/${file}`, line: line1(3) };
    const worst = ms === null ? null : milliseconds(ms);
    const usual = { ordinal: 0, isEstimated: false, leftOut: null, isTest: false, testFiles: [] };
    return { key, place, worst, ...usual, ...changes };
  });
  const seen = { roots: ['/shop'], isSeen: true, node: '24.1', alone: new Set<string>(), processorShare: null };
  return { functions, routes: new Map(Object.entries(routes)), ...seen };
}
