import {
  type ClientCapabilities,
  type Connection,
  type Diagnostic,
  DiagnosticSeverity,
  DidChangeWatchedFilesNotification,
} from 'vscode-languageserver/node';
import { uriOf, pathOfUri } from '../../engine/read/files/file-path.ts';
import { internalCommands } from '../../protocol/ids.ts';
import { isInside, spellingIn } from '../../protocol/path-spelling.ts';
import type { LineMark } from '../../protocol/requests.ts';
import type { Session } from '../recordings/session.ts';
import type { Remedy } from '../../words/remedies.ts';
import { visible } from '../../words/formats/foreign-text.ts';
import { heaviestMarks, type MarkOfResult, ownerOf } from './marks.ts';
import { openDocument, textNow } from './current-text.ts';

/** How long diagnostics wait after a key, in ms, as marks do. */
const quietTime = 1_000;

/**
 * Sends diagnostics for all files of the workspace, if wanted. A changed file gets new ones after a pause in typing.
 */
export class Diagnostics {
  readonly #session: Session;
  readonly #connection: Connection;
  readonly #sent = new Set<string>();
  /** Paths of the files that may have diagnostics. */
  #files: readonly string[] = [];
  readonly #changing = new Map<string, NodeJS.Timeout>();
  /** The last round over all files. Diagnostics of an earlier one are dropped. */
  #round = Symbol('round');
  /** Whether the editor can watch files, and was not asked yet. */
  #mayWatch = false;

  constructor(session: Session, connection: Connection) {
    this.#session = session;
    this.#connection = connection;
    session.documents.onDidChangeContent(({ document }) => this.#changed(document.uri, quietTime));
    session.documents.onDidClose(({ document }) => this.#changed(document.uri, 0));
    connection.onDidChangeWatchedFiles(({ changes }) => {
      for (const { uri } of changes) this.#changed(uri, 0);
    });
  }

  initialize({ workspace }: ClientCapabilities): void {
    this.#mayWatch = workspace?.didChangeWatchedFiles?.dynamicRegistration === true;
  }

  /** Sends the diagnostics of all files again. */
  refresh(): void {
    const round = Symbol('round');
    this.#round = round;
    this.#sendAll(round).catch((error: unknown) => this.#connection.console.error(String(error)));
  }

  async #sendAll(round: symbol): Promise<void> {
    const files = await filesWithMarks(this.#session);
    if (this.#round !== round) return;
    this.#files = files;
    if (files.length > 0) await this.#watchFiles();
    for (const path of new Set([...files, ...this.#sent])) await this.#send(path, round);
  }

  #changed(uri: string, wait: number): void {
    const path = spellingIn(this.#files, pathOfUri(uri) ?? '');
    if (path === undefined) return;
    clearTimeout(this.#changing.get(path));
    const sending = (): void => {
      this.#changing.delete(path);
      this.#send(path, this.#round).catch((error: unknown) => this.#connection.console.error(String(error)));
    };
    this.#changing.set(path, setTimeout(sending, wait).unref());
  }

  async #send(path: string, round: symbol): Promise<void> {
    const document = openDocument(this.#session, path);
    const uri = document?.uri ?? uriOf(path);
    const version = document?.version;
    const found = this.#files.includes(path) ? await diagnosticsOf(this.#session, uri) : [];
    const isLate = this.#round !== round || openDocument(this.#session, path)?.version !== version;
    if (isLate || (found.length === 0 && !this.#sent.delete(path))) return;
    if (found.length > 0) this.#sent.add(path);
    const ofVersion = version === undefined ? {} : { version };
    // A client library keeps no version of diagnostics: so each says of which text it is.
    const diagnostics = found.map((one) => ({ ...one, data: { ...one.data, ...ofVersion } }));
    await this.#connection.sendDiagnostics({ uri, diagnostics, ...ofVersion });
  }

  /** A checkout changes files that are not open. They are watched only while there are diagnostics. */
  async #watchFiles(): Promise<void> {
    if (!this.#mayWatch) return;
    this.#mayWatch = false;
    const watchers = [{ globPattern: '**/*.{js,cjs,mjs,jsx,ts,cts,mts,tsx,vue,svelte,astro,coffee}' }];
    await this.#connection.client.register(DidChangeWatchedFilesNotification.type, { watchers });
  }
}

/** Absolute paths of the workspace's files that may have diagnostics. */
async function filesWithMarks({ recordings, roots, display }: Session): Promise<readonly string[]> {
  if (display.diagnosticsUs === null) return [];
  const files = await recordings.ofShown(async ({ summary }) => recordings.ask(summary.recording, 'markedFiles', null));
  return [...new Set(files.flat())].filter((path) => isInside(path, roots));
}

/** A diagnostic at each mark over the limit that is not dimmed (no test code, first times, changed functions). */
export async function diagnosticsOf(session: Session, uri: string): Promise<readonly FoundDiagnostic[]> {
  const { diagnosticsUs } = session.display;
  const source = await textNow(session, uri);
  if (source === null || diagnosticsUs === null) return [];
  const marks = (await heaviestMarks(session, uri, 'worst')).filter(
    ({ mark, weight }) => mark.tone === 'plain' && weight > diagnosticsUs,
  );
  const lines = source.split(/\r\n?|\n/);
  const path = pathOfUri(uri) ?? '';
  return Promise.all(
    onePerFunctionOf(marks).map(async (marked) => {
      const { mark, waited, inCalls, recording } = marked;
      const asked = { source, path, line: mark.line, owner: ownerOf(marked), waited, inCalls };
      const [remedy] = await session.recordings.ask(recording, 'remedies', asked);
      return diagnosticOf(marked, remedy, lines[mark.line] ?? '', session.hasCommands);
    }),
  );
}

/** The heaviest mark of each function, and all marks without a function. */
function onePerFunctionOf(marks: readonly MarkOfResult[]): readonly MarkOfResult[] {
  const isSame = (one: LineMark['of'], other: LineMark['of']): boolean =>
    one !== null && one.functionId === other?.functionId && one.recording === other.recording;
  return marks.filter(
    ({ mark }, at) => mark.of === null || marks.findIndex((other) => isSame(other.mark.of, mark.of)) === at,
  );
}

interface FoundDiagnostic extends Diagnostic {
  /** For a quick fix: the code that may replace the line, and what it replaces, without the white space around it. */
  readonly data: { readonly replacement: string | null; readonly replaced: string };
}

function diagnosticOf(
  { mark: { line, text }, name }: MarkOfResult,
  remedy: Remedy | undefined,
  code: string,
  hasCommands: boolean,
): FoundDiagnostic {
  return {
    range: {
      start: { line, character: Math.max(0, code.search(/\S/)) },
      end: { line, character: code.trimEnd().length },
    },
    severity: DiagnosticSeverity.Information,
    source: 'hotspan',
    message: `${name === null ? '' : `${visible(name, 100)}: `}${text} (holds the event loop)`,
    data: { replacement: remedy?.replacement ?? null, replaced: code.trim() },
    ...(remedy === undefined
      ? { code: 'event-loop' }
      : { code: remedy.page, ...(hasCommands ? { codeDescription: { href: pageLink(remedy.page) } } : {}) }),
  };
}

/** A command that opens the page, which the extension contains. */
function pageLink(page: string): string {
  return `command:${internalCommands.openRemedy}?${encodeURIComponent(JSON.stringify([{ page }]))}`;
}
