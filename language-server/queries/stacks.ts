import type { Analysis } from '../../engine/analysis.ts';
import type { StackFrame, StackText } from '../../protocol/requests.ts';
import { placeOf } from '../../words/places.ts';
import { heaviestStacks } from '../../engine/hotspots/function-details.ts';

/** The heaviest call paths to a function, each frame with its place. */
export function stacksOf(analysis: Analysis, functionId: number, most: number): readonly StackText[] {
  const worst = Math.max(1, analysis.figures[functionId]?.presence.worst ?? 1);
  return heaviestStacks(analysis, functionId, most).map((stack) => ({
    us: stack.worst,
    share: Math.min(1, stack.worst / worst),
    frames: stack.functionIds.flatMap((id) => frameOf(analysis, id)),
  }));
}

function frameOf(analysis: Analysis, functionId: number): readonly StackFrame[] {
  const fn = analysis.functions.functions[functionId];
  if (fn === undefined) return [];
  return [{ label: fn.label, place: placeOf(fn, analysis), functionId, own: fn.own }];
}
