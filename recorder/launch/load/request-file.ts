/** One request as it is written in a `.http` file: its variables have no values yet. */
export interface WrittenRequest {
  /** By `# @name`, else the words behind `###`; null without both. */
  readonly name: string | null;
  /** Its first line, without query and version. */
  readonly line: string;
  /** Upper case. */
  readonly method: string;
  /** What is behind the method, with all lines of its query: an address, or a path. */
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: readonly BodyLine[];
  /** Why it cannot be sent, whatever its variables are; null where it can. Continues a sentence: `is a curl command`. */
  readonly problem: string | null;
}

export type BodyLine =
  | { readonly type: 'text'; readonly text: string }
  /** The content of a file; `isTemplate`: it has variables. */
  | { readonly type: 'file'; readonly path: string; readonly isTemplate: boolean };

export interface RequestFile {
  readonly requests: readonly WrittenRequest[];
  /** `@name = value`, unresolved. */
  readonly variables: ReadonlyMap<string, string>;
  /** Whether there are scripts, which do not run: `< {% … %}` and `> {% … %}`. */
  readonly hasScripts: boolean;
}

/**
 * Parses a `.http` or `.rest` file, in the dialects of VS Code's REST Client and of JetBrains' HTTP client, which differ
 * in names, scripts and dynamic variables. No library reads both: those of the two tools are part of them, and httpyac's
 * has a syntax of its own and 60 packages.
 * Sources: https://github.com/Huachao/vscode-restclient#readme and
 * https://www.jetbrains.com/help/idea/exploring-http-syntax.html.
 */
export function parseRequestFile(text: string): RequestFile {
  const blocks: Block[] = [new Block('')];
  for (const line of text.replace(/^\uFEFF/, '').split(/\r?\n/)) {
    const separator = /^\s*#{3,}(.*)$/.exec(line);
    if (separator === null) blocks.at(-1)?.add(line);
    else blocks.push(new Block((separator[1] ?? '').trim()));
  }
  return {
    requests: blocks.flatMap((block) => block.request() ?? []),
    variables: new Map(blocks.flatMap(({ variables }) => variables)),
    hasScripts: blocks.some(({ hasScripts }) => hasScripts),
  };
}

/** What is between two `###`: at most one request. */
class Block {
  readonly variables: (readonly [string, string])[] = [];
  hasScripts = false;
  readonly #title: string;
  #name: string | null = null;
  #part: 'before' | 'target' | 'headers' | 'body' = 'before';
  #isInScript = false;
  #line: string | null = null;
  #problem: string | null = null;
  readonly #headers: (readonly [string, string])[] = [];
  readonly #body: string[] = [];

  constructor(title: string) {
    this.#title = title;
  }

  add(line: string): void {
    if (this.#skipsScript(line)) return;
    if (this.#part === 'body') this.#body.push(line);
    else if (line.trim() === '') this.#part = this.#part === 'before' ? 'before' : 'body';
    else if (/^\s*(#|\/\/)/.test(line)) this.#addComment(line);
    else if (this.#part === 'before') this.#begin(line.trim());
    else this.#addHead(line);
  }

  /** Whether the line belongs to a script, or says where to keep the answer. */
  #skipsScript(line: string): boolean {
    const isStart = /^\s*[<>]\s*\{%/.test(line);
    const isFile =
      /^\s*>\s+\S+\.js\s*$|^\s*<\s+\S+\.js\s*$/.test(line) && (this.#part !== 'body' || /^\s*>/.test(line));
    if (isStart || isFile) this.hasScripts = true;
    if (this.#isInScript || isStart) {
      this.#isInScript = !line.includes('%}');
      return true;
    }
    return isFile || /^(>>!?|<>)\s/.test(line);
  }

  #addComment(line: string): void {
    const [, tag, value = ''] = /^\s*(?:#|\/\/)\s*@([\w-]+)\s*=?\s*(.*)$/.exec(line) ?? [];
    if (tag === 'name') this.#name = value.trim();
    if (tag === 'disabled') this.#problem = 'is marked @disabled';
  }

  #begin(line: string): void {
    const variable = /^@([^\s=]+)\s*=\s*(.*)$/.exec(line);
    if (variable !== null) {
      this.variables.push([variable[1] ?? '', variable[2] ?? '']);
      return;
    }
    this.#line = line;
    this.#part = 'target';
  }

  #addHead(line: string): void {
    const [, name, value = ''] = /^\s*([\w!#$%&'*+.^`|~-]+)\s*:(?!\/\/)\s*(.*?)\s*$/.exec(line) ?? [];
    const isQuery = /^\s*[?&]/.test(line);
    if (this.#part === 'target' && (isQuery || (name === undefined && /^\s+\S/.test(line)))) {
      this.#line += line.trim();
      return;
    }
    this.#part = 'headers';
    if (name === undefined) this.#problem ??= `has a line that is not a header: "${line.trim()}"`;
    else this.#headers.push([name, value]);
  }

  /** Null for a block that has only variables and comments. */
  request(): WrittenRequest | null {
    if (this.#line === null) return null;
    const line = this.#line.replace(/\s+HTTP\/\d(\.\d)?$/i, '');
    const [, verb, rest = ''] = verbs.map((pattern) => pattern.exec(line)).find((found) => found !== null) ?? [];
    const isHttp2 = /\s+HTTP\/[23](\.0)?$/i.test(this.#line);
    const name = this.#name ?? this.#title;
    return {
      name: name === '' ? null : name,
      line: line.replace(/[?#].*$/s, ''),
      method: verb?.toUpperCase() ?? 'GET',
      target: (verb === undefined ? line : rest).trim(),
      headers: this.#headers,
      body: bodyOf(this.#body),
      problem: this.#problem ?? (isHttp2 ? 'asks for HTTP/2, and the load is sent by HTTP/1.1' : problemOf(line)),
    };
  }
}

/** A method in any case, or another word in capitals, before an address. */
const verbs = [/^(get|post|put|patch|delete|head|options|trace|connect)\s+(.*)$/is, /^([A-Z]{3,})\s+(.*)$/s];

/** Lines that are not HTTP requests. */
function problemOf(line: string): string | null {
  if (/^curl\s/i.test(line)) return 'is a curl command: write it as a request';
  if (/^(import|run)\s/.test(line)) return 'takes requests of another file: name that file';
  if (/^client\s*\.|^\{\{\s*$/.test(line)) return 'is a script, and scripts do not run';
  return null;
}

/** Without the empty lines at the end. */
function bodyOf(lines: readonly string[]): readonly BodyLine[] {
  const end = lines.findLastIndex((line) => line.trim() !== '') + 1;
  return lines.slice(0, end).map((text) => {
    const [, isTemplate, path] = /^<(@\w*)?\s+(\S.*?)\s*$/.exec(text) ?? [];
    return path === undefined ? { type: 'text', text } : { type: 'file', path, isTemplate: isTemplate !== undefined };
  });
}
