import type { FlameFrame } from '../../protocol/flame.ts';
import { isBar } from '../frame-text.ts';

/** A function in the frames that are drawn, or a bar of folded ones. Times are in µs. */
export interface DrawnFunction {
  /** Its first frame, with its name and its place. */
  readonly frame: FlameFrame;
  readonly selfUs: number;
  /** Each µs counts once, however often the function calls itself. */
  readonly totalUs: number;
  /** Self times of both sides in a diff; else 0. */
  readonly wasUs: number;
  readonly isUs: number;
}

/** The functions below a frame and itself, each once. The root stands for no function. */
export function drawnFunctions(root: FlameFrame): readonly DrawnFunction[] {
  const functions = new Map<string, DrawnFunction>();
  const open = new Map<string, number>();
  const left: { readonly frame: FlameFrame; readonly isLeft: boolean }[] = [{ frame: root, isLeft: false }];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { frame, isLeft } = next;
    const key = keyOf(frame);
    const depth = open.get(key) ?? 0;
    open.set(key, isLeft ? depth - 1 : depth + 1);
    if (isLeft) continue;
    if (frame.id !== '') functions.set(key, added(functions.get(key), frame, depth === 0));
    left.push({ frame, isLeft: true }, ...frame.children.map((child) => ({ frame: child, isLeft: false })));
  }
  return [...functions.values()];
}

/** Time of all that is too small to be drawn below a frame, in µs. */
export function hiddenBelow(root: FlameFrame): number {
  const left = [root];
  let hidden = 0;
  for (let frame = left.pop(); frame !== undefined; frame = left.pop()) {
    hidden += frame.hiddenUs;
    for (const child of frame.children) left.push(child);
  }
  return hidden;
}

function added(known: DrawnFunction | undefined, frame: FlameFrame, isOutermost: boolean): DrawnFunction {
  const { selfUs, value, diff } = frame;
  return {
    frame: known?.frame ?? frame,
    selfUs: (known?.selfUs ?? 0) + selfUs,
    totalUs: (known?.totalUs ?? 0) + (isOutermost ? value : 0),
    wasUs: (known?.wasUs ?? 0) + (diff?.was.selfUs ?? 0),
    isUs: (known?.isUs ?? 0) + (diff?.is.selfUs ?? 0),
  };
}

/** Bars have functions of others in them: each owner is one. */
function keyOf(frame: FlameFrame): string {
  const { id, functionId, name, category } = frame;
  if (id === '') return '';
  return functionId >= 0 && !isBar(frame) ? String(functionId) : `${category} ${name}`;
}
