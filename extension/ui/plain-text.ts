import { visible } from '../../words/formats/hidden-characters.ts';

/**
 * Text that may hold names of a profile, for a notification: VS Code makes links of `[text](command:…)` there, so the
 * two halves are kept apart by a character of no width.
 */
export function plainText(text: string): string {
  return visible(text, longest).replaceAll('](', ']\u200B(');
}

/** Longer than any name that a person reads, shorter than what breaks a notification. */
const longest = 600;
