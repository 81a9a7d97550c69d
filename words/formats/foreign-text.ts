import { maxOf } from '../../protocol/figures.ts';
import type { PathSuggestion } from '../../protocol/path-spelling.ts';

/** Makes any text plain text on one line of Markdown. Names and paths come from profiles, which may be forged. */
export function escapeMarkdown(text: string): string {
  return visible(text)
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[!-/:-@[-`{-~]/g, '\\$&')
    .replaceAll('\\/', '/');
}

/** The same for a sentence of Hotspan with names in it, which stays readable as raw text. */
export function escapeSentence(text: string): string {
  return escapeMarkdown(text).replaceAll(/\\([,%()'"])/g, '$1');
}

/** A text as code. In a table a bar is escaped, because it would end the cell. */
export function codeSpan(text: string, where: 'text' | 'table' = 'text'): string {
  const shown = visible(text);
  const longest = Math.max(0, maxOf([...shown.matchAll(/`+/g)].map(([run]) => run.length)));
  const fence = '`'.repeat(longest + 1);
  const inside = where === 'table' ? shown.replaceAll('|', String.raw`\|`) : shown;
  const needsSpace = longest > 0 || /^ .* $/.test(inside) || inside.trim() === '';
  return needsSpace ? `${fence} ${inside} ${fence}` : `${fence}${inside}${fence}`;
}

/** A sentence of Hotspan with each place, such as `src/cart.ts:12`, as code. */
export function withPlacesAsCode(sentence: string): string {
  const parts = visible(sentence).split(/([^\s,;()]+:\d+)(?=$|[\s,;.)])/);
  return parts.map((part, index) => (index % 2 === 1 ? codeSpan(part) : escapeEnds(part))).join('');
}

/** Keeps the white space at both ends. */
function escapeEnds(part: string): string {
  const [, start = '', text = '', end = ''] = /^(\s*)(.*?)(\s*)$/s.exec(part) ?? [];
  return `${start}${escapeSentence(text)}${end}`;
}

/** For a notification, in which VS Code has no markup but links, `[text](command:…)`: separates their halves. */
export function escapeNotification(text: string): string {
  return visible(text, MAX_TEXT).replaceAll('](', ']\u200B(');
}

/** In characters; longer texts break a notification. */
const MAX_TEXT = 600;

/**
 * A table of these rows, each `| … |`, and below it how many are left out: GitHub refuses a summary of over 1 MiB. `head`
 * names the columns; `''` without rows.
 */
export function markdownTable(head: readonly string[], rows: readonly string[]): string {
  const titles = [`| ${head.join(' | ')} |`, `|${head.map(() => '---|').join('')}`];
  return rows.length === 0 ? '' : capped(rows, (shown) => [...titles, ...shown].join('\n'));
}

/** A list of these texts, with the same limit. `''` without any. */
export function markdownList(texts: readonly string[]): string {
  return capped(
    texts.map((text) => `- ${escapeMarkdown(text)}`),
    (shown) => shown.join('\n'),
  );
}

function capped(rows: readonly string[], join: (shown: readonly string[]) => string): string {
  let size = 0;
  const shown = rows.slice(0, MAX_ROWS).filter((row) => (size += row.length) <= MAX_LENGTH);
  const rest = rows.length - shown.length;
  return rest === 0 ? join(shown) : `${join(shown)}\n\n… and ${rest} more.`;
}

const MAX_ROWS = 200;
/** In UTF-16 units, of at most 3 bytes each. A report has two tables and two lists. */
const MAX_LENGTH = 80_000;

/**
 * Characters that a terminal or an editor obeys instead of showing them: controls (C0 and C1), bidirectional marks, line
 * breaks, and letters without width; not the joiners, which emoji and Persian words need. And halves of surrogate pairs,
 * which strict readers of JSON refuse.
 */
const hidden = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u3164]/gu;

/** A foreign text on one line: white space becomes spaces, hidden characters become `\u{202e}`. Cuts after `most` characters. */
export function visible(text: string, most = Infinity): string {
  const shown = cut(text, most)
    .replaceAll(/\s/g, ' ')
    .replaceAll(hidden, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
  return text.length > most ? `${shown}…` : shown;
}

/** The first `most` UTF-16 units, without half of a surrogate pair at the end. */
export function cut(text: string, most: number): string {
  return text.length > most ? text.slice(0, most).replace(/\p{Cs}$/u, '') : text;
}

/** JSON on one line with hidden characters as `\u202e`; `JSON.stringify` escapes only C0. */
export function withEscapedHidden(json: string): string {
  return json.replaceAll(hidden, (character) =>
    Array.from({ length: character.length }, (_, unit) => escaped(character.charCodeAt(unit))).join(''),
  );
}

function escaped(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}

/** The beginning of what is said of files that are here under another path than in a recording. */
export function foundElsewhere({ files, found }: PathSuggestion): string {
  if (files === 1) return 'The file of this recording is';
  return `${found} of ${files} files of this recording ${found === 1 ? 'is' : 'are'}`;
}
