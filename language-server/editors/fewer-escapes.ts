/** Our Markdown as a text: without escapes. Code keeps its backslashes. */
export function plainText(markdown: string): string {
  return outsideOfCode(markdown, /\\([!-/:-@[-`{-~])/g);
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

/** Takes the backslash of each match. */
function outsideOfCode(markdown: string, escapes: RegExp): string {
  return markdown
    .split(/((?<![\\`])(`+)[^]*?[^`]\2(?!`))/)
    .map((part, index) => [part.replaceAll(escapes, '$1'), part, ''][index % 3])
    .join('');
}
