import { visible } from './hidden-characters.ts';

/**
 * Turns a text into plain text on one line of Markdown, whatever it contains. Names and paths come from profiles, so
 * anybody may have written them.
 */
export function escapeMarkdown(text: string): string {
  return visible(text)
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[!-/:-@[-`{-~]/g, '\\$&')
    .replaceAll('\\/', '/');
}

/** The same for a sentence of ours with names in it: what can be no markup there stays as it is, and can be read raw. */
export function escapeSentence(text: string): string {
  return escapeMarkdown(text).replaceAll(/\\([,%()'"])/g, '$1');
}

/**
 * A text as code, as it is written: a path needs no escapes there. The fence has more backticks than any row of them in
 * the text. In a table a bar is escaped, because it would end the cell.
 */
export function codeSpan(text: string, where: 'text' | 'table' = 'text'): string {
  const shown = visible(text);
  const longest = Math.max(0, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const inside = where === 'table' ? shown.replaceAll('|', String.raw`\|`) : shown;
  const needsSpace = longest > 0 || /^ .* $/.test(inside) || inside.trim() === '';
  return needsSpace ? `${fence} ${inside} ${fence}` : `${fence}${inside}${fence}`;
}

/** A sentence of ours in which each path with a line, such as `src/cart.ts:12`, stands as code. */
export function withPlacesAsCode(sentence: string): string {
  const parts = visible(sentence).split(/([^\s,;()]+:\d+)(?=$|[\s,;.)])/);
  return parts.map((part, index) => (index % 2 === 1 ? codeSpan(part) : escapeEnds(part))).join('');
}

/** Escapes a part of a sentence, and keeps the space at its ends. */
function escapeEnds(part: string): string {
  const [, start = '', text = '', end = ''] = /^(\s*)(.*?)(\s*)$/s.exec(part) ?? [];
  return `${start}${escapeSentence(text)}${end}`;
}

/**
 * The same for a notification: VS Code makes links of `[text](command:…)` there and shows all else as it is, so the two
 * halves are kept apart by a character of no width.
 */
export function escapeNotification(text: string): string {
  return visible(text, longest).replaceAll('](', ']\u200B(');
}

/** Longer than any name that a person reads, shorter than what breaks a notification. */
const longest = 600;
