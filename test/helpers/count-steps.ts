// How much work a function does, without a clock: the times that V8 entered its blocks. A machine's load changes nothing.
import { Session } from 'node:inspector/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';

const root = `${pathToFileURL(path.join(import.meta.dirname, '../..')).href}/`;
const session = new Session();
session.connect();
await session.post('Profiler.enable');
// V8 counts in what it compiles from now on. That is slow: a file that counts steps has small inputs only.
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });

/**
 * Steps of `work`: how often functions, loops and branches of the product's own sources ran, and how many characters and
 * elements V8's own functions copied or searched for them. What a regular expression does is not a step.
 */
export async function stepsOf(work: () => unknown): Promise<number> {
  const native = countNative();
  // Optimized code does not count every block.
  const optimizing = ['opt', 'maglev'];
  for (const flag of optimizing) setFlagsFromString(`--no-${flag}`);
  await session.post('Profiler.takePreciseCoverage');
  await work();
  const steps = native.stop();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  for (const flag of optimizing) setFlagsFromString(`--${flag}`);
  return result
    .filter(({ url }) => url.startsWith(root) && !/^(test|node_modules)\//.test(url.slice(root.length)))
    .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges.map(({ count }) => count)))
    .reduce((sum, count) => sum + count, steps);
}

const counted = ['slice', 'substring', 'join', 'concat', 'split', 'replaceAll', 'indexOf', 'includes'];

/** Counts what methods of strings and arrays go through, until it is stopped. */
function countNative(): { readonly stop: () => number } {
  const state = { count: 0 };
  const methods = [String.prototype, Array.prototype].flatMap((owner) =>
    counted.flatMap((name) => {
      const method: unknown = Reflect.get(owner, name);
      return typeof method === 'function' ? [{ owner, name, method }] : [];
    }),
  );
  for (const { owner, name, method } of methods)
    define(owner, name, function (this: { readonly length: number }, ...given: readonly unknown[]): unknown {
      const result: unknown = Reflect.apply(method, this, given);
      state.count += distance(result, this.length, given);
      return result;
    });
  return {
    stop: () => {
      for (const { owner, name, method } of methods) define(owner, name, method);
      return state.count;
    },
  };
}

/** How far a method went: to the end of what it made, from where it searched to what it found, or to the end. */
function distance(result: unknown, length: number, [, from]: readonly unknown[]): number {
  if (typeof result === 'string' || Array.isArray(result)) return result.length;
  const to = typeof result === 'number' && result >= 0 ? result : length;
  return typeof from === 'number' ? Math.max(0, to - from) : to;
}

function define(owner: object, name: string, value: unknown): void {
  Object.defineProperty(owner, name, { value, configurable: true, writable: true });
}

/**
 * Steps for a problem of twice the size, as a multiple of those for `size`: 2 where the work grows with the size, 4 where
 * it grows with its square. `prepare` makes the problem, `work` is counted.
 */
export async function growthOf<Problem>(
  size: number,
  prepare: (size: number) => Problem,
  work: (problem: Problem) => unknown,
): Promise<number> {
  const [warmUp, once, twice] = [prepare(size), prepare(size), prepare(2 * size)];
  await work(warmUp); // What is made once, such as tables, is in neither count.
  const steps = await stepsOf(() => work(once));
  return (await stepsOf(() => work(twice))) / steps;
}

/** Most growth of work that goes through its input once; the rest is for what is sorted. */
export const linear = 2.2;
