import { groupBy } from '../../basics/lists.ts';
import { once } from '../../basics/once.ts';
import { isBackground } from '../../read/samples/sample-stream.ts';
import type { Operation } from '../../cut/operations/operation.ts';
import { type CallTree, firstFunctionNode } from '../../read/samples/call-tree.ts';
import { microseconds } from '../../../protocol/units.ts';
import type { FunctionFigures } from '../function-figures/function-figures.ts';
import { fileNameIn } from '../../read/files/file-path.ts';
import type { SourceIndexes } from '../../read/source-code/source-indexes.ts';
import { labelOf } from '../../read/functions/name-functions.ts';
import { lastName } from '../../read/texts/find-functions.ts';
import type { FunctionInfo } from '../../read/functions/function-table.ts';
import { type SourceFunction, type SourceIndex, classPartAt, functionAt } from '../../read/source-code/source-index.ts';
import type { JudgedRun } from '../hotspots/judged-run.ts';

/** Labels functions without a name of their own by their sources. The worst come first, because not every source is read. */
export async function labelFunctions(
  functions: readonly FunctionInfo[],
  figures: readonly FunctionFigures[],
  indexes: SourceIndexes,
): Promise<readonly FunctionInfo[]> {
  const isCulprit = ({ id }: FunctionInfo): boolean => (figures[id]?.culprit ?? null) !== null;
  // V8's name is seldom wrong, so functions without one come first.
  const rank = ({ own, name, id }: FunctionInfo): number =>
    (own ? 1e15 : 0) + (name === '' ? 1e14 : 0) + (figures[id]?.presence.worst ?? 0);
  const doubtful = functions.filter(({ name }) => mayBeInferred.test(name)).toSorted((a, b) => rank(b) - rank(a));
  // The sources of culprits are read for their lines, too.
  const ofCulprits = await labelsOf(functions.filter(isCulprit), indexes, Infinity);
  const labels = new Map([...(await labelsOf(doubtful, indexes)), ...ofCulprits]);
  return functions.map((fn) => ({ ...fn, label: labels.get(fn.id) ?? fn.label }));
}

/** Names that V8 mostly infers: none, one with a dot, or that of a class for what sets its fields. */
const mayBeInferred = /^$|^default$|^[<\p{Lu}]|\./u;

/** Maximum files read for labels: each costs some milliseconds. */
const MAX_FILES = 100;

/** Labels by function id, where V8 has no name, or not the function's own. Only so many own files are parsed: give the most important first. */
export async function labelsOf(
  functions: Iterable<FunctionInfo>,
  indexes: SourceIndexes,
  mostFiles = MAX_FILES,
): Promise<ReadonlyMap<number, string>> {
  const labels = new Map<number, string>();
  const urls = new Set<string>();
  for (const fn of functions) {
    if (!fn.own || fn.moduleBody || (urls.size === mostFiles && !urls.has(fn.url))) continue;
    urls.add(fn.url);
    const index = await indexes.of(fn.url);
    const label = index === null ? null : labelAt(fn, index);
    if (label !== null) labels.set(fn.id, label);
  }
  return labels;
}

function labelAt(of: FunctionInfo, index: SourceIndex): string | null {
  const { name, url, line, column } = of;
  const part = index.functions[classPartAt(index, line, column, name)];
  if (part !== undefined) return part.kind === 'class' && part.title !== null ? `fields of ${part.title}` : part.title;
  const fn = index.functions[functionAt(index, line, column, name)];
  if (fn === undefined) return null;
  const isOwn = name !== '' && (fn.inferredName === null || fn.inferredName === lastName(name));
  if (isOwn) return null;
  if (fn.title !== null) return fn.title;
  if (fn.callbackOf !== null)
    return `${fn.callbackOf}() callback in ${titleAround(index, fn.parent) ?? fileNameIn(url)}`;
  return name === '' ? null : fn.inferredName === '' ? labelOf({ ...of, name: '' }, false) : fn.inferredName;
}

/** The title of the nearest enclosing function that has one. */
function titleAround({ functions }: SourceIndex, from: number): string | null {
  for (let fn = functions[from]; fn !== undefined; fn = functions[fn.parent]) {
    if ((fn.kind === 'module' || fn.kind === 'function') && fn.title !== null) return fn.title;
  }
  return null;
}

/** Culprits that slept in no visible call, and whose source calls `Atomics.wait`, which is never on V8's stacks. */
export async function atomicsWaiters(
  { functions: { functions }, ownParts }: Pick<JudgedRun, 'functions' | 'ownParts'>,
  indexes: SourceIndexes,
): Promise<ReadonlySet<number>> {
  const found = new Set<number>();
  const isAsleep = (part: number): boolean => ownParts.waitedOf(part)?.in === null;
  const asleep = new Set(Array.from(ownParts.numbersOf(isAsleep), (part) => ownParts.functionOf(part)));
  for (const id of asleep) {
    const fn = functions[id];
    const index = fn === undefined ? null : await indexes.of(fn.url);
    if (fn === undefined || index === null) continue;
    const source = index.functions[functionAt(index, fn.line, fn.column, fn.name)];
    const isCalled = source?.calls.some(({ root, callee }) => root === 'Atomics' && callee === 'wait');
    if (isCalled === true) found.add(id);
  }
  return found;
}

/**
 * The figures, without later presences that may be the rest of the first call (an async function goes on after an
 * `await`, and a generator when its next value is asked for), or that most threads with a long first call do not have.
 */
export async function withCallsAlone(run: JudgedRun, indexes: SourceIndexes): Promise<readonly FunctionFigures[]> {
  const { figures, thresholdUs } = run;
  const hidden = new Set<number>();
  const operationsOf = once(() => groupBy(run.operations, ({ stream }) => stream));
  const presencesOf = (id: number, stream: number): readonly Presence[] =>
    presencesIn(run, { id, stream, operations: operationsOf().get(stream) ?? [] });
  for (const { id, url, line, column, name, moduleBody } of run.functions.functions) {
    const { culprit = null, backgroundCulprit = null, presence, background } = figures[id] ?? {};
    if (moduleBody || (culprit ?? backgroundCulprit) === null) continue;
    const { worstWarm = 0 } = (culprit === null ? background : presence) ?? {};
    if (worstWarm === 0 || worstWarm > thresholdUs) continue;
    const index = await indexes.of(url);
    const source = index?.functions[functionAt(index, line, column, name)];
    const isResumed = source?.isGenerator === true || (source !== undefined && isStateMachine(source, index));
    // A presence below a caller that is not the first one in its thread.
    const isCalledLater = (): boolean =>
      run.streams.some((_, stream) => presencesOf(id, stream).slice(1).includes('called'));
    const isAlone = isResumed || (source?.isAsync === true && !isCalledLater());
    const threads = [...threadsWithColdPart(run, id, culprit === null)];
    const again = threads.filter((stream) => presencesOf(id, stream).length > 1);
    if (isAlone || again.length * 2 < threads.length) hidden.add(id);
  }
  const worstWarm = microseconds(0);
  return figures.map((one, id) => {
    if (!hidden.has(id)) return one;
    if (one.culprit === null) return { ...one, background: { ...one.background, worstWarm } };
    return { ...one, presence: { ...one.presence, worstWarm } };
  });
}

/** `resumed` where the function may have gone on after an `await`. */
type Presence = 'called' | 'resumed';

/** The presences of a function in the operations of a thread, in their order. */
function presencesIn(
  { streams, bridged, functions: { functions } }: JudgedRun,
  { id, stream, operations }: { id: number; stream: number; operations: readonly Operation[] },
): readonly Presence[] {
  const { tree } = streams[stream] ?? {};
  if (tree === undefined) return [];
  // 1 below the function, 2 where a caller is above it.
  const kinds = new Uint8Array(tree.size);
  for (let node = firstFunctionNode; node < tree.size; node++) {
    const above = tree.parent[node] ?? 0;
    const isCalled = tree.functionId[node] === id && kinds[above] === 0;
    kinds[node] = isCalled ? (isFromQueue(above, tree, functions) ? 1 : 2) : (kinds[above] ?? 0);
  }
  const nodes = bridged[stream]?.nodes ?? [];
  return operations.flatMap(({ firstSample, lastSample }): readonly Presence[] => {
    let most = 0;
    for (let sample = firstSample; sample < lastSample && most < 2; sample++)
      most = Math.max(most, kinds[nodes[sample] ?? 0] ?? 0);
    return most === 0 ? [] : [most === 2 ? 'called' : 'resumed'];
  });
}

/** Threads, by number of the stream, in which an own part of the function is cold. */
function threadsWithColdPart(
  { ownParts, operations, streams }: JudgedRun,
  id: number,
  inBackground: boolean,
): ReadonlySet<number> {
  const parts = ownParts.numbersOf((part) => ownParts.functionOf(part) === id && ownParts.isCold(part));
  const threads = Array.from(parts, (part) => operations[ownParts.operationOf(part)]?.stream ?? -1);
  const isWanted = (at: number): boolean => streams[at] !== undefined && isBackground(streams[at]) === inBackground;
  return new Set(threads.filter(isWanted));
}

/** Whether it is what compilers for old engines make of the body of an async function or a generator. */
function isStateMachine({ title, callbackOf, parent }: SourceFunction, index: SourceIndex | null): boolean {
  if (callbackOf === 'w') return /^_callee\d*$/.test(index?.functions[parent]?.title ?? '');
  return callbackOf?.endsWith('_generator') === true || /^_callee\d*\$$/.test(title ?? '');
}

/**
 * Whether a function below this node goes on after an `await`. What compilers wrote may call it: helpers, which are native,
 * of a file elsewhere, or have these names, and functions without a name between two of them.
 */
function isFromQueue(
  above: number,
  { parent, functionId }: CallTree,
  functions: JudgedRun['functions']['functions'],
): boolean {
  let [node, isBelowHelper] = [above, true];
  for (let fn = functions[functionId[node] ?? -1]; !isQueue(fn); fn = functions[functionId[node] ?? -1]) {
    const isHelper = fn?.kind === 'native' || fn?.kind === 'other' || helpers.has(fn?.name ?? '');
    if (!isHelper && fn?.name !== '') return false;
    isBelowHelper = isHelper;
    node = parent[node] ?? 0;
  }
  return isBelowHelper;
}

/** Names of what calls the body of a compiled async function, of TypeScript, Babel, SWC and esbuild. */
const helpers = new Set('fulfilled rejected fulfill reject step resume _next _throw asyncGeneratorStep'.split(' '));

/** Whether it runs what comes after an `await`; so does V8 itself, without any frame. */
function isQueue(fn: FunctionInfo | undefined): boolean {
  return fn === undefined || fn.name === 'runMicrotasks' || fn.url === 'node:internal/process/task_queues';
}
