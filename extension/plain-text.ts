/** Longer than any name that a person reads, shorter than what breaks a notification. */
const longest = 300;

/**
 * Text that may hold names of a profile, for a notification: VS Code makes links of `[text](command:…)` there, so the
 * two halves are kept apart by a character of no width.
 */
export function plainText(text: string): string {
  const apart = text.replaceAll('](', ']\u200B(');
  return apart.length > longest ? `${apart.slice(0, longest - 1)}…` : apart;
}
