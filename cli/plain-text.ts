import { stripVTControlCharacters } from 'node:util';

/**
 * Text of somebody else (names, paths and sources that a recording speaks of) as one line without anything that a
 * terminal would obey: escape sequences, control characters, changes of the writing direction.
 */
export function plainText(text: string): string {
  return stripVTControlCharacters(text)
    .replaceAll(/\s/g, ' ')
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '');
}
