/**
 * Whether a path with `/` matches: `*` and `?` within a segment, `**` over several or none, `{a,b}`, `[ab]`, `(a|b)` and
 * the extended groups `@ + * ?`. Null for what is not understood (`!(…)`, unclosed groups).
 */
export function globMatcher(pattern: string): ((path: string) => boolean) | null {
  const source = sourceOf(pattern.replace(/^(\.\/)+/, '').replaceAll(/\/{2,}/g, '/'));
  if (source === null) return null;
  try {
    const expression = new RegExp(`^${source}$`);
    return (path) => expression.test(path);
  } catch {
    return null; // Brackets that do not match.
  }
}

const token = /\*\*\/|\*\*(?!\()|[@+*?!]\(|\[[^\]]*\]|\\.|[\s\S]/g;

function sourceOf(pattern: string): string | null {
  const closings: string[] = [];
  const parts = [...pattern.matchAll(token)].map(([text]) => {
    if (/^[@+*?]?\($/.test(text)) {
      closings.push(text.length > 1 && text !== '@(' ? `)${text.charAt(0)}` : ')');
      return '(?:';
    }
    if (text === '{') closings.push('}');
    if (text === '{') return '(?:';
    if ((text === ')' || text === '}') && closings.length > 0) return (closings.pop() ?? ')').replace('}', ')');
    if (text === ',' && closings.at(-1) === '}') return '|';
    if (text === '|' && closings.length > 0) return '|';
    return text === '!(' ? null : plainSource(text);
  });
  return closings.length > 0 || parts.includes(null) ? null : parts.join('');
}

function plainSource(text: string): string {
  const known = { '**/': '(?:.*/)?', '**': '.*', '*': '[^/]*', '?': '[^/]' }[text];
  if (known !== undefined) return known;
  if (text.startsWith('[') && text.length > 1) return text.replace('[!', '[^');
  return text.startsWith('\\') && text.length > 1 ? text : text.replaceAll(/[.+^$()|[\]\\{}]/g, String.raw`\$&`);
}
