/**
 * The text without these characters at its end. A regular expression would look again from each of thousands of them in
 * the middle.
 */
export function trimEnd(text: string, signs = '/\\'): string {
  let end = text.length;
  while (end > 0 && signs.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}
