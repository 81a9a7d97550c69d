/**
 * How many columns of a terminal a text takes. Marks that join the letter before them count, too: a text is at most as wide
 * as this.
 */
export function columnsOf(text: string): number {
  return isAscii.test(text) ? text.length : Array.from(text, columnsOfOne).reduce((sum, one) => sum + one, 0);
}

/** The longest beginning of a text that fits into so many columns. */
export function startWithin(text: string, columns: number): string {
  let [end, left] = [0, columns];
  for (const character of text) {
    left -= columnsOfOne(character);
    if (left < 0) break;
    end += character.length;
  }
  return text.slice(0, end);
}

/** The longest end of a text that fits into so many columns. */
export function endWithin(text: string, columns: number): string {
  return reversed(startWithin(reversed(text), columns));
}

/** Fills a text with spaces before it. */
export function padStart(text: string, columns: number): string {
  return ' '.repeat(Math.max(0, columns - columnsOf(text))) + text;
}

function reversed(text: string): string {
  return Array.from(text).toReversed().join('');
}

function columnsOfOne(character: string): number {
  return isWide.test(character) ? 2 : 1;
}

const isAscii = /^[ -~]*$/;

/** Characters of East Asia, and emoji. Source: Unicode's East_Asian_Width, W and F. */
const isWide =
  /[\p{Emoji_Presentation}\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uA960-\uA97C\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6\u{20000}-\u{3FFFD}]/u;
