/*
 * A program may change what the functions of Node read each time they are called: mock-fs replaces the C++ functions
 * below all of `fs`, and old libraries give every object a `toJSON`. Functions that were captured at the start are not
 * safe from that.
 */

/**
 * Runs a piece of the recorder with Node as it was at the start, then puts the program's changes back. No code of the
 * program may run inside. Costs 0.1 µs where nothing was changed.
 */
export function undisturbed<Result>(work: () => Result): Result {
  const isMocked = files !== null && watched.some((name) => Reflect.get(files, name) !== functions.get(name));
  if (!isMocked && !prototypes.some((one) => Reflect.has(one, 'toJSON'))) return work();
  const undo = [...(isMocked ? restoreFiles() : []), ...prototypes.map(hideToJson)];
  try {
    return work();
  } finally {
    for (const one of undo) one();
  }
}

/** Whether a file that seems to be missing may be there, behind a mock that cannot be seen through. */
export function mayBeMocked(): boolean {
  return files === null;
}

/**
 * A C++ part of Node, such as `spawn_sync`. Reading it prints a deprecation warning where the person wants to see such
 * warnings; then it is not used (null).
 */
export function bindingOf(name: string): object | null {
  const binding: unknown = Reflect.get(process, 'binding');
  const isWatched = [...process.execArgv, process.env['NODE_OPTIONS'] ?? ''].some((text) =>
    text.includes('pending-deprecation'),
  );
  if (typeof binding !== 'function' || isWatched || process.env['NODE_PENDING_DEPRECATION'] === '1') return null;
  const value: unknown = Reflect.apply(binding, process, [name]);
  return typeof value === 'object' ? value : null;
}

const files = bindingOf('fs');
const functions = new Map(Object.entries(files ?? {}).filter(([, value]) => typeof value === 'function'));
/** What replaces one of these replaces all that it mocks. */
const watched = ['open', 'writeBuffer', 'read'] as const;
const prototypes = [Object.prototype, Array.prototype] as const;

type Undo = () => void;

function restoreFiles(): readonly Undo[] {
  if (files === null) return [];
  const undo: Undo[] = [];
  for (const [name, original] of functions) {
    const replaced: unknown = Reflect.get(files, name);
    if (replaced === original) continue;
    Reflect.set(files, name, original);
    undo.push(() => Reflect.set(files, name, replaced));
  }
  return undo;
}

function hideToJson(prototype: object): Undo {
  const descriptor = Reflect.getOwnPropertyDescriptor(prototype, 'toJSON');
  if (descriptor === undefined || !Reflect.deleteProperty(prototype, 'toJSON')) return () => {};
  return () => Reflect.defineProperty(prototype, 'toJSON', descriptor);
}
