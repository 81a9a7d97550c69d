/** Our Markdown as a text: without escapes, emphasis, and the marks of code, which stays as it is. */
export function plainText(markdown: string): string {
  return outsideOfCode(markdown, /\\([!-/:-@[-`{-~])|\*+| {2}$|^---\n+/gm, codeInside);
}

/**
 * The same Markdown with escapes only where they mean something, because terminals show them. Names of a profile stay
 * texts: what could make a link, an image, emphasis or a list of them stays escaped.
 */
export function fewerEscapes(markdown: string): string {
  return outsideOfCode(
    markdown,
    /(?<=[\w)"'.,;:%] ?)\\([,;%("'=?$^{}#>+-]|(?<!(?:^|\s)\d+\\)\)|(?<!www\\)\.(?=\d)|(?<!(?:www|(?:^|\s)\d+)\\)\.|:(?!\/))/gm,
  );
}

/** Of a span or a block of code: without its fence, and the spaces that separate it from that. */
function codeInside(code: string): string {
  const [, , inside = ''] = /^(`+)(?:\w*\n)?([^]*?)\n?\1$/.exec(code) ?? [];
  return inside.replace(/^ (.*[^ ].*) $/, '$1');
}

/** Leaves of each match only what its first group has. */
function outsideOfCode(markdown: string, marks: RegExp, ofCode = (code: string): string => code): string {
  return markdown
    .split(/((?<![\\`])(`+)[^]*?[^`]\2(?!`))/)
    .map((part, index) => [part.replaceAll(marks, '$1'), ofCode(part), ''][index % 3])
    .join('');
}
