import { visible } from './hidden-characters.ts';

/**
 * Turns a text into plain text on one line of Markdown, whatever it contains. Names and paths come from profiles, so
 * anybody may have written them.
 */
export function escapeMarkdown(text: string): string {
  return visible(text)
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[!-/:-@[-`{-~]/g, '\\$&')
    .replaceAll('\\/', '/');
}

/**
 * The same for a notification: VS Code makes links of `[text](command:…)` there and shows all else as it is, so the two
 * halves are kept apart by a character of no width.
 */
export function escapeNotification(text: string): string {
  return visible(text, longest).replaceAll('](', ']\u200B(');
}

/** Longer than any name that a person reads, shorter than what breaks a notification. */
const longest = 600;
