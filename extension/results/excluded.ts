/** Whether a file has its annotations off: it, or a folder above it, is in the list. Paths with `/`. */
export function isExcluded(file: string, excluded: readonly string[]): boolean {
  return excluded.some(
    (entry) => entry === '' || entry === '.' || file === entry || file.startsWith(`${withoutSlash(entry)}/`),
  );
}

/** The list after the person has switched one file or folder. */
export function toggled(entry: string, excluded: readonly string[]): readonly string[] {
  const others = excluded.filter((other) => withoutSlash(other) !== withoutSlash(entry));
  return others.length < excluded.length ? others : [...excluded, entry];
}

function withoutSlash(entry: string): string {
  return entry.endsWith('/') ? entry.slice(0, -1) : entry;
}
