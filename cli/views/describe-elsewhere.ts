import path from 'node:path';
import type { PathSuggestion } from '../../protocol/path-rules.ts';

/** Says which options find the files of a recording that are here under other paths. Folders are as seen from the current one. */
export function elsewhereHint({ files, found, rules, others }: PathSuggestion, currentFolder: string): string {
  const shown = (folder: string): string => path.relative(currentFolder, folder).replace(/^$/, '.');
  const maps = rules.map(({ from, to }) => `--map ${quoted(`${from}=${shown(to)}`)}`).join(' ');
  const many = files === 1 ? 'The file of this recording is' : `${found} of ${files} files of this recording are`;
  const also = others.length === 0 ? '' : ` (or ${others.map(shown).join(', ')})`;
  return `${many} here under another path: add ${maps}${also}.`;
}

function quoted(text: string): string {
  return /^[\w./:=@-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
