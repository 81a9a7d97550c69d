import { visible } from './hidden-characters.ts';

/** Names and paths come from profiles, hence from anybody: as Markdown they are plain text on one line, whatever is in them. */
export function escapeMarkdown(text: string): string {
  return visible(text)
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[!-/:-@[-`{-~]/g, '\\$&')
    .replaceAll('\\/', '/');
}
