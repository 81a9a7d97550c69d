import type { PlainFunction } from './plain-function.ts';

/** Rule 9: the cut path of a stack to a function on it, as a text that is equal for equal paths. */
export function cutPath(stack: readonly PlainFunction[], fn: PlainFunction, ids: FunctionIds): string {
  const path = withoutLoops(stack.slice(0, stack.indexOf(fn) + 1));
  const first = path.findIndex((frame) => frame === fn || !isScaffold(frame));
  return path
    .slice(first)
    .map((frame) => ids.of(frame))
    .join(' ');
}

/** Numbers for functions, so that paths can be compared as texts. */
export class FunctionIds {
  readonly #ids = new Map<PlainFunction, number>();

  of(fn: PlainFunction): number {
    const id = this.#ids.get(fn) ?? this.#ids.size;
    this.#ids.set(fn, id);
    return id;
  }
}

/** When a function reappears, the path is cut back to its first occurrence. */
function withoutLoops(stack: readonly PlainFunction[]): readonly PlainFunction[] {
  const path: PlainFunction[] = [];
  for (const frame of stack) {
    const first = path.indexOf(frame);
    if (first === -1) path.push(frame);
    else path.length = first + 1;
  }
  return path;
}

/** Node's, a runner's or test code: in front it does not tell stacks apart. */
function isScaffold({ kind, role }: PlainFunction): boolean {
  return kind === 'node' || kind === 'runner' || role === 'test';
}
