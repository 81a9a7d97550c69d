// oxlint-disable typescript/switch-exhaustiveness-check -- a syntax tree has 250 kinds of node
import type { ClassAccessorProperty, ClassBody, ClassPrivateProperty, ClassProperty, Node } from '@babel/types';
import { type Line1, column0, line1 } from '../../../protocol/units.ts';
import { forget, reassignedNames, noteNames, noteValues, type OpenCall, callAt, importedBy } from './node-facts.ts';
import { titleOf } from './function-title.ts';
import { parseSource } from './parse-source.ts';
import type { Alias, LoopLines, SourceFunction, SourceImport, SourceIndex, SourcePlace } from './source-index.ts';
import { indexOfParts, partOf } from './source-index.ts';
import {
  type Visit,
  bare,
  eachChild,
  isConditional,
  isOrdered,
  namesIn,
  outOfCasts,
  placeOf,
  runsAlways,
  MAX_CHAIN,
} from './syntax.ts';
import { lastUpTo } from '../../basics/lists.ts';

/** Reads a source once for all questions about its functions; null where it cannot be parsed. */
export function indexSource(text: string, url: string): SourceIndex | null {
  const file = parseSource(text, url);
  if (file === null) return null;
  const module: OpenFunction = {
    kind: 'module',
    start: { line: line1(1), column: column0(0) },
    bodyStart: { line: line1(1), column: column0(0) },
    end: placeOf(file.program, 'end'),
    parent: -1,
    title: null,
    callbackOf: null,
    inferredName: null,
    isMadeByEachCall: false,
    isGenerator: false,
    isAsync: false,
    ...emptyBody([]),
  };
  const functions = [module];
  const imports: SourceImport[] = [];
  const members = new Set<string>();
  const reassigned: Reassigned[] = [];
  walk(file.program, functions, { members, imports, reassigned });
  for (const { name, around } of reassigned) forget(name, around, functions);
  for (const { returns, loops, endsOfLoops } of functions) noteEnds(returns, loops, endsOfLoops);
  for (const fn of functions.filter(({ ranges }) => ranges.length > 0)) noteBehind(fn);
  const whole = functions.map((fn, at) => (fn.kind === 'class' ? withParts(fn, at, functions) : fn));
  // The collected nodes would keep the tree in memory.
  const closed = whole.map(({ returns: _returns, loops: _loops, ranges: _ranges, ...fn }): SourceFunction => fn);
  return indexOfParts({ functions: closed, members, imports });
}

type OpenFunction = SourceFunction & ReturnType<typeof emptyBody>;

/** What is collected while a body is read. `returns` may return a value, `loops` ask an iterator. */
function emptyBody(parameters: readonly string[]) {
  return {
    calls: new Array<OpenCall>(),
    returns: new Array<Node>(),
    loops: new Array<Node>(),
    endsOfLoops: new Map<Line1, Line1>(),
    behindAwaits: new Set<Line1>(),
    ranges: new Array<LineRange>(),
    inner: new Map<string, number>(),
    names: new Map<string, Alias | null>(parameters.map((name) => [name, null])),
    handedOn: new Set<string>(),
    coercions: new Set<Line1>(),
    makes: new Set<Line1>(),
    repeats: new Array<OpenLoop>(),
  };
}

/** A class with what its parts do. */
function withParts(own: OpenFunction, at: number, functions: readonly OpenFunction[]): OpenFunction {
  const parts = [partOf(functions, at, 'fields'), partOf(functions, at, 'static')];
  const all = [own, ...parts.flatMap((part) => (part === at ? [] : (functions[part] ?? [])))];
  return {
    ...own,
    calls: all.flatMap(({ calls }) => calls).toSorted((a, b) => a.line - b.line),
    inner: new Map(all.flatMap(({ inner }) => [...inner])),
    names: new Map(all.flatMap(({ names }) => [...names])),
    handedOn: new Set(all.flatMap(({ handedOn }) => [...handedOn])),
    coercions: new Set(all.flatMap(({ coercions }) => [...coercions])),
    repeats: all.flatMap(({ repeats }) => repeats),
  };
}

const isLoop = /^(?:For|ForIn|ForOf|While|DoWhile)Statement$/;

interface OpenLoop extends LoopLines {
  isPaused: boolean;
}

interface Step extends Visit {
  readonly parent: Step | null;
  /** Index of the function whose body contains this. */
  readonly around: number;
  /** The call that this node makes, and what it means for the functions in its arguments; null for none. */
  call: OpenCall | null;
  /** The loop that this node is; null for none. */
  loop: OpenLoop | null;
}

interface Reassigned {
  readonly name: string;
  readonly around: OpenFunction;
}

interface Found {
  readonly members: Set<string>;
  readonly imports: SourceImport[];
  readonly reassigned: Reassigned[];
}

function walk(program: Node, functions: OpenFunction[], { members, imports, reassigned }: Found): void {
  const steps: Step[] = [{ node: program, key: '', parent: null, around: 0, call: null, loop: null }];
  for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
    const from = importedBy(step.node);
    if (from !== null) imports.push({ from, line: placeOf(step.node, 'start').line });
    const opened = openFunction(step, functions);
    const call = callAt(step);
    const around = functions[step.around];
    if (around !== undefined) {
      noteNames(step, around);
      for (const name of reassignedNames(step.node)) reassigned.push({ name, around });
      noteValues(step, around, members);
      if (step.node.type === 'ReturnStatement') around.returns.push(step.node);
      if (step.node.type === 'ForOfStatement') around.loops.push(step.node);
      step.loop = loopAt(step.node);
      if (step.loop !== null) around.repeats.push(step.loop);
      notePause(step);
      if (call !== null) around.calls.push(call);
      const behind = around.kind === 'function' && !around.isGenerator ? linesBehind(step) : [];
      for (const lines of behind) around.ranges.push(lines);
    }
    step.call = call;
    const parent = step;
    const below: Step[] = [];
    eachChild(step.node, (key, node) => {
      below.push({ node, key, parent, around: aroundChild(parent, key, opened, functions), call: null, loop: null });
    });
    for (let child = below.pop(); child !== undefined; child = below.pop()) steps.push(child);
  }
}

function loopAt(node: Node): OpenLoop | null {
  if (!isLoop.test(node.type)) return null;
  return { first: placeOf(node, 'start').line, last: placeOf(node, 'end').line, isPaused: false };
}

/** Notes an `await` or a `yield` in the loops of its function that come back to it. */
function notePause(step: Step): void {
  const { node, loop: itself } = step;
  const isPause = node.type === 'AwaitExpression' || node.type === 'YieldExpression';
  if (!isPause && !(node.type === 'ForOfStatement' && node.await)) return;
  if (itself !== null) itself.isPaused = true;
  for (let at = step; at.parent !== null && !isFunction(at.parent.node); at = at.parent) {
    const { loop } = at.parent;
    if (loop !== null && at.key !== 'init' && at.key !== 'right') loop.isPaused = true;
  }
}

/** Adds the function or class that begins here, also to the call whose argument it is. Returns its index, or −1. */
function openFunction(step: Step, functions: OpenFunction[]): number {
  const { node } = step;
  const bodyStart = bodyStartOf(node);
  if (bodyStart === null) return -1;
  const index = functions.length;
  functions.push({
    kind: isClass(node) ? 'class' : 'function',
    start: placeOf(node, 'start'),
    bodyStart,
    end: placeOf(node, 'end'),
    parent: step.around,
    ...titleOf(step),
    isMadeByEachCall: isMadeByEachCall(step, functions[step.around]?.returns ?? []),
    isGenerator: isGenerator(node),
    isAsync: 'async' in node && node.async,
    ...emptyBody(parametersOf(node)),
  });
  if (node.type === 'ClassDeclaration' || node.type === 'ClassExpression')
    for (const part of partsOf(node.body, index, functions)) functions.push(part);
  callOfArgument(step)?.inline.push(index);
  const { title } = functions[index] ?? {};
  const around = functions[step.around]?.inner;
  const isNew = title !== null && title !== undefined && around?.has(title) === false;
  if (isNew && isDeclared(step)) around.set(title, index);
  return index;
}

/** Whether a statement declares the function, or it is the value of a variable, so that its name is known around it. */
function isDeclared(step: Step): boolean {
  return step.node.type.endsWith('Declaration') || outOfCasts(step)?.parent?.node.type === 'VariableDeclarator';
}

function bodyStartOf(node: Node): SourcePlace | null {
  switch (node.type) {
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
    case 'ObjectMethod':
    case 'ClassMethod':
    case 'ClassPrivateMethod':
    case 'ClassDeclaration':
    case 'ClassExpression':
      return placeOf(node.body, 'start');
    default:
      return null;
  }
}

/** The parts of a class that it has. */
function partsOf({ body }: ClassBody, parent: number, functions: readonly OpenFunction[]): readonly OpenFunction[] {
  const { title = null, isMadeByEachCall = false } = functions[parent] ?? {};
  return (['fields', 'static'] as const).flatMap((kind) => {
    const members = body.filter((member) => partWith(member) === kind);
    const [first, last] = [members[0], members.at(-1)];
    if (first === undefined || last === undefined) return [];
    const value = first.type === 'StaticBlock' ? first.body[0] : 'value' in first ? first.value : null;
    return {
      kind,
      start: placeOf(first, 'start'),
      bodyStart: value === null || value === undefined ? placeOf(first, 'end') : placeOf(value, 'start'),
      end: placeOf(last, 'end'),
      parent,
      title: title === null ? null : `${kind === 'fields' ? 'fields' : 'static fields'} of ${title}`,
      callbackOf: null,
      inferredName: null,
      isMadeByEachCall,
      isGenerator: false,
      isAsync: false,
      ...emptyBody([]),
    };
  });
}

/** The part of a class that runs a member; null for a method, and for a field that only types have. */
function partWith(member: Node): 'fields' | 'static' | null {
  if (member.type === 'StaticBlock') return 'static';
  if (!isField(member) || ('declare' in member && member.declare === true)) return null;
  if ('abstract' in member && member.abstract === true) return null;
  return member.static ? 'static' : 'fields';
}

function isField(node: Node): node is ClassProperty | ClassPrivateProperty | ClassAccessorProperty {
  return /^Class(Private|Accessor)?Property$/.test(node.type);
}

function isClass(node: Node): boolean {
  return node.type === 'ClassDeclaration' || node.type === 'ClassExpression';
}

/** The function that a child is part of: names and decorators are evaluated outside, values of fields by their part. */
function aroundChild(step: Step, key: string, opened: number, functions: readonly OpenFunction[]): number {
  const { node, around } = step;
  if (opened >= 0 && !isClass(node)) return key === 'key' || key === 'decorators' ? around : opened;
  if (isClass(node)) return key === 'body' ? opened : around;
  if (isField(node) && key !== 'value') return step.parent?.parent?.around ?? around;
  const part = isField(node) || node.type === 'StaticBlock' ? partWith(node) : null;
  return part === null ? around : partOf(functions, around, part);
}

/** The call that has a function in its arguments, itself or in an object, or that calls it at once. */
function callOfArgument(step: Step): OpenCall | null {
  let place: Visit | null = outOfCasts(step);
  while (place?.parent?.node.type === 'ObjectProperty' || place?.parent?.node.type === 'ObjectExpression') {
    place = outOfCasts(place.parent);
  }
  const parent = place?.parent ?? null;
  const isPart = place?.key === 'arguments' || place?.key === 'callee';
  return parent !== null && isPart && isStep(parent) ? parent.call : null;
}

function isStep(visit: Visit): visit is Step {
  return 'call' in visit;
}

function parametersOf(node: Node): readonly string[] {
  return 'params' in node && Array.isArray(node.params) ? node.params.flatMap(namesIn) : [];
}

function noteBehind({ calls, coercions, ranges, behindAwaits }: OpenFunction): void {
  for (const { line } of calls)
    if (!coercions.has(line) && ranges.some(({ first, last }) => line >= first && line <= last)) behindAwaits.add(line);
}

/** Notes lines of `return x` without other work: V8 attributes to such a line what the loop above it does. */
function noteEnds(returns: readonly Node[], loops: readonly Node[], ends: Map<Line1, Line1>): void {
  const starts = Int32Array.from(loops, (loop) => placeOf(loop, 'start').line);
  const lasts = Int32Array.from(loops, (loop) => placeOf(loop, 'end').line);
  const idle = returns.filter((statement) => statement.type === 'ReturnStatement' && isIdle(statement.argument));
  for (const line of new Set(idle.map((statement) => placeOf(statement, 'start').line))) {
    // A loop that ends above the line also begins above it. Loops around the line are skipped.
    let at = lastUpTo(starts, line - 1);
    while (at >= 0 && (lasts[at] ?? 0) >= line) at--;
    const start = starts[at];
    if (start !== undefined) ends.set(line, line1(start));
  }
}

function isIdle(argument: Node | null | undefined): boolean {
  if (argument === null || argument === undefined) return true;
  const { type } = bare(argument);
  return type === 'Identifier' || type.endsWith('Literal');
}

/**
 * Whether each call of the enclosing function makes this one: no condition is around it, and no earlier statement in
 * `returns` (those read so far) may have left the function. False where nested too deep to decide, in generators (one
 * call runs in pieces) and in modules (they run once).
 */
function isMadeByEachCall(literal: Visit, returns: readonly Node[]): boolean {
  const around = new Set<Node>();
  for (let place = literal; place.parent !== null && around.size < MAX_CHAIN; place = place.parent) {
    const { node } = place.parent;
    around.add(node);
    if (isFunction(node)) {
      const isHoisted = literal.node.type === 'FunctionDeclaration';
      const hasLeft = returns.some((statement) => !around.has(statement));
      return place.key === 'body' && !isGenerator(node) && (isHoisted || !hasLeft);
    }
    if (isConditional(node, place.key)) return false;
  }
  return false;
}

function isFunction(node: Node): boolean {
  return /^(Function(Declaration|Expression)|ArrowFunctionExpression|ObjectMethod|Class(Private)?Method)$/.test(
    node.type,
  );
}

function isGenerator(node: Node): boolean {
  return 'generator' in node && node.generator;
}

/** Whole lines, the first and the last one included. */
interface LineRange {
  readonly first: number;
  readonly last: number;
}

/**
 * Lines that certainly run only after this `await`, as the syntax alone proves: what follows it in a list of statements
 * or in an expression, without a way around it. Empty for other nodes.
 */
function linesBehind(visit: Visit): readonly LineRange[] {
  const { node } = visit;
  const isLoop = node.type === 'ForOfStatement' && node.await;
  if (node.type !== 'AwaitExpression' && !isLoop) return [];
  const ranges = isLoop ? [between(node.right, node)] : [];
  for (let at: Visit = visit; at.parent !== null; at = at.parent) {
    const around = at.parent.node;
    if (isOrdered(around, at.key)) ranges.push(between(at.node, around));
    if (!runsAlways(around, at.key)) break;
  }
  return ranges.filter(({ first, last }) => first <= last);
}

/** The lines of the outer node that lie wholly behind the inner one. */
function between(inner: Node, outer: Node): LineRange {
  return { first: placeOf(inner, 'end').line + 1, last: placeOf(outer, 'end').line - 1 };
}
