/**
 * The lines of a text, broken at spaces, each of at most `width` characters where no word is longer. A figure stays on
 * one line with its unit: `312 ms`, `14 ×`, `> 10 ms`, `12 of 30`.
 */
export function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of unbreakable(text)) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && longer.length > width) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line];
}

/** The pieces of a text between spaces where a line may end: none is after a number or a sign, or before a sign. */
function unbreakable(text: string): readonly string[] {
  return text.split(/(?<![\d×<>→≈]) (?![×→%·])/);
}

export function indented(lines: readonly string[], by: number): readonly string[] {
  return lines.map((line) => `${' '.repeat(by)}${line}`);
}
