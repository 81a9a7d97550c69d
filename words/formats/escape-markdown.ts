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
