import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import {
  type Connection,
  type ExecuteCommandParams,
  type ShowDocumentParams,
  MarkupContent,
  MessageType,
  ShowMessageNotification,
} from 'vscode-languageserver/node';
import { pathOfUri, uriOf } from '../../engine/read/files/file-path.ts';
import { commands } from '../../protocol/ids.ts';
import { isRecord } from '../../protocol/json-value.ts';
import type { HotspotItem } from '../../protocol/list-rows.ts';
import { fileNameOf } from '../../protocol/machine-path.ts';
import { type Spot, stepFrom } from '../../protocol/next-hotspot.ts';
import { isSamePath } from '../../protocol/path-spelling.ts';
import type { FunctionReference, LinePlace } from '../../protocol/requests.ts';
import { type Line0, line0, toLine1 } from '../../protocol/units.ts';
import { withLine } from '../../words/formats/figures.ts';
import { visible } from '../../words/formats/foreign-text.ts';
import { shortPath } from '../../words/places.ts';
import { functionAt, markdown } from '../features/function-at.ts';
import { hover } from '../features/hover.ts';
import { heaviestMarks } from '../features/marks.ts';
import { hotspots, isCodeGone, placed } from '../features/results-now.ts';
import type { Session } from '../recordings/session.ts';
import { hotspotsOf, inFiles } from './lines.ts';
import { nothingToShow } from './newest-results.ts';

/** The commands that this server runs for any editor, which shows what comes out as a document. */
export const editorCommands = [commands.nextHotspot, commands.explain, commands.openRecording] as const;

/** Runs one of them. Rejects with a sentence where there is nothing to show. */
export async function runCommand(
  session: Session,
  show: ShowDocument,
  { command, arguments: given }: ExecuteCommandParams,
): Promise<null> {
  const argument: unknown = given?.[0]; // Some clients send null for none.
  if (session.recordings.shown.length === 0) throw new Error(await nothingToShow(session.roots));
  if (command === commands.nextHotspot) await goToNext(session, show, placeIn(argument));
  else if (command === commands.explain) await explain(session, show, argument);
  else if (command === commands.openRecording) await show.text('recording', await recordingText(session));
  else throw new Error(`There is no command ${command}: there are ${editorCommands.join(', ')}.`);
  return null;
}

/** A place that a lens, an action or a person's key binding gives; null for none. */
function placeIn(argument: unknown): LinePlace | null {
  if (!isRecord(argument)) return null;
  const { uri, line } = argument;
  return typeof uri === 'string' && typeof line === 'number' ? { uri, line: line0(line) } : null;
}

/** What is marked at lines. */
const steps = ['functions', 'package'] as const;

/** The hotspot after that of the place, by time; after the last one, and from any other line, the worst. */
async function goToNext(session: Session, show: ShowDocument, from: LinePlace | null): Promise<void> {
  const all = await hotspotsOf(session, steps);
  const spots = inFiles(all).map(({ recording, functionId, location, ...row }) => {
    return { ...location, recording, functionId, name: nameOf(row) };
  });
  const next = stepFrom(from === null ? null : await spotAt(session, from, spots), spots, 'next');
  if (next !== null) return show.place(next, next.name);
  const [worst] = all;
  throw new Error(
    worst === undefined
      ? 'No line of this folder was over the threshold.'
      : `No line of this folder is known for ${nameOf(worst)}: hotspan.openRecording shows what is known.`,
  );
}

/** The spot on the line, else that of the function there. An editor may spell the file in another way. */
async function spotAt<S extends Spot & FunctionReference>(
  session: Session,
  from: LinePlace,
  spots: readonly S[],
): Promise<S | null> {
  const isHere = ({ uri, line }: Spot): boolean =>
    line === from.line && isSamePath(pathOfUri(uri) ?? '', pathOfUri(from.uri) ?? '');
  const onLine = spots.find(isHere);
  const here = onLine === undefined ? await functionAt(session, from) : null;
  const isOfFunction = ({ recording, functionId }: S): boolean =>
    recording === here?.recording && functionId === here.functionId;
  return onLine ?? spots.find(isOfFunction) ?? null;
}

/** `≈312 ms quote`. */
function nameOf({ figure, label }: Pick<HotspotItem, 'figure' | 'label'>): string {
  return `${figure} ${label}`.trim();
}

/** `argument`: a function, or a place; else the worst hotspot that is still there is explained. */
async function explain(session: Session, show: ShowDocument, argument: unknown): Promise<void> {
  const reference = referenceIn(argument);
  if (reference !== null) return explainFunction(session, show, reference);
  const place = placeIn(argument);
  const hotspots = place === null ? inFiles(await hotspotsOf(session, steps)) : [];
  for (const at of place === null ? hotspots.map(({ location }) => location) : [place])
    if (await explainPlace(session, show, at)) return;
  throw new Error('Nothing was over the threshold here: go to a line with a figure.');
}

/** False where nothing is known of the place. An import of a package has a figure, and no function. */
async function explainPlace(session: Session, show: ShowDocument, { uri, line }: LinePlace): Promise<boolean> {
  const marks = await heaviestMarks(session, uri, session.display.metric);
  const isImport = marks.some(({ mark }) => mark.line === line && mark.of === null);
  const reference = isImport ? null : await functionAt(session, { uri, line });
  if (reference !== null) {
    await explainFunction(session, show, reference);
    return true;
  }
  const text = await hoverText(session, uri, line);
  if (text !== null) await show.text(`line-${line + 1}`, `${placeText(session, uri, line)}\n\n${plainText(text)}`);
  return text !== null;
}

async function explainFunction(session: Session, show: ShowDocument, reference: FunctionReference): Promise<void> {
  const { recording, functionId } = reference;
  if (session.recordings.opened(recording) === undefined)
    throw new Error('This figure is of an earlier recording: ask for the lenses of the file again.');
  const location = await session.recordings.ask(recording, 'locate', { functionId, hottest: true });
  const name = `function-${functionId}`;
  if ('why' in location) return show.text(name, plainText(await markdown(session, reference)));
  const { uri, line } = await placed(session, recording, location);
  const found = await functionAt(session, { uri, line });
  const isMarked = found?.recording === recording && found.functionId === functionId;
  const text = isMarked ? await hoverText(session, uri, found.line) : null;
  const place = (await isCodeGone(session, reference, uri))
    ? `${placeText(session, uri, location.line)} when it was recorded; its code is gone`
    : placeText(session, uri, line);
  await show.text(name, `${place}\n\n${plainText(text ?? (await markdown(session, reference)))}`);
}

async function hoverText(session: Session, uri: string, line: Line0): Promise<string | null> {
  const contents = (await hover(session, { textDocument: { uri }, position: { line, character: 0 } }))?.contents;
  return MarkupContent.is(contents) ? contents.value : null;
}

function referenceIn(argument: unknown): FunctionReference | null {
  if (!isRecord(argument)) return null;
  const { recording, functionId } = argument;
  return typeof recording === 'string' && typeof functionId === 'number' ? { recording, functionId } : null;
}

function placeText({ roots }: Session, uri: string, line: Line0): string {
  return withLine(shortPath(pathOfUri(uri) ?? uri, roots), toLine1(line));
}

/** What was recorded: the verdict, the findings with what to do, and all hotspots with their places. */
async function recordingText(session: Session): Promise<string> {
  const results = await hotspots(session, { groupBy: 'function', sortBy: 'worst' });
  const parts = session.recordings.shown.map(({ summary }) => {
    const { verdict, groups } = results.find(({ recording }) => recording === summary.recording) ?? {};
    const rows = groups?.flatMap(({ items }) => items) ?? [];
    const findings = verdict?.findings.map((one) => [rowText(session, one), ...one.sentences].join('\n  ')) ?? [];
    return [
      `${summary.title}\n${summary.recording}`,
      verdict?.nothing ?? summary.verdict,
      ...listed('Findings', findings),
      ...(verdict?.left === undefined || verdict.left === null ? [] : [verdict.left]),
      ...listed(
        'Hotspots',
        rows.map((row) => rowText(session, row)),
      ),
      ...listed('Warnings', summary.warnings),
    ].join('\n\n');
  });
  return visibleLines(parts.join('\n\n\n'));
}

function listed(title: string, rows: readonly string[]): readonly string[] {
  return rows.length === 0 ? [] : [`${title}:\n\n${rows.map((row) => `- ${row}`).join('\n')}`];
}

function visibleLines(text: string): string {
  return text
    .split('\n')
    .map((line) => visible(line))
    .join('\n');
}

/** `≈312 ms quote · 3 × · 2 stacks · src/cart.ts:12`. */
function rowText(session: Session, { figure, label, description, location }: HotspotItem): string {
  const place = location === null ? '' : placeText(session, location.uri, location.line);
  const short = fileNameOf(place);
  const named = [short, short.replace(/:\d+$/, '')].find((one) => description.includes(one));
  const about = named === undefined ? [description, place] : [description.replace(named, place)];
  return [nameOf({ figure, label }), ...about].filter((part) => part !== '').join(' · ');
}

/** Shows documents by `window/showDocument`, and what they say as a message where the editor has no such request. */
export class ShowDocument {
  readonly #connection: Connection;
  readonly #isSupported: boolean;
  /** Folder of the texts; made when there is the first one, removed when the server ends. */
  #folder: string | null = null;

  constructor(connection: Connection, isSupported: boolean) {
    this.#connection = connection;
    this.#isSupported = isSupported;
  }

  async place({ uri, line, character }: LinePlace & { readonly character: number }, what: string): Promise<void> {
    const start = { line, character };
    await this.#show({ uri, selection: { start, end: start } }, `${what}: ${uri}, line ${line + 1}`);
  }

  /** `name`: of the file, without its end. */
  async text(name: string, text: string): Promise<void> {
    if (!this.#isSupported) return this.#say(text);
    const file = path.join(this.#makeFolder(), `${name}.txt`);
    await writeFile(file, `${text}\n`, { mode: 0o600 });
    await this.#show({ uri: uriOf(file) }, file);
  }

  async #show(what: Pick<ShowDocumentParams, 'uri' | 'selection'>, otherwise: string): Promise<void> {
    const { window } = this.#connection;
    const isShown = this.#isSupported && (await window.showDocument({ ...what, takeFocus: true })).success;
    if (!isShown) await this.#say(otherwise);
  }

  async #say(message: string): Promise<void> {
    await this.#connection.sendNotification(ShowMessageNotification.type, { type: MessageType.Info, message });
  }

  #makeFolder(): string {
    if (this.#folder !== null) return this.#folder;
    const folder = mkdtempSync(path.join(os.tmpdir(), 'hotspan-shown-'));
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    // By themselves these end the process without that event.
    for (const signal of ['SIGTERM', 'SIGHUP'] as const)
      process.once(signal, () => process.exit(128 + os.constants.signals[signal]));
    this.#folder = folder;
    return folder;
  }
}

/** Our Markdown as a text: without escapes, emphasis, and the marks of code, which stays as it is. */
export function plainText(markdown: string): string {
  return outsideOfCode(markdown, /\\([!-/:-@[-`{-~])|\*+| {2}$|^---\n+/gm, codeInside);
}

/**
 * The same Markdown with escapes only where they mean something, because terminals show them. Names of a profile stay
 * texts: what could make a link, an image, emphasis or a list of them stays escaped.
 */
export function fewerEscapes(markdown: string): string {
  return outsideOfCode(
    markdown,
    /(?<=[\w)"'.,;:%] ?)\\([,;%("'=?$^{}#>+-]|(?<!(?:^|\s)\d+\\)\)|(?<!www\\)\.(?=\d)|(?<!(?:www|(?:^|\s)\d+)\\)\.|:(?!\/))/gm,
  );
}

/** Of a span or a block of code: without its fence, and the spaces that separate it from that. */
function codeInside(code: string): string {
  const [, , inside = ''] = /^(`+)(?:\w*\n)?([^]*?)\n?\1$/.exec(code) ?? [];
  return inside.replace(/^ (.*[^ ].*) $/, '$1');
}

/** Leaves of each match only what its first group has. */
function outsideOfCode(markdown: string, marks: RegExp, ofCode = (code: string): string => code): string {
  return markdown
    .split(/((?<![\\`])(`+)[^]*?[^`]\2(?!`))/)
    .map((part, index) => [part.replaceAll(marks, '$1'), ofCode(part), ''][index % 3])
    .join('');
}
