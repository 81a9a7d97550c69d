import { isList, isRecord, parseJson } from '../../../protocol/json-value.ts';
import type { IndexParts, SourceFunction, SourceImport, SourceIndex } from './source-index.ts';
import { indexOfParts } from './source-index.ts';

/**
 * An index as a text, which takes a quarter of the memory of its objects, and is quick to keep and to read: a line with what
 * functions are found by, and a line with the rest of each function, which is parsed on demand.
 */
export function packIndex({ functions, members, imports }: IndexParts): string {
  const heads = functions.map(headOf);
  const head = JSON.stringify({ heads, members: [...members], imports } satisfies Head);
  return [head, ...functions.map((fn) => JSON.stringify(restOf(fn)))].join('\n');
}

/** Undefined for a text that is not a packed index. An indexer wrote the others, so their inside is not checked. */
export function unpackIndex(text: string): SourceIndex | undefined {
  const end = text.indexOf('\n');
  const head = end === -1 ? undefined : parseJson(text.slice(0, end));
  if (!isHead(head)) return undefined;
  const lines = new Lines(text);
  const functions = head.heads.map((fn, number) => new PackedFunction(fn, number, lines));
  return indexOfParts({ functions, members: new Set(head.members), imports: head.imports });
}

interface Head {
  readonly heads: readonly FunctionHead[];
  readonly members: readonly string[];
  readonly imports: readonly SourceImport[];
}

function isHead(value: unknown): value is Head {
  return isRecord(value) && isList(value['heads']) && isList(value['members']) && isList(value['imports']);
}

/** All that a function says, as its own properties: a copy by `...` would lose what is read only when it is asked for. */
export function unpacked(fn: SourceFunction): SourceFunction {
  const { calls, inner, names, handedOn, coercions, makes, endsOfLoops, behindAwaits, repeats } = fn;
  return { ...headOf(fn), calls, inner, names, handedOn, coercions, makes, endsOfLoops, behindAwaits, repeats };
}

type HeadKey =
  | 'kind'
  | 'start'
  | 'bodyStart'
  | 'end'
  | 'parent'
  | 'title'
  | 'callbackOf'
  | 'inferredName'
  | 'isMadeByEachCall'
  | 'isGenerator'
  | 'isAsync';
type FunctionHead = Pick<SourceFunction, HeadKey>;
type Details = Omit<SourceFunction, HeadKey>;

function headOf(fn: SourceFunction): FunctionHead {
  const { kind, start, bodyStart, end, parent, title, callbackOf, inferredName } = fn;
  const { isMadeByEachCall, isGenerator, isAsync } = fn;
  const named = { kind, start, bodyStart, end, parent, title, callbackOf, inferredName };
  return { ...named, isMadeByEachCall, isGenerator, isAsync };
}

function restOf(fn: SourceFunction) {
  const { calls, inner, names, handedOn, coercions, makes, endsOfLoops, behindAwaits, repeats } = fn;
  return {
    ...{ calls, repeats, inner: [...inner], names: [...names], handedOn: [...handedOn] },
    ...{ coercions: [...coercions], makes: [...makes], endsOfLoops: [...endsOfLoops], behindAwaits: [...behindAwaits] },
  };
}

function detailsIn(json: string): Details {
  const rest = parseJson(json);
  if (!isRest(rest)) throw new Error('A packed index has been changed.');
  return {
    ...rest,
    inner: new Map(rest.inner),
    names: new Map(rest.names),
    handedOn: new Set(rest.handedOn),
    coercions: new Set(rest.coercions),
    makes: new Set(rest.makes),
    endsOfLoops: new Map(rest.endsOfLoops),
    behindAwaits: new Set(rest.behindAwaits),
  };
}

type Rest = ReturnType<typeof restOf>;

function isRest(value: unknown): value is Rest {
  return isRecord(value) && isList(value['calls']);
}

class PackedFunction implements SourceFunction {
  readonly kind: SourceFunction['kind'];
  readonly start: SourceFunction['start'];
  readonly bodyStart: SourceFunction['bodyStart'];
  readonly end: SourceFunction['end'];
  readonly parent: number;
  readonly title: string | null;
  readonly callbackOf: string | null;
  readonly inferredName: string | null;
  readonly isMadeByEachCall: boolean;
  readonly isGenerator: boolean;
  readonly isAsync: boolean;
  readonly #number: number;
  readonly #lines: Lines;
  #details: Details | null = null;

  constructor(head: FunctionHead, number: number, lines: Lines) {
    this.kind = head.kind;
    this.start = head.start;
    this.bodyStart = head.bodyStart;
    this.end = head.end;
    this.parent = head.parent;
    this.title = head.title;
    this.callbackOf = head.callbackOf;
    this.inferredName = head.inferredName;
    this.isMadeByEachCall = head.isMadeByEachCall;
    this.isGenerator = head.isGenerator;
    this.isAsync = head.isAsync;
    this.#number = number;
    this.#lines = lines;
  }

  get calls(): Details['calls'] {
    return this.#read().calls;
  }

  get inner(): Details['inner'] {
    return this.#read().inner;
  }

  get names(): Details['names'] {
    return this.#read().names;
  }

  get handedOn(): Details['handedOn'] {
    return this.#read().handedOn;
  }

  get coercions(): Details['coercions'] {
    return this.#read().coercions;
  }

  get makes(): Details['makes'] {
    return this.#read().makes;
  }

  get endsOfLoops(): Details['endsOfLoops'] {
    return this.#read().endsOfLoops;
  }

  get behindAwaits(): Details['behindAwaits'] {
    return this.#read().behindAwaits;
  }

  get repeats(): Details['repeats'] {
    return this.#read().repeats;
  }

  #read(): Details {
    this.#details ??= detailsIn(this.#lines.after(this.#number));
    return this.#details;
  }
}

class Lines {
  readonly #text: string;
  #breaks: number[] | null = null;

  constructor(text: string) {
    this.#text = text;
  }

  /** The line after so many others, and after the first one. */
  after(number: number): string {
    this.#breaks ??= breaksIn(this.#text);
    return this.#text.slice((this.#breaks[number] ?? 0) + 1, this.#breaks[number + 1]);
  }
}

function breaksIn(text: string): number[] {
  const breaks: number[] = [];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) breaks.push(at);
  return breaks;
}
