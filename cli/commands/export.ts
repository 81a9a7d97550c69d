import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Analysis } from '../../engine/analysis.ts';
import { analyze, type Analyzed } from '../../engine/analyze.ts';
import { defaultThresholdUs } from '../../protocol/figures.ts';
import { diskWorld } from '../../recordings/disk-world.ts';
import { reasonOf } from '../../recordings/private-files.ts';
import {
  type ExportedPart,
  exportRows,
  longestOperations,
  leafLines,
  type ExportTexts,
} from '../../show/export/export-rows.ts';
import { pprofOf } from '../../show/export/pprof.ts';
import { cpuprofileOf, exportedThread, foldedOf, speedscopeOf } from '../../show/export/text-formats.ts';
import { plural } from '../../words/formats/figures.ts';
import { warningTexts } from '../../words/given-recordings.ts';
import { summaryOf } from '../../words/summary.ts';
import type { ExportArguments } from '../arguments/export-arguments.ts';
import {
  type Output,
  plainText,
  readingText,
  refuse,
  showProgress,
  type Terminal,
  type Session,
} from '../views/terminal.ts';
import { chosenPath, whyUnread } from './find-recording.ts';
import { replaceFile } from './replace-file.ts';
import { redacted, redactText } from '../../recorder/command-lines/redact.ts';

/** Writes a recording in the format of another profiler. Gives the exit code: 0; 2: it cannot be read or written. */
export async function exportCommand({ options, terminal, surroundings }: Session<ExportArguments>): Promise<number> {
  const { cwd: currentFolder } = surroundings;
  const { out, err } = terminal;
  if (options.format === 'pprof' && options.out === null && out.isTerminal)
    return refuse(err, 'A pprof file is binary: name a file with -o.');
  const chosen = await chosenPath(options.path, currentFolder);
  if (chosen.sentence !== null) err.say(chosen.sentence);
  const result = await analyze([chosen.path], diskWorld, {
    ...{ thresholdUs: defaultThresholdUs, roots: [], currentFolder, sourceMaps: true },
    ...(err.isTerminal ? { onProgress: (progress) => showProgress(err, readingText(progress)) } : {}),
  });
  showProgress(err, '');
  if (result.type === 'failed') return refuse(err, await whyUnread(result.failure));
  const { analysis } = result;
  const { part, format } = options;
  const { length } = longestOperations(analysis);
  if (part !== 'all' && part > length)
    return refuse(err, `Operation ${part} does not exist: ${plural(length, 'operation')} can be exported.`);
  if (format === 'cpuprofile') sayOneThread(analysis, part, err);
  for (const warning of warningTexts(analysis)) err.say(warning);
  const [row] = exportRows(analysis, part);
  if (row === undefined) err.say('Nothing ran in this recording: the export is empty.');
  const texts = options.scrub ? scrubbedTexts(analysis, os.homedir()) : plainTexts(analysis, chosen.path);
  return write(await exported(result, options, texts), options, terminal, currentFolder);
}

function sayOneThread(analysis: Analysis, part: ExportedPart, { say }: Output): void {
  const { name, others } = exportedThread(analysis, part);
  if (others > 0)
    say(`A .cpuprofile has one thread: it is ${name}, the busiest. Other formats have all ${others + 1}.`);
}

function plainTexts(analysis: Analysis, recording: string): ExportTexts {
  const same = (text: string): string => text;
  return { name: same, place: same, route: same, title: summaryOf(analysis, recording).title };
}

async function exported(
  { analysis, mapper }: Analyzed,
  { format, part }: ExportArguments,
  texts: ExportTexts,
): Promise<Uint8Array | Iterable<string>> {
  if (format === 'pprof') return promisify(gzip)(pprofOf(analysis, part, texts, await leafLines(analysis, mapper)));
  const textOf = { speedscope: speedscopeOf, folded: foldedOf, cpuprofile: cpuprofileOf }[format];
  return textOf(analysis, part, texts);
}

async function write(
  content: Uint8Array | Iterable<string>,
  { out: typed }: ExportArguments,
  { out, err }: Terminal,
  currentFolder: string,
): Promise<number> {
  if (typed === null) {
    if (content instanceof Uint8Array) process.stdout.write(content);
    else await out.writeAll(piecewise(content, out.isTerminal));
    return 0;
  }
  try {
    await replaceFile(path.resolve(currentFolder, typed), content);
    return 0;
  } catch (error) {
    return refuse(err, `${typed} cannot be written (${reasonOf(error)}): name another file.`);
  }
}

/** A terminal would obey the names of a foreign profile. */
async function* piecewise(texts: Iterable<string>, isTerminal: boolean): AsyncGenerator<string, void> {
  for (const text of texts) yield isTerminal ? text.split('\n').map(plainText).join('\n') : text;
}

/**
 * The texts of an export that leaves the machine: the project's folder is `.`, that of the user `~`; urls have no user and no
 * query, routes no ids; what looks like a secret is redacted, and what was run is left out. Names of functions and tests
 * stay (docs/privacy.md).
 */
function scrubbedTexts(
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
    [...new Set([folder, encodeURI(folder), folder.replaceAll('\\', '/')])].flatMap((text) => {
      const literal = patternOf(text);
      const whole = { pattern: new RegExp(`(?<![\\w.~-])${literal}(?![\\w.-])`, 'g'), as };
      // Inside another path, as in /@fs/home/ada, it may name the user. One name may be that of any folder: /app/src/app.
      const isLong = /[/\\][^/\\]+[/\\]/.test(text);
      return isLong ? [whole, { pattern: new RegExp(`${literal}(?![\\w.-])`, 'g'), as: '/…' }] : [whole];
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
        withoutFolders(text)
          .split('/')
          .map((part) => (isId(part) ? '*' : part))
          .join('/'),
      ),
    title: null,
  };
}

/** A regular expression of a folder, also where it is in a route, whose ids the recorder has replaced by `*`. */
function patternOf(folder: string): string {
  const parts = folder.split('/');
  return parts
    .map((part) => {
      const literal = part.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
      return parts.length > 1 && isId(part) ? String.raw`(?:${literal}|\*)` : literal;
    })
    .join('/');
}

/**
 * A url without user, query and fragment; of one that is itself a text (`data:`) the scheme alone. In a path a `?` may be
 * part of a name: of a folder, or before the file's ending.
 */
function withoutQuery(text: string): string {
  if (/^(data|blob):/i.test(text)) return text.slice(0, text.indexOf(':') + 1);
  const isUrl = /^[a-z][a-z+.-]*:\/\//i.test(text);
  return isUrl
    ? text.replace(/[?#].*$/s, '').replace(/^([a-z][a-z+.-]*:\/\/)[^/]*@/i, '$1')
    : text.replace(/\?(?![^=&]*\/|\.\w+$).*$/s, '');
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
