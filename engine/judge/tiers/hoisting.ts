import type { SourceFunction } from '../../read/source-code/source-index.ts';

/**
 * Whether a function can be moved out of the one that makes it: it uses none of that one's names, or it only reads them
 * and is only called there, so that they can be arguments.
 */
export function isHoistable(source: string, literal: SourceFunction, maker: SourceFunction): boolean {
  const { title, names } = literal;
  const lines = source.split('\n');
  const text = textIn(lines, literal);
  const around = [...maker.names.keys(), ...maker.inner.keys(), 'this'];
  const used = around.filter((name) => name !== title && !names.has(name) && word(name, '').test(text));
  if (used.length === 0) return true;
  const isHandedOn = title === null || word(title, String.raw`(?!\s*(?:\(|=[^=>]))`).test(textIn(lines, maker));
  return !isHandedOn && used.every((name) => !isAssigned(name, text));
}

function textIn(lines: readonly string[], { start, end }: SourceFunction): string {
  const own = lines.slice(start.line - 1, end.line);
  const last = (own.pop() ?? '').slice(0, end.column);
  return [...own, last].join('\n').slice(start.column);
}

function isAssigned(name: string, text: string): boolean {
  const after = String.raw`\s*(?:\+\+|--|(?:[-+*/%&|^?]|<<|>>)*=(?![=>]))`;
  return word(name, after).test(text) || new RegExp(String.raw`(?:\+\+|--)\s*${escaped(name)}(?![\w$])`).test(text);
}

/** Matches a name that is not a property, followed by `after`, a part of a regular expression. */
function word(name: string, after: string): RegExp {
  return new RegExp(String.raw`(?<![\w$]|(?<!\.\.)\.)${escaped(name)}(?![\w$])${after}`);
}

function escaped(name: string): string {
  return name.replaceAll('$', String.raw`\$`);
}
