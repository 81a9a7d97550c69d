/** What a configuration says in so many words; anything computed is an {@link Expression}. */
export type Literal = string | boolean | Expression | readonly Literal[] | LiteralObject;
/** By its keys; `...spread` under `...`. */
export type LiteralObject = ReadonlyMap<string, Literal>;

export interface Expression {
  readonly expression: string;
}

/** In UTF-16 units. Of a longer configuration nothing is known: its patterns would be looked for from each quote to the end. */
const longest = 32_000;

/** The text without comments; none where it is longer than anybody writes. */
export function withoutComments(text: string): string {
  if (text.length > longest) return '';
  return text.replaceAll(
    /("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g,
    (_, quoted?: string) => quoted ?? ' ',
  );
}

/** The object or array behind the first place that `opening` matches, which ends in front of its bracket; null: none. */
export function literalBehind(opening: RegExp, text: string): Literal | null {
  const found = opening.exec(text);
  return found === null ? null : new Reader(text, found.index + found[0].length).literal();
}

export function objectIn(value: Literal | null | undefined): LiteralObject | null {
  return value instanceof Map ? value : null;
}

export function listIn(value: Literal | null | undefined): readonly Literal[] | null {
  return Array.isArray(value) ? value : null;
}

/** What takes an object as its last argument and gives it back. */
const wrapper = /(?:define(?:Project|Config|Workspace)|mergeConfig)\s*\(/y;

/** No configuration has more brackets around a value. */
const mostDepth = 100;

/** Reads JavaScript's literals as far as they are ones; what stands between brackets is skipped as a whole, and so is what lies too deep. */
class Reader {
  readonly #text: string;
  #at: number;
  /** Brackets around the place whose values are read. */
  #depth = 0;

  constructor(text: string, at: number) {
    this.#text = text;
    this.#at = at;
  }

  /** Up to the comma or bracket behind it. */
  value(): Literal {
    this.#skip(/\s*/y);
    const start = this.#at;
    const value = this.literal();
    // `'a' as const` is its literal, `'a' + b` is not.
    this.#skip(/\s*(?:as|satisfies)\s+[\w.]+/y);
    this.#skip(/\s*/y);
    if (value !== null && (this.#at >= this.#text.length || /[,;\]})]/.test(this.#text.charAt(this.#at)))) return value;
    this.#skipExpression();
    return { expression: this.#text.slice(start, this.#at).trim() };
  }

  /** Null where something else stands. */
  literal(): Literal | null {
    const quoted = this.#skip(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\$]|\\.)*`/y);
    if (quoted !== null) return quoted.slice(1, -1).replaceAll(/\\(.)/g, '$1');
    const word = this.#skip(/(?:true|false)\b/y);
    if (word !== null) return word === 'true';
    if (this.#depth === mostDepth) return null;
    this.#depth += 1;
    const inside = this.#inBrackets();
    this.#depth -= 1;
    return inside;
  }

  #inBrackets(): Literal | null {
    if (this.#skip(/\[/y) !== null) return this.#list(']');
    if (this.#skip(/\{/y) !== null) return this.#fields();
    if (this.#skip(wrapper) !== null) return this.#list(')').findLast((value) => objectIn(value) !== null) ?? null;
    return null;
  }

  #list(closing: string): readonly Literal[] {
    const values: Literal[] = [];
    while (this.#skip(/\s*,?\s*/y) !== null && this.#at < this.#text.length) {
      const before = this.#at;
      if (this.#text.charAt(this.#at) === closing) break;
      values.push(this.value());
      if (this.#at === before) break; // Nothing that brackets could hold.
    }
    this.#at += 1;
    return values;
  }

  #fields(): LiteralObject {
    const fields = new Map<string, Literal>();
    while (this.#skip(/\s*,?\s*/y) !== null && this.#at < this.#text.length) {
      const before = this.#at;
      if (this.#text.charAt(this.#at) === '}') break;
      const key = this.#skip(/(?:"[^"\n]*"|'[^'\n]*'|[\w$]+)\s*:/y) ?? this.#peek(/\.{3}|[\w$]+/y);
      fields.set(key?.replaceAll(/["':\s]/g, '') ?? '', this.value());
      if (this.#at === before) break;
    }
    this.#at += 1;
    return fields;
  }

  /** Up to the comma or bracket that ends it. */
  #skipExpression(): void {
    const closings: string[] = [];
    while (this.#at < this.#text.length) {
      if (this.#skip(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/y) !== null) continue;
      const character = this.#text.charAt(this.#at);
      if (closings.length === 0 && /[,;\]})]/.test(character)) return;
      if ('([{'.includes(character)) closings.push(character);
      if (')]}'.includes(character)) closings.pop();
      this.#at += 1;
    }
  }

  #skip(pattern: RegExp): string | null {
    const found = this.#peek(pattern);
    this.#at += found?.length ?? 0;
    return found;
  }

  /** What a sticky pattern matches here. */
  #peek(pattern: RegExp): string | null {
    const own = new RegExp(pattern);
    own.lastIndex = this.#at;
    return own.exec(this.#text)?.[0] ?? null;
  }
}
