// How much work a function does, without a clock: the times that V8 entered its blocks. A machine's load changes nothing.
import { Session } from 'node:inspector/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';

const root = `${pathToFileURL(path.join(import.meta.dirname, '../..')).href}/`;
const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });

/**
 * Steps of `work`: how often functions, loops and branches of the product's own sources ran. What V8 does inside of one
 * call, such as a regular expression or `indexOf`, is no step.
 */
export async function stepsOf(work: () => unknown): Promise<number> {
  const optimizing = ['opt', 'maglev'];
  // Optimized code does not count every block.
  for (const flag of optimizing) setFlagsFromString(`--no-${flag}`);
  await session.post('Profiler.takePreciseCoverage');
  await work();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  for (const flag of optimizing) setFlagsFromString(`--${flag}`);
  return result
    .filter(({ url }) => url.startsWith(root) && !/^(test|node_modules)\//.test(url.slice(root.length)))
    .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges.map(({ count }) => count)))
    .reduce((sum, count) => sum + count, 0);
}
