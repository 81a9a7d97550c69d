import type { OperationSample } from './plain-operations.ts';
import { sumOf } from './plain-own-parts.ts';
import type { PlainFunction } from './plain-function.ts';

/** What it took to load one module, in µs. */
export interface PlainModule {
  selfUs: number;
  totalUs: number;
  /** What of it each module asked for, by url. */
  readonly askers: Map<string, number>;
}

/** Rule 13: how much of what no culprit took is loading, in µs. */
export function plainLoad(untaken: readonly OperationSample[]): number {
  return sumOf(untaken.filter(({ stack }) => loadOf(stack) !== null));
}

/** By url of the module, and `(loader)`. */
export function plainModules(untaken: readonly OperationSample[]): ReadonlyMap<string, PlainModule> {
  const modules = new Map<string, PlainModule>();
  const moduleOf = (url: string): PlainModule => {
    const made = modules.get(url) ?? { selfUs: 0, totalUs: 0, askers: new Map() };
    modules.set(url, made);
    return made;
  };
  for (const { stack, weight } of untaken) {
    const load = loadOf(stack);
    if (load === null) continue;
    moduleOf(load.asker).selfUs += weight;
    for (const url of load.modules) moduleOf(url).totalUs += weight;
    for (const [url, asker] of askersOf(stack)) {
      const { askers } = moduleOf(url);
      askers.set(asker, (askers.get(asker) ?? 0) + weight);
    }
  }
  return modules;
}

/** Each module body of a stack, where it is outermost, with the one next above it, where there is one. */
function askersOf(stack: readonly PlainFunction[]): readonly (readonly [url: string, asker: string])[] {
  const bodies = [...new Set(stack.filter(({ moduleBody }) => moduleBody))];
  return bodies.flatMap((body) => {
    const asker = stack.slice(0, stack.indexOf(body)).findLast(({ moduleBody }) => moduleBody);
    return asker === undefined ? [] : [[body.url, asker.url] as const];
  });
}

interface Load {
  /** Url of the innermost module body above the loader frame. */
  readonly asker: string;
  /** Urls of the module bodies on the path, each once, those below the loader frame too. */
  readonly modules: ReadonlySet<string>;
}

/**
 * Null where it is not a load. The text says "the loader frame" though there may be several: the innermost is meant, as it
 * is what the innermost module body above it asked for.
 */
function loadOf(stack: readonly PlainFunction[]): Load | null {
  const loader = stack.findLastIndex((fn) => fn.loader);
  if (loader === -1) return null;
  const asker = stack.slice(0, loader).findLast(({ moduleBody }) => moduleBody);
  const bodies = stack.filter(({ moduleBody }) => moduleBody).map(({ url }) => url);
  if (asker !== undefined) return { asker: asker.url, modules: new Set(bodies) };
  const isInnermost = !stack.slice(loader + 1).some(({ user }) => user);
  return isInnermost ? { asker: '(loader)', modules: new Set(['(loader)', ...bodies]) } : null;
}
