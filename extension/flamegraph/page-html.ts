/** What goes into the page's document. Uris are as the webview gives them. */
export interface PageParts {
  readonly scriptUri: string;
  readonly styleUri: string;
  readonly cspSource: string;
  /** Fresh for every page, from a cryptographic source. */
  readonly nonce: string;
  readonly title: string;
  /** Language of the editor, as in `<html lang>`. */
  readonly language: string;
}

/**
 * The page's document. It loads one script and one style sheet of ours and nothing else. It contains no data of a
 * profile. Inline styles are allowed because d3 sets the widths and colours of frames in this way.
 */
export function pageHtml({ scriptUri, styleUri, cspSource, nonce, title, language }: PageParts): string {
  const policy = [
    "default-src 'none'",
    `style-src ${cspSource} 'unsafe-inline'`,
    `script-src 'nonce-${nonce}'`,
    `font-src ${cspSource}`,
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="${escapeHtml(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${escapeHtml(styleUri)}">
<title>${escapeHtml(title)}</title>
</head>
<body>
<script nonce="${escapeHtml(nonce)}" src="${escapeHtml(scriptUri)}"></script>
</body>
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);
}
