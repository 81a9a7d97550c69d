import { withoutHidden } from '../protocol/hidden-characters.ts';
import { stripVTControlCharacters } from 'node:util';

/**
 * Text of somebody else (names, paths and sources that a recording speaks of) as one line without anything that a
 * terminal would obey: escape sequences, control characters, changes of the writing direction.
 */
export function plainText(text: string): string {
  return withoutHidden(stripVTControlCharacters(text));
}
