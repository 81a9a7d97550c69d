import { isBuiltin } from 'node:module';
import type { CodeLine } from './code-line.ts';

/** Whether the line copies a value by writing it as JSON and reading that. */
export function clonesByJson({ code }: CodeLine): boolean {
  return /\bJSON\.parse\(\s*JSON\.stringify\((?:[^,()]|\([^()]*\))*\)\s*\)/.test(code);
}

/** Whether the line reads or writes JSON of a size that nobody knows from the text. */
export function handlesJson({ code }: CodeLine): boolean {
  const rest = code
    .replaceAll(/\.(?:has|get|set|add|delete)\(\s*JSON\.stringify\(/g, '(') // It is the key of a map, and short.
    .replaceAll(/\bJSON\.parse\(\s*''/g, '');
  return (
    /\bJSON\.(?:parse|stringify)\s*\(/.test(rest) ||
    /\bres(?:ponse)?(?:\.status\([^()]*\))?\.json\(\s*[^)\s]/.test(rest)
  );
}

/** Whether the line uses a regular expression that can be slow on a long text. */
export function matchesSlowly(line: CodeLine): boolean {
  const { code } = line;
  const literals = [...code.matchAll(/\/((?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\[])+)\/[a-z]*(?=\s*[.,)])/g)];
  const used = literals.filter(({ index, 0: literal }) => isUsed(code, index, index + literal.length));
  if (used.some(([, pattern = '']) => canBacktrack(pattern))) return true;
  return namesIn(code).some((name) => isSlowByName(line, name));
}

const byPattern = /\.\s*(?:match|matchAll|replace|replaceAll|search|split)\s*\(\s*$/;
const ofPattern = /^\s*\.\s*(?:test|exec)\s*\(/;

function isUsed(code: string, start: number, end: number): boolean {
  return byPattern.test(code.slice(0, start)) || ofPattern.test(code.slice(end));
}

/** The names that a regular expression would have on this line. */
function namesIn(code: string): readonly string[] {
  const owners = [...code.matchAll(/([\w$]+)\.(?:test|exec)\s*\(/g)];
  const given = [
    ...code.matchAll(/\.(?:match|matchAll|replace|replaceAll|search|split)\s*\(\s*(?:[\w$]+\.)*([\w$]+)\s*[,)]/g),
  ];
  return [...owners, ...given].map(([, name = '']) => name);
}

/** What the file says of a name counts; where it says nothing, the name itself. */
function isSlowByName({ declared }: CodeLine, name: string): boolean {
  const value = declared(name);
  const [, pattern] = /^\/((?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\[])+)\/[a-z]*/.exec(value) ?? [];
  if (pattern !== undefined) return canBacktrack(pattern);
  return /^(?:new )?RegExp\(/.test(value) || (!/^['"`\d]/.test(value) && /(?:pattern|regexp?|_re|RE)$/i.test(name));
}

/** Whether the line loads a module when its function is called, and not at start. Node's own modules are loaded already. */
export function loadsLate({ code, text, isInFunction }: CodeLine): boolean {
  if (!isInFunction || /\bfactory\s*\(|\btypeof\s+(?:exports|define)\b/.test(code)) return false;
  const [, module = ''] = /\b(?:require|import)\s*\(\s*['"`]([^'"`]+)/.exec(text) ?? [];
  return /(?<![\w$.]|typeof\s)(?:require|import)\s*\(/.test(code) && !isBuiltin(module);
}

/** Whether the line sorts a list in memory. Queries of databases have a method of that name, too. */
export function sorts({ code, next, declared }: CodeLine): boolean {
  const [before = '', after] = code.split(/\.\s*(?:sort|toSorted)\s*\(/, 2);
  if (after === undefined || /\.(?:find|aggregate|populate|lean|select|where)\s*\(|\b(?:query|cursor)\b/i.test(before))
    return false;
  const given = after.trim() === '' ? next.trim() : after.trim();
  if (/^(?:\)|\(|async\b|function\b|[\w$]+\s*=>)/.test(given)) return true;
  const [name = ''] = /^[\w$.]+/.exec(given) ?? [];
  return (
    /(?:^by[A-Z]|compare|comparator|cmp)/i.test(name) || /^(?:function\b|async\b|\(|[\w$]+\s*=>)/.test(declared(name))
  );
}

/** Whether the line makes a list or an object anew to add something to it. A plain copy is none of that. */
export function growsByCopies({ code }: CodeLine): boolean {
  return copies.some((pattern) => pattern.test(code));
}

const copies = [
  /(?<![\w$.])([\w$.]+)\s*=\s*[[{]\s*\.\.\.\s*\1\s*,/, // all = [...all, row]
  /(?<![\w$.])([\w$.]+)\s*=\s*\[[^[\]]*,\s*\.\.\.\s*\1\s*\]/, // all = [row, ...all]
  /(?<![\w$.])([\w$.]+)\s*=\s*\1\s*\.\s*concat\s*\(/, // all = all.concat(rows)
  /(?<![\w$.])([\w$.]+)\s*=\s*Buffer\s*\.\s*concat\s*\(\s*\[\s*\1\s*,/, // all = Buffer.concat([all, piece])
  /(?<![\w$.])([\w$.]+)\s*=\s*Object\.assign\(\s*\{\s*\}\s*,\s*\1\s*,/, // all = Object.assign({}, all, …)
  /\.\s*reduce(?:Right)?\s*(?:<.*>)?\(\s*(?:async\s*)?\(\s*([\w$]+)\b.*=>.*[[{]\s*\.\.\.\s*\1\s*,/, // reduce((all, row) => [...all, row], [])
  /\.\s*reduce(?:Right)?\s*(?:<.*>)?\(\s*\(\s*([\w$]+)\b.*=>.*(?<![\w$.])\1\s*\.\s*concat\s*\(/,
  /(?:\breturn\b|=>|[?:])\s*\(?\s*[[{]\s*\.\.\.\s*(?:acc|accumulator|accum)\s*,/, // a line inside such a callback
  /(?:\breturn\b|=>|[?:])\s*(?:acc|accumulator|accum)\s*\.\s*concat\s*\(/,
];

/** Whether the line captures a stack that no error needs. An error that was thrown has its stack already. */
export function capturesStacks({ code }: CodeLine): boolean {
  return (
    /\(?\bnew\s+[\w$]*Error\b(?:\([^()]*\))?\)?\s*\??\.\s*stack\b/.test(code) ||
    /\bError\.captureStackTrace\s*\(\s*(?!this\b)/.test(code) ||
    /(?<![\w$.])console\.trace\s*\(/.test(code)
  );
}

/**
 * Whether a regular expression (its text between the slashes) may need more than one pass over a text. It is `false`
 * only where one pass is certain: without a repetition, or with a single one that has nothing to try again.
 */
function canBacktrack(pattern: string): boolean {
  const plain = pattern
    .replaceAll(/\\[pPu]\{[^}]*\}|\\./g, 'x')
    .replaceAll(/\[[^\]]*\]/g, 'x')
    .replaceAll(/\(\?[:=!<]?[=!]?/g, '(');
  const repetitions = [...plain.matchAll(/[*+]|\{\d+,\}/g)];
  const [first] = repetitions;
  if (first === undefined) return false;
  if (repetitions.length > 1) return true;
  const after = plain.slice(first.index + first[0].length).replace(/^\??\)*/, '');
  if (plain[first.index - 1] === ')') return plain.includes('|') || (after !== '' && !plain.startsWith('^'));
  return after !== '' && !after.startsWith('|') && !plain.startsWith('^') && !beginsOnlyOutside(pattern);
}

/** Whether what is repeated cannot contain the character before it, as in `<[^<>]+>`: no two attempts read the same text. */
function beginsOnlyOutside(pattern: string): boolean {
  const [, before = '', repeated = ''] =
    /(\\[^\w\s]|[^\\()[\]{}*+?|^$.])\(?(?:\?(?::|<\w+>))?(\\[wds]|\[\^(?:\\.|[^\]\\])*\])(?:[*+]|\{\d+,\})/.exec(
      pattern,
    ) ?? [];
  const character = before.at(-1);
  if (character === undefined) return false;
  if (repeated === '\\w') return !/\w/.test(character);
  if (repeated === '\\d') return !/\d/.test(character);
  if (repeated === '\\s') return !/\s/.test(character);
  return repeated.slice(2, -1).includes(character);
}
