/** A literal value of a configuration; anything computed is an {@link Expression}. */
export type Literal = string | boolean | Expression | readonly Literal[] | LiteralObject;
/** Values by their keys; `...spread` is under the key `...`. */
export type LiteralObject = ReadonlyMap<string, Literal>;

export interface Expression {
  readonly expression: string;
}

/** In UTF-16 units. Longer texts are not read: patterns search from each quote to the end. */
const MAX_TEXT = 32_000;

/** The text without comments; empty where it is too long. */
export function withoutComments(text: string): string {
  if (text.length > MAX_TEXT) return '';
  return text.replaceAll(
    /("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g,
    (_, quoted?: string) => quoted ?? ' ',
  );
}

/** The object or array after the first match of `opening`, which ends right before the bracket; null: none. */
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

/** Functions that return the object which is their last argument. */
const wrapper = /(?:define(?:Project|Config|Workspace)|mergeConfig)\s*\(/y;

/** Deepest nesting of brackets that is read: no configuration has more. */
const MAX_DEPTH = 100;

/** Reads JavaScript literals. Other expressions, and what is nested too deeply, are skipped as a whole. */
class Reader {
  readonly #text: string;
  #at: number;
  /** Number of brackets around the current place. */
  #depth = 0;

  constructor(text: string, at: number) {
    this.#text = text;
    this.#at = at;
  }

  /** Reads a value, up to the comma or bracket after it. */
  value(): Literal {
    this.#skip(/\s*/y);
    const start = this.#at;
    const value = this.literal();
    // `'a' as const` is a literal, `'a' + b` is not.
    this.#skip(/\s*(?:as|satisfies)\s+[\w.]+/y);
    this.#skip(/\s*/y);
    if (value !== null && (this.#at >= this.#text.length || /[,;\]})]/.test(this.#text.charAt(this.#at)))) return value;
    this.#skipExpression();
    return { expression: this.#text.slice(start, this.#at).trim() };
  }

  /** Reads a literal; null where there is something else. */
  literal(): Literal | null {
    const quoted = this.#skip(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\$]|\\.)*`/y);
    if (quoted !== null) return quoted.slice(1, -1).replaceAll(/\\(.)/g, '$1');
    const word = this.#skip(/(?:true|false)\b/y);
    if (word !== null) return word === 'true';
    if (this.#depth === MAX_DEPTH) return null;
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
      if (this.#at === before) break; // Something that brackets cannot contain.
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

  /** Skips an expression, up to the comma or bracket that ends it. */
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

  /** The text that a sticky pattern matches at the current place. */
  #peek(pattern: RegExp): string | null {
    const own = new RegExp(pattern);
    own.lastIndex = this.#at;
    return own.exec(this.#text)?.[0] ?? null;
  }
}
