import { isSamePath } from '../../protocol/path-spelling.ts';
import type { Analysis } from '../analysis.ts';
import { firstFunctionNode } from '../read/samples/call-tree.ts';
import { everyName } from '../read/source-code/code-parts.ts';

/** The own code of a function, and of all that it called in the recording. */
export interface CodeBelow {
  /** Absolute path of its file; null where it has none. */
  readonly path: string | null;
  /** Names of the own functions below it, by the absolute path of their file. */
  readonly below: readonly { readonly path: string; readonly names: readonly string[] }[];
}

export function codeBelow({ streams, functions: { functions } }: Analysis, functionId: number): CodeBelow {
  const found = new Set<number>();
  for (const { tree } of streams) {
    const isBelow = new Uint8Array(tree.size);
    // A caller's number is lower than those of its callees.
    for (let node = firstFunctionNode; node < tree.size; node++) {
      const fn = tree.functionId[node] ?? -1;
      const isInside = isBelow[tree.parent[node] ?? 0] === 1;
      if (fn !== functionId && !isInside) continue;
      isBelow[node] = 1;
      if (isInside) found.add(fn);
    }
  }
  const path = functions[functionId]?.path ?? null;
  const byPath = new Map<string, Set<string>>();
  for (const id of found) {
    const fn = functions[id];
    if (fn?.own !== true || fn.path === null) continue;
    const names = byPath.get(fn.path) ?? new Set();
    byPath.set(fn.path, names.add(plainName(fn.name)));
  }
  const below = [...byPath].map(([file, all]) => {
    const names = [...all].filter((name) => name !== '');
    // A callback is in a function with a name; where none has samples, any of the file may have it.
    return { path: file, names: names.length === 0 && file !== path ? [everyName] : names };
  });
  return { path, below };
}

/** Absolute paths of the files with the own code of a function and of all that it called in the recording. */
export function filesBelow(analysis: Analysis, functionId: number): readonly string[] {
  const { path, below } = codeBelow(analysis, functionId);
  const isOwn = analysis.functions.functions[functionId]?.own === true;
  return [...new Set([...(isOwn && path !== null ? [path] : []), ...below.map((one) => one.path)])];
}

/** Ids of the functions that open findings name, in the order of the verdict. */
export function openFunctions({ findings }: Pick<Analysis, 'findings'>): readonly number[] {
  return findings.all.flatMap(({ open, subject }) => (open && subject.type === 'function' ? subject.functionId : []));
}

/** Ids of the open findings that a change of a file concerns: it has their own code, or that of what they called. */
export function findingsIn(analysis: Analysis, path: string): readonly number[] {
  return openFunctions(analysis).filter((functionId) =>
    filesBelow(analysis, functionId).some((file) => isSamePath(file, path)),
  );
}

/** `total` of V8's `Cart.total` and `get total`. */
function plainName(name: string): string {
  return name.slice(Math.max(name.lastIndexOf('.'), name.lastIndexOf(' ')) + 1);
}
