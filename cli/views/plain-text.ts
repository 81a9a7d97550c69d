import { visible } from '../../words/formats/hidden-characters.ts';
import { stripVTControlCharacters } from 'node:util';

/**
 * Text of somebody else (names, paths and sources that a recording speaks of) as one line without anything that a
 * terminal would obey: without escape sequences, and with what is hidden spelled out.
 */
export function plainText(text: string): string {
  return visible(stripVTControlCharacters(text));
}
