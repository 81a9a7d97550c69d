/** `count` functions, each calling the next: `a0`, `a1` … */
export function calls(name: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, depth) => `${name}${depth}`);
}

/** The innermost 128 frames, which are all that V8 keeps. */
export function truncated(stack: readonly string[]): readonly string[] {
  return stack.slice(-128);
}
