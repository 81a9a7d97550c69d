/** Undoes the escapes of V8: `\x2C`, `\u2028`, `\n` and `\\`. */
export function unescaped(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replaceAll(/\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|([n\\]))/g, (_, byte, unit, sign) =>
    sign === undefined ? String.fromCharCode(Number.parseInt(String(byte ?? unit), 16)) : sign === 'n' ? '\n' : '\\',
  );
}
