import type { Column0, Line0, Line1 } from '../../protocol/units.ts';

/**
 * What one source file says of its functions: who they are for people, and which lines call what.
 * Made by `indexSource`; the syntax tree itself is not kept.
 */
export interface SourceIndex {
  /** In the order of the text, the whole module first: a function comes after the one around it. */
  readonly functions: readonly SourceFunction[];
  /** Names of the properties and methods that it writes: `report` of `{ report: 1 }` and of `x.report = 1`. */
  readonly members: ReadonlySet<string>;
  /** Every place that loads a module, in the order of the text; without imports of types. */
  readonly imports: readonly SourceImport[];
  /** Those of `functions` that are functions, and classes. */
  readonly places: Readonly<Record<'function' | 'class', FunctionPlaces>>;
}

export interface SourceImport {
  /** As it is written: `./cart.js`, `lodash/map`. */
  readonly from: string;
  readonly line: Line1;
}

/** What a name stands for: `import { parse as read }` and `const read = x.parse` are `read → parse`. */
export interface Alias {
  /** `default` and `*` of a module are so called. */
  readonly name: string;
  /** The module that it comes from; null for a name of the same file. */
  readonly from: string | null;
  /** Of the same file: a member of something, not a name by itself. */
  readonly isMember: boolean;
}

/** A function as it is written; a class is one too: that of its fields and static blocks. */
export interface SourceFunction {
  readonly kind: 'module' | 'function' | 'class';
  /** Where its text begins: `async`, `function`, the name of a method. */
  readonly start: SourcePlace;
  /** Where its body begins; of a class, where it ends. */
  readonly bodyStart: SourcePlace;
  readonly lastLine: Line1;
  /** Index of the function around it; −1 for the module. */
  readonly parent: number;
  /** Its name, the name it is given, `test "…"` or `handler of GET /…`; null where nothing names it. */
  readonly title: string | null;
  /** Name of the function that it is handed to; null where it is handed to none. */
  readonly callbackOf: string | null;
  /** Each call of the function around it makes it anew, as far as the text tells. False where that is a generator. */
  readonly isMadeByEachCall: boolean;
  /** Those in its body and in no function inside it, in the order of the text. */
  readonly calls: readonly SourceCall[];
  /** Functions and classes that are declared right inside it, by name: the first of each. */
  readonly inner: ReadonlyMap<string, number>;
  /** The names that it declares, with its parameters: what each stands for, null where nobody knows. */
  readonly names: ReadonlyMap<string, Alias | null>;
  /** Names of values that it hands on: in arguments, lists, tables. */
  readonly handedOn: ReadonlySet<string>;
  /** Lines that may turn an object into text, a number or a copy, or look into it in another way that no name tells. */
  readonly coercions: ReadonlySet<Line1>;
  /** Its calls only make an object; who asks that for the next value runs its body. */
  readonly isGenerator: boolean;
  /** Lines of `return x` behind a loop over an iterator, by which V8 means the loop's own work: the loop's line for each. */
  readonly endsOfLoops: ReadonlyMap<Line1, Line1>;
}

export interface SourcePlace {
  readonly line: Line1;
  readonly column: Column0;
}

export interface SourceCall {
  /**
   * `get` and `set`: a property that may be an accessor; `element`: of JSX, which calls what makes elements; `iterate`: a
   * loop, a spread or a `yield*`, which asks an iterator for values, of the name that is iterated.
   */
  readonly kind: 'call' | 'new' | 'get' | 'set' | 'element' | 'iterate';
  /** Where the called name stands, which is where V8 says that the call is. */
  readonly line: Line1;
  /** `c` of `a.b.c()`; `''` where nothing names it. */
  readonly callee: string;
  /** The first name of its chain: `a` of `a.b.c()`; `''` where it begins otherwise. */
  readonly root: string;
  /** Called as a member of something: `a.b()`, not `b()`. */
  readonly isMember: boolean;
  /** What it is handed first is written as a text: `split(',')`. */
  readonly isOfText: boolean;
  /** Indexes of the functions written in its arguments, and of the function itself that is called at once. */
  readonly inline: readonly number[];
  /** Names handed over as arguments: `byPrice` of `items.sort(byPrice)`. */
  readonly passed: readonly string[];
}

/**
 * Index of the function that V8 or a source map puts at this place; −1 where there is none. V8 names the parameters'
 * begin, of arrow functions and classes the very begin; maps may name a token before it.
 */
export function functionAt(index: SourceIndex, line: Line0, column: Column0, name: string): number {
  const place = { line: line + 1, column };
  const isFieldsOf = name.startsWith('<');
  const classes = index.places.class.holding(place);
  const start = index.functions[classes]?.start;
  if (isFieldsOf || (start?.line === place.line && start.column === place.column)) return classes;
  const around = index.places.function.holding(place);
  if (around >= 0) return around;
  const next = index.places.function.from(place);
  return index.functions[next]?.start.line === place.line ? next : classes;
}

/** Finds the functions of one kind by place, without a look at each. Lines from 1. */
export interface FunctionPlaces {
  /** Index of the last one to begin whose text in front of the body holds the place; −1 where there is none. */
  readonly holding: (place: Place) => number;
  /** Index of the first one that begins there or behind it; −1 where there is none. */
  readonly from: (place: Place) => number;
}

export interface Place {
  readonly line: number;
  readonly column: number;
}
