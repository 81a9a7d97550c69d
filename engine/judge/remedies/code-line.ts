import type { Line0 } from '../../../protocol/units.ts';

/** One line of a source, for rules that match text. */
export interface CodeLine {
  /** The line without comments and declared names, and with empty strings. Of a template its expressions are left. */
  readonly code: string;
  /** The line without its comments. */
  readonly text: string;
  /** The code of the line after it, where a call may go on; empty after the last one. */
  readonly next: string;
  /** Whether a function encloses the line or begins on it, by indentation; `false` where that is not clear. */
  readonly isInFunction: boolean;
  /** Whether the source imports or requires a module whose name matches this pattern (a part of a regular expression). */
  readonly uses: (module: string) => boolean;
  /** What the source declares a name with, up to the end of that line; empty where it does not say. */
  readonly declared: (name: string) => string;
}

/** Maximum of a line, and of a source, in UTF-16 units: a bundle may have megabytes. */
const MAX_LINE = 2000;
const MAX_SOURCE = 1_000_000;

/** `own`: the part of the line that is looked at; null for all of it. */
export function codeLine(source: string, line: Line0, own: string | null): CodeLine {
  const start = source.slice(0, MAX_SOURCE);
  const lines = start.split('\n');
  const whole = (own ?? lines[line] ?? '').slice(0, MAX_LINE);
  const code = codeOf(whole);
  return {
    code,
    text: whole.replaceAll(tokens, (token) => (isComment(token) ? ' ' : token)),
    next: codeOf((lines[line + 1] ?? '').slice(0, MAX_LINE)),
    isInFunction: isFunctionHead(code.replace(/\b(?:require|import)\s*\(.*/, '')) || isEnclosed(lines, line),
    uses: (module) =>
      new RegExp(`(?:\\bfrom|\\bimport|\\brequire\\s*\\(|\\bimport\\s*\\()\\s*['"]${module}['"]`).test(start),
    declared: (name) => declaration(start, name),
  };
}

/** Strings, templates, regular expressions and comments. */
const tokens =
  /'(?:\\.|[^'\\])*'?|"(?:\\.|[^"\\])*"?|`(?:\\.|[^`\\])*`?|(?<=(?:^|[=(,:;!&|?{}[\]>]|\breturn)\s{0,9})\/(?![/*])(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\[])+\/[a-z]*|\/\/.*|\/\*.*?(?:\*\/|$)/g;

function codeOf(line: string): string {
  return withoutDeclaredNames(line.replaceAll(tokens, (token) => (isComment(token) ? ' ' : codeInToken(token))));
}

function isComment(token: string): boolean {
  return token.startsWith('//') || token.startsWith('/*');
}

/** Keeps regular expressions: rules look at them. */
function codeInToken(token: string): string {
  if (!token.startsWith('`')) return token.startsWith('/') ? token : "''";
  return `'' ${[...token.matchAll(/\$\{([^{}]*)\}/g)].map(([, inside]) => inside).join(' ')}`;
}

/** What declares a function or a method does not call it. */
function withoutDeclaredNames(code: string): string {
  return code
    .replaceAll(/\bfunction\s*\*?\s*[\w$]+(?=\s*[(<])/g, 'function')
    .replace(
      /^(\s*(?:(?:async|static|public|private|protected|override|declare|get|set)\s+|\*\s*)*)[\w$#]+(?=\s*\([^()]*\)\s*(?::[^{]+)?\{\s*\}?,?\s*$)/,
      '$1',
    );
}

/** Whether a line with less indentation above this one begins a function that is not called at once. */
function isEnclosed(lines: readonly string[], line: Line0): boolean {
  let indent = indentOf(lines[line] ?? '');
  for (let above = line - 1; above >= 0 && indent > 0; above--) {
    const text = (lines[above] ?? '').slice(0, MAX_LINE);
    if (text.trim() === '' || indentOf(text) >= indent) continue;
    indent = indentOf(text);
    if (isFunctionHead(text)) return true;
  }
  return false;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

function isFunctionHead(line: string): boolean {
  if (calledAtOnce.test(line)) return false;
  return (
    /\bfunction\b|=>/.test(line) || (methodHead.test(line) && !/^\s*(?:if|for|while|switch|catch|with)\b/.test(line))
  );
}

/** A function that runs at once: it is called there, or passed to a list method or a test runner. */
const calledAtOnce =
  /^\s*[;!]?\(\s*(?:async\b|function\b|\(\s*\)\s*=>)|\.(?:forEach|map|flatMap|filter|reduce|some|every)\(|^\s*(?:describe|suite|context|it|test|before|after|setup)(?:\w*)(?:\.\w+)*\(/;

const methodHead =
  /^\s*(?:(?:async|static|public|private|protected|override|get|set)\s+|\*\s*)*[\w$#]+\s*\([^;]*\)\s*(?::[^{;]+)?\{\s*$/;

function declaration(source: string, name: string): string {
  const escaped = name.replaceAll('$', '\\$');
  const byName = new RegExp(
    `(?<![\\w$.])(?:function\\s+${escaped}\\b|${escaped}\\s*(?::[^=;\\n]{0,80})?=(?![=>])\\s*)(.{0,500})`,
  );
  const [whole = '', value = ''] = byName.exec(source) ?? [];
  return whole.startsWith('function') ? 'function' : value;
}
