import type { Column0, Line0, Line1 } from '../../../protocol/units.ts';
import { firstDifference, firstWhere } from '../../basics/lists.ts';

/** What one source file shows: the titles of its functions, and which lines call what. The syntax tree is not kept. */
export interface SourceIndex extends IndexParts {
  /** Places of those `functions` that are functions, of the classes, and of the parts of classes. */
  readonly places: Readonly<Record<'function' | 'class' | 'part', FunctionPlaces>>;
}

/** What an index is made of. */
export interface IndexParts {
  /** Functions in the order of the text, the whole module first: a function comes after the one that encloses it. */
  readonly functions: readonly SourceFunction[];
  /** Names of the properties and methods that it writes: `report` of `{ report: 1 }` and of `x.report = 1`. */
  readonly members: ReadonlySet<string>;
  /** Every place that loads a module, in the order of the text; without imports of types. */
  readonly imports: readonly SourceImport[];
}

export function indexOfParts(parts: IndexParts): SourceIndex {
  const { functions } = parts;
  const ofKind = (...kinds: readonly SourceFunction['kind'][]): FunctionPlaces => functionPlaces(functions, kinds);
  return {
    ...parts,
    places: { function: ofKind('function'), class: ofKind('class'), part: ofKind('fields', 'static') },
  };
}

export interface SourceImport {
  /** As written: `./cart.js`, `lodash/map`. */
  readonly from: string;
  readonly line: Line1;
}

/** The target of a name: `import { parse as read }` and `const read = x.parse` are `read → parse`. */
export interface Alias {
  /** `default` and `*` are names of a module. */
  readonly name: string;
  /** The module that it comes from; null for a name of the same file. */
  readonly from: string | null;
  /** True for a member of something in the same file. */
  readonly isMember: boolean;
}

/**
 * A function as written. V8 runs the fields of a class in one function, and its static fields and blocks in another one:
 * the parts of the class, `fields` and `static`. The class has what both do.
 */
export interface SourceFunction {
  readonly kind: 'module' | 'function' | 'class' | 'fields' | 'static';
  /** Where its text begins: `async`, `function`, or the name of a method; for a part of a class, its first field. */
  readonly start: SourcePlace;
  /** Where its body begins; for a part of a class, its first value. */
  readonly bodyStart: SourcePlace;
  readonly end: SourcePlace;
  /** Index of the enclosing function; −1 for the module. */
  readonly parent: number;
  /** Its own name, the name that it is given, `test "…"` or `handler of GET /…`; null where nothing names it. */
  readonly title: string | null;
  /** Name of the function to which it is handed; null where it is handed to none. */
  readonly callbackOf: string | null;
  /**
   * The last word of the name that V8 infers for it, where it has no name and the source shows this: `steps` in
   * `steps = [() => 1]`, `''` in `then(() => 1)`; else null. V8 may infer another one, which is of the code around it.
   */
  readonly inferredName: string | null;
  /** True where each call of the enclosing function makes it again, as far as the text shows. False in a generator. */
  readonly isMadeByEachCall: boolean;
  /** Calls in its body and in no function inside it, in the order of the text. */
  readonly calls: readonly SourceCall[];
  /** Functions and classes that are declared directly inside it, by name: the first of each. */
  readonly inner: ReadonlyMap<string, number>;
  /** The names that it declares, parameters included, with their targets; null where unknown. */
  readonly names: ReadonlyMap<string, Alias | null>;
  /** Names of values that it hands on: in arguments, lists, tables. */
  readonly handedOn: ReadonlySet<string>;
  /** Lines that may convert an object to a text, a number or a copy, or read it without naming a method. */
  readonly coercions: ReadonlySet<Line1>;
  /** Lines that make an object, a list, a function or a regular expression. */
  readonly makes: ReadonlySet<Line1>;
  /** True where its calls only make an object; asking that object for the next value runs its body. */
  readonly isGenerator: boolean;
  readonly isAsync: boolean;
  /**
   * Lines of `return x` after a loop over an iterator, with the loop's line. V8 gives the former for work of the loop.
   */
  readonly endsOfLoops: ReadonlyMap<Line1, Line1>;
  /** Lines of calls that certainly run only after an `await` of this function. Empty for generators. */
  readonly behindAwaits: ReadonlySet<Line1>;
  /** First and last lines of its own `for`, `while` and `do` loops, an outer one before those in it. */
  readonly repeats: readonly LoopLines[];
}

export interface LoopLines {
  readonly first: Line1;
  readonly last: Line1;
  /** Whether a run of it may `await` or `yield`, so that other code may run before the next one. */
  readonly isPaused: boolean;
}

export interface SourcePlace {
  readonly line: Line1;
  readonly column: Column0;
}

export interface SourceCall {
  /** `get`, `set`: maybe an accessor. `element`: JSX. `iterate`: a loop, spread or `yield*`, named after its source. */
  readonly kind: 'call' | 'new' | 'get' | 'set' | 'element' | 'iterate';
  /** Line of the called name, where V8 says that the call is. */
  readonly line: Line1;
  /** The called name: `c` of `a.b.c()`; `''` where nothing names it. */
  readonly callee: string;
  /** The first name of its chain: `a` of `a.b.c()`; `''` where it begins otherwise. */
  readonly root: string;
  /** True where it is called as a member of something: `a.b()`, not `b()`. */
  readonly isMember: boolean;
  /** True where it calls a function that is written there: `(() => 1)()`. */
  readonly isOfLiteral: boolean;
  /** True where the first argument is written as a text: `split(',')`. */
  readonly hasTextArgument: boolean;
  /** Indexes of the functions written in its arguments, and of a function that is itself called at once. */
  readonly inline: readonly number[];
  /** Names handed over as arguments: `byPrice` of `items.sort(byPrice)`. */
  readonly passed: readonly string[];
}

/**
 * Index of the function that V8 or a source map puts at this place; −1 where there is none. V8 gives the begin of the
 * parameters, of arrow functions and classes their very begin; maps may give a token before it.
 */
export function functionAt(index: SourceIndex, line: Line0, column: Column0, name: string): number {
  const { functions, places } = index;
  const part = classPartAt(index, line, column, name);
  if (part >= 0) return withoutOnlyPart(functions, part);
  const place = { line: line + 1, column };
  const classes = places.class.holding(place);
  if (isAt(functions[classes]?.start, place)) return classes;
  const around = places.function.holding(place);
  if (around >= 0) return around;
  // A map of esbuild may put the body of an async function there.
  const before = places.function.holding({ ...place, column: column - 1 });
  if (isAt(functions[before]?.bodyStart, place)) return before;
  const next = places.function.from(place);
  return functions[next]?.start.line === place.line ? next : classes;
}

/**
 * Index of the part of a class that V8 puts at this place, as functions are: Node 20 by a name, Node 22 both parts at the
 * body of the class, later ones at the first field. The class where it may be both parts, −1 where it is none.
 */
export function classPartAt({ functions, places }: SourceIndex, line: Line0, column: Column0, name: string): number {
  const place = { line: line + 1, column };
  const classes = places.class.holding(place);
  if (name.startsWith('<')) return partOf(functions, classes, name.includes('static') ? 'static' : 'fields');
  if (isAt(functions[classes]?.bodyStart, place)) {
    const [fields, statics] = [partOf(functions, classes, 'fields'), partOf(functions, classes, 'static')];
    return fields === classes ? statics : statics === classes ? fields : classes;
  }
  const part = places.part.holding(place);
  // A map may put the function of a field at the begin of the field.
  const next = functions[places.function.from(place)];
  const isOfNext = next?.title === name && next.parent === part;
  // In a computed name there may be functions.
  return isOfNext || places.function.holding(place) > part ? -1 : part;
}

/** Index of a part of a class, which follows the class; the class itself where it has no such part. */
export function partOf(functions: readonly Nested[], at: number, kind: SourceFunction['kind']): number {
  const isIt = (part: number): boolean => functions[part]?.kind === kind && functions[part].parent === at;
  return isIt(at + 1) ? at + 1 : isIt(at + 2) ? at + 2 : at;
}

type Nested = Pick<SourceFunction, 'kind' | 'parent'>;

/** A class with one part is that part. So it has one name, whichever version of Node ran it. */
export function withoutOnlyPart(functions: readonly Nested[], at: number): number {
  const fn = functions[at];
  if (fn === undefined || !isPartOfClass(fn)) return at;
  return partOf(functions, fn.parent, fn.kind === 'fields' ? 'static' : 'fields') === fn.parent ? fn.parent : at;
}

export function isPartOfClass({ kind }: Pick<SourceFunction, 'kind'>): boolean {
  return kind === 'fields' || kind === 'static';
}

function isAt(start: SourcePlace | undefined, place: Place): boolean {
  return start?.line === place.line && start.column === place.column;
}

/** Lines count from 1. */
interface FunctionPlaces {
  /** Index of the last function to begin whose head contains the place; −1 for none. */
  readonly holding: (place: Place) => number;
  /** Index of the first function that begins at or after the place; −1 for none. */
  readonly from: (place: Place) => number;
}

/** In a text. Each user says from where lines count. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

function functionPlaces(
  functions: readonly SourceFunction[],
  kinds: readonly SourceFunction['kind'][],
): FunctionPlaces {
  // Decorators are read after the code before which they are written.
  const all = [...functions.entries()]
    .flatMap(([index, fn]) => (kinds.includes(fn.kind) ? [{ index, fn, headEnd: headEndOf(fn) }] : []))
    .toSorted(({ fn: a }, { fn: b }) => firstDifference(a.start.line - b.start.line, a.start.column - b.start.column));
  const around = headsAround(all);
  /** Number of functions that begin before the place, or at it. */
  const countUpTo = (place: Place): number =>
    firstWhere(all.length, (index) => isBefore(place, all[index]?.fn.start ?? nowhere));
  return {
    holding: (place) => {
      let at = countUpTo(place) - 1;
      while (at >= 0 && !isBefore(place, all[at]?.headEnd ?? nowhere)) at = around[at] ?? -1;
      return all[at]?.index ?? -1;
    },
    from: ({ line, column }) => all[countUpTo({ line, column: column - 1 })]?.index ?? -1,
  };
}

const nowhere: Place = { line: 0, column: 0 };

/** Where the places of a function end: where its body begins; a class has all of its text. */
function headEndOf({ kind, bodyStart, end }: SourceFunction): SourcePlace {
  return kind === 'class' ? end : bodyStart;
}

interface Head {
  readonly fn: SourceFunction;
  readonly headEnd: SourcePlace;
}

/** For each function, the nearest one before it in whose head it begins. Heads are nested or apart. */
function headsAround(heads: readonly Head[]): Int32Array {
  const around = new Int32Array(heads.length).fill(-1);
  const open: number[] = [];
  for (const [at, { fn }] of heads.entries()) {
    while (open.length > 0 && !isBefore(fn.start, heads[open.at(-1) ?? -1]?.headEnd ?? nowhere)) open.pop();
    around[at] = open.at(-1) ?? -1;
    open.push(at);
  }
  return around;
}

export function isBefore(a: Place, b: Place): boolean {
  return a.line === b.line ? a.column < b.column : a.line < b.line;
}
