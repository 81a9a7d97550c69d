/**
 * Whether a when clause of the manifest holds in a context, by VS Code's rules for the operators that ours use: `||`
 * binds weaker than `&&`, then `!`, `==` and `=~`. A key without a value is false.
 */
export function holds(clause: string, context: Readonly<Record<string, string | boolean>>): boolean {
  return split(clause, ' || ').some((part) => split(part, ' && ').every((term) => termHolds(term.trim(), context)));
}

function termHolds(term: string, context: Readonly<Record<string, string | boolean>>): boolean {
  if (term.startsWith('(') && term.endsWith(')')) return holds(term.slice(1, -1), context);
  if (term.startsWith('!')) return !termHolds(term.slice(1), context);
  const [key = '', pattern] = term.split(' =~ ');
  if (pattern !== undefined) return new RegExp(pattern.slice(1, -1)).test(String(context[key] ?? ''));
  const [name = '', value] = term.split(' == ');
  if (value !== undefined) return String(context[name] ?? '') === value;
  return term === 'true' || (term !== 'false' && context[term] !== undefined && context[term] !== false);
}

/** Splits outside of brackets and regular expressions. */
function split(text: string, by: string): readonly string[] {
  const parts: string[] = [];
  let [depth, start, isRegex] = [0, 0, false];
  for (let at = 0; at < text.length; at++) {
    if (text.startsWith('=~ /', at)) isRegex = true;
    else if (isRegex && text[at] === '/' && text[at - 1] !== ' ' && text[at - 1] !== '\\') isRegex = false;
    if (isRegex) continue;
    depth += text[at] === '(' ? 1 : text[at] === ')' ? -1 : 0;
    if (depth > 0 || !text.startsWith(by, at)) continue;
    parts.push(text.slice(start, at));
    start = at + by.length;
  }
  return [...parts, text.slice(start)];
}
