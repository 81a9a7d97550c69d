import type { Analysis } from '../../engine/analysis.ts';
import { redacted, redactText } from '../../recorder/command-lines/redact.ts';
import type { ExportTexts } from '../../show/export/frames.ts';

/**
 * The texts of an export that leaves the machine: the project's folder is `.`, that of the user `~`; urls have no user and no
 * query, routes no ids; what looks like a secret is redacted, and what was run is left out. Names of functions and tests
 * stay (docs/privacy.md).
 */
export function scrubbedTexts(
  { roots, recording: { cwd } }: Pick<Analysis, 'roots' | 'recording'>,
  home: string,
): ExportTexts {
  const folders = [...roots, ...(cwd === null ? [] : [cwd])]
    .map((folder) => ({ folder, as: '.' }))
    .concat({ folder: home, as: '~' })
    .map(({ folder, as }) => ({ folder: folder.replace(/[/\\]+$/, ''), as }))
    .filter(({ folder }) => folder !== '')
    .toSorted((a, b) => b.folder.length - a.folder.length);
  // A url writes a blank as %20. A folder ends where its name does: /app is not in /application.
  const patterns = folders.flatMap(({ folder, as }) =>
    [...new Set([folder, encodeURI(folder), folder.replaceAll('\\', '/')])].map((text) => {
      const literal = text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
      return { pattern: new RegExp(`${literal}(?![\\w.-])`, 'g'), as };
    }),
  );
  const withoutFolders = (text: string): string =>
    patterns.reduce((now, { pattern, as }) => now.replaceAll(pattern, () => as), text);
  const name = (text: string): string => redactText(withoutFolders(text));
  return {
    name,
    place: (text) => redactWords(withoutFolders(withoutQuery(text)).replace(/^file:\/\/(?=[.~])/, '')),
    route: (text) =>
      redactText(
        text
          .split('/')
          .map((part) => (isId(part) ? '*' : part))
          .join('/'),
      ),
    title: null,
  };
}

/** A url without user, query and fragment; of one that is itself a text (`data:`) the scheme alone. */
function withoutQuery(text: string): string {
  if (/^(data|blob):/i.test(text)) return text.slice(0, text.indexOf(':') + 1);
  const isUrl = /^[a-z][a-z+.-]*:\/\//i.test(text);
  return isUrl
    ? text.replace(/[?#].*$/s, '').replace(/^([a-z][a-z+.-]*:\/\/)[^/]*@/i, '$1')
    : text.replace(/\?.*$/s, '');
}

/** A path is redacted folder by folder: as a whole it would look random. */
function redactWords(place: string): string {
  return place
    .split('/')
    .map((part) => (redactText(part) === part ? part : redacted))
    .join('/');
}

/** Whether a part of a route looks like an id: with a digit or a sign in it, or longer than a word. */
function isId(part: string): boolean {
  return !part.startsWith(':') && (/[\d%@=+]/.test(part) || part.length > 40);
}
