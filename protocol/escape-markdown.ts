import { withoutHidden } from './hidden-characters.ts';

/** Names and paths come from profiles, hence from anybody: as Markdown they are plain text on one line, whatever is in them. */
export function escapeMarkdown(text: string): string {
  return withoutHidden(text)
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[!-/:-@[-`{-~]/g, '\\$&')
    .replaceAll('\\/', '/');
}
