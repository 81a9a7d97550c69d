/** Words as a POSIX shell splits them, with their quotes taken off; nothing else is read into them. */
export function splitWords(text: string): readonly string[] {
  const words = [...text.matchAll(/(?:"(?:[^"\\]|\\.)*"|'[^']*'|(?:[^\s"'\\]|\\.)+)+/gs)];
  return words.map(([word]) =>
    word.replaceAll(
      /"((?:[^"\\]|\\.)*)"|'([^']*)'|\\(.)/gs,
      (_, double?: string, single?: string, escaped?: string) =>
        double?.replaceAll(/\\(["\\$`])/g, '$1') ?? single ?? escaped ?? '',
    ),
  );
}
