/**
 * Whether a regular expression (its text between the slashes) may need more than one pass over a text. It is `false`
 * only where one pass is certain: without a repetition, or with a single one that has nothing to try again.
 */
export function canBacktrack(pattern: string): boolean {
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
