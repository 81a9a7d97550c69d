import { visible } from '../../words/formats/hidden-characters.ts';
import { stripVTControlCharacters } from 'node:util';

/**
 * Text of somebody else (names, paths and sources in a recording) as one line without anything that a terminal would
 * obey: without escape sequences, and with hidden characters spelled out.
 */
export function plainText(text: string): string {
  return visible(stripVTControlCharacters(text));
}
