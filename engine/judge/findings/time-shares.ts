import { firstFunctionNode } from '../../read/samples/call-tree.ts';
import type { FunctionInfo } from '../../read/functions/function-table.ts';
import type { Cause } from './causes.ts';
import type { Found } from './finding.ts';
import type { PartMeasures } from './measure-parts.ts';

/** Shares of the time of a cause, 0 to 1. */
export interface TimeShares {
  /** Sleep in calls that can block, and the one that slept longest. */
  readonly waited: { readonly share: number; readonly name: string | null };
  readonly garbage: number;
  readonly regex: number;
  /** At the functions themselves, with the built-in functions that they call. */
  readonly self: number;
  /** What its functions call directly and spend most in: a package or a function of Node; null for none. */
  readonly called: { readonly kind: 'package' | 'node'; readonly name: string; readonly share: number } | null;
  /** Where the function is on the stack several times. */
  readonly recursive: number;
}

export function timeShares(run: Found, cause: Cause, measures: PartMeasures): TimeShares {
  const { gc, regex, called: calledIn, reentered } = measures;
  const { ownParts } = run;
  const { parts } = cause;
  const sum = (of: (part: number) => number): number => parts.reduce((all, part) => all + of(part), 0);
  const weight = Math.max(
    1,
    sum((part) => ownParts.weightOf(part)),
  );
  const called = longest(calledTimes(run, parts, calledIn));
  return {
    waited: waitedShare(run, parts, weight),
    garbage: cause.allocates ? sum((part) => gc[part] ?? 0) / weight : 0,
    regex: sum((part) => regex[part] ?? 0) / weight,
    self: sum((part) => selfTime(run, part)) / weight,
    called: called === null ? null : { ...called.key, share: called.us / weight },
    recursive: sum((part) => (reentered[part] === 1 ? ownParts.weightOf(part) : recursiveTime(run, part))) / weight,
  };
}

function waitedShare(
  { ownParts, functions: { functions }, atomicsWaiters }: Found,
  parts: readonly number[],
  weight: number,
): TimeShares['waited'] {
  const times = new Map<string, number>();
  for (const part of parts) {
    const waited = ownParts.waitedOf(part);
    if (waited === null) continue;
    const isAtomics = atomicsWaiters.has(ownParts.functionOf(part));
    const name = waited.in === null ? (isAtomics ? 'Atomics.wait' : null) : (functions[waited.in]?.name ?? null);
    if (name !== null) times.set(name, (times.get(name) ?? 0) + waited.us);
  }
  const most = longest(times);
  return { share: [...times.values()].reduce((all, us) => all + us, 0) / weight, name: most?.key ?? null };
}

interface Called {
  readonly kind: 'package' | 'node';
  readonly name: string;
}

/** Time of the packages and of the functions of Node in the parts, in µs. */
function calledTimes(
  { functions: { functions } }: Found,
  parts: readonly number[],
  called: PartMeasures['called'],
): ReadonlyMap<Called, number> {
  const times = new Map<string, { key: Called; us: number }>();
  for (const [id, us] of parts.flatMap((part) => [...(called.get(part) ?? [])])) {
    const key = calledKey(functions[id]);
    if (key === null) continue;
    const text = `${key.kind} ${key.name}`;
    const known = times.get(text) ?? { key, us: 0 };
    times.set(text, { key: known.key, us: known.us + us });
  }
  return new Map([...times.values()].map(({ key, us }) => [key, us]));
}

/** Time of these own parts in packages, without own code in between, in µs by name of the package. */
export function packageTimes(
  run: Found,
  parts: readonly number[],
  { called }: PartMeasures,
): ReadonlyMap<string, number> {
  const times = [...calledTimes(run, parts, called)];
  return new Map(times.flatMap(([{ kind, name }, us]) => (kind === 'package' ? [[name, us]] : [])));
}

function calledKey(fn: FunctionInfo | undefined): Called | null {
  if (fn?.kind === 'dependency' && fn.packageName !== null) return { kind: 'package', name: fn.packageName };
  return fn?.kind === 'node' && !fn.loader && fn.name !== '' ? { kind: 'node', name: fn.name } : null;
}

function selfTime({ ownParts }: Found, part: number): number {
  const first = ownParts.firstPlaceOf(part);
  let time = 0;
  for (let place = first; place < first + ownParts.placeCountOf(part); place++) time += ownParts.places.selfOf(place);
  return time;
}

/** Time of the part in places whose function calls itself, or is on the stack above, in µs. */
function recursiveTime({ ownParts, operations, streams }: Found, part: number): number {
  const { places } = ownParts;
  const tree = streams[operations[ownParts.operationOf(part)]?.stream ?? -1]?.tree;
  const fn = ownParts.functionOf(part);
  const first = ownParts.firstPlaceOf(part);
  let time = 0;
  for (let place = first; place < first + ownParts.placeCountOf(part); place++) {
    let isRecursive = false;
    for (let callee = places.firstCalleeOf(place); callee < places.firstCalleeOf(place + 1); callee++)
      isRecursive ||= places.functionOf(callee) === fn;
    let at = tree?.parent[places.nodeOf(place)] ?? 0;
    for (; !isRecursive && at >= firstFunctionNode; at = tree?.parent[at] ?? 0)
      isRecursive = tree?.functionId[at] === fn;
    if (isRecursive) time += places.weightOf(place);
  }
  return time;
}

/** The largest time, of equal ones the first; null where there is none. */
function longest<Key>(times: ReadonlyMap<Key, number>): { readonly key: Key; readonly us: number } | null {
  let most: { readonly key: Key; readonly us: number } | null = null;
  for (const [key, us] of times) if (most === null || us > most.us) most = { key, us };
  return most;
}
