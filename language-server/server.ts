import {
  type CancellationToken,
  CodeLensRefreshRequest,
  type Connection,
  DidChangeWorkspaceFoldersNotification,
  type InitializeParams,
  type ServerCapabilities,
  TextDocumentSyncKind,
  TextDocuments,
  WorkDoneProgress,
  type WorkspaceFolder,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { findTests, type SourceTest } from '../engine/read/source-code/find-tests.ts';
import { pathOfUri } from '../engine/read/files/file-path.ts';
import { parseSource } from '../engine/read/source-code/parse-source.ts';
import * as requests from '../protocol/requests.ts';
import { toLine0 } from '../protocol/units.ts';
import { serveEditor, type ServedEditor } from './editors/serve-editor.ts';
import { codeLenses } from './features/code-lens.ts';
import { Diagnostics } from './features/diagnostics.ts';
import { about, functionAt, markdown, measuredCode } from './features/function-at.ts';
import { editedFunctions, recheckOf, showChange } from './features/rechecks.ts';
import { hotspots, placed, resultsNow, summaryNow } from './features/results-now.ts';
import { hover } from './features/hover.ts';
import { fileMarks } from './features/marks.ts';
import type { OpenControl } from './recordings/analysis-process.ts';
import type { QuestionName, QuestionRequest } from './recordings/questions.ts';
import { Session } from './recordings/session.ts';
import type { Location, NoLocation, Place } from '../protocol/places.ts';
import { diffNamed } from '../protocol/diff.ts';
import { locateFrame } from './queries/locate.ts';
import { noFileText } from '../words/places.ts';

/** `workerFile` is the absolute path of the analysis worker's script. */
export function startServer(connection: Connection, workerFile: string): Session {
  const session = new Session(workerFile, new TextDocuments(TextDocument));
  const diagnostics = new Diagnostics(session, connection);
  let editor: ServedEditor | null = null;
  connection.onInitialize((params) => {
    diagnostics.initialize(params.capabilities);
    const isOurs = initialize(session, params);
    // Its handlers replace those below.
    editor = isOurs ? null : serveEditor(session, connection, diagnostics);
    followFolders(connection, session, () => editor?.rootsChanged());
    return { capabilities: { ...capabilities, ...editor?.capabilities } };
  });
  connection.onCodeLens(async (params) => codeLenses(session, params));
  connection.onHover(async (params) => hover(session, params));
  answerQuestions(connection, session);
  followChanges(connection, session, diagnostics);
  connection.onShutdown(() => {
    editor?.close();
    session.recordings.clear();
    session.diffs.clear();
  });
  session.documents.listen(connection);
  connection.listen();
  return session;
}

/** Gives whether the editor has our extension. */
function initialize(session: Session, params: Initialized): boolean {
  const { initializationOptions: options, workspaceFolders, rootUri = null } = params;
  const root = rootUri === null ? [] : [{ uri: rootUri, name: '' }];
  const folders = workspaceFolders ?? [];
  session.change({ roots: rootsOf(folders.length > 0 ? folders : root), client: params.capabilities });
  if (!hasDisplay(options)) return false;
  session.change({ display: options.display, hasCommands: true });
  return true;
}

/**
 * Follows the open folders, which decide what own code is in the next recording. Call it when the editor initializes: before
 * that, the library replaces the handler.
 */
function followFolders(connection: Connection, session: Session, onDidChange: () => void): void {
  connection.onNotification(DidChangeWorkspaceFoldersNotification.type, ({ event: { added, removed } }) => {
    const gone = rootsOf(removed);
    session.change({ roots: [...session.roots.filter((root) => !gone.includes(root)), ...rootsOf(added)] });
    onDidChange();
  });
}

/** Of `InitializeParams`. Some editors give only the older `rootUri`, or neither. */
interface Initialized extends Pick<InitializeParams, 'capabilities' | 'workspaceFolders'> {
  readonly initializationOptions?: unknown;
  readonly rootUri?: string | null;
}

const capabilities: ServerCapabilities = {
  textDocumentSync: TextDocumentSyncKind.Incremental,
  codeLensProvider: { resolveProvider: false },
  hoverProvider: true,
  workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
};

/** Our extension gives display options; what it draws itself stays off there. */
function hasDisplay(options: unknown): options is requests.InitializationOptions {
  return typeof options === 'object' && options !== null && 'display' in options;
}

function rootsOf(folders: readonly WorkspaceFolder[]): readonly string[] {
  return folders.flatMap(({ uri }) => pathOfUri(uri) ?? []);
}

/** Answers a request. If `answer` throws, the client gets the error's message. */
function on<Params, Result>(
  connection: Connection,
  { method }: requests.Request<Params, Result>,
  answer: (params: Params, token: CancellationToken) => Promise<Result>,
): void {
  connection.onRequest<unknown, void>(method, async (params: Params, token: CancellationToken): Promise<unknown> =>
    answer(params, token),
  );
}

/** Answers the requests beside those of LSP that change nothing on screen. */
function answerQuestions(connection: Connection, session: Session): void {
  const { recordings, diffs } = session;
  const ask = <Params, Result>(
    request: requests.Request<Params, Result>,
    answer: (asked: Session, params: Params) => Promise<Result>,
  ): void => on(connection, request, async (params) => answer(session, params));
  on(connection, questionRequest, async ({ recording, name, asked }, token) => {
    return (diffNamed(recording) === null ? recordings : diffs).ask(recording, name, asked, token);
  });
  on(connection, requests.prepareRequest, async ({ running }) => {
    recordings.prepare(running === null ? null : { ...running, roots: session.roots });
    return null;
  });
  on(connection, requests.openDiffRequest, async (params, token) => {
    return diffs.open(
      params,
      session.roots,
      openControl((now, all) => `recording ${now} of ${all}`, params, connection, token),
    );
  });
  ask(requests.fileMarksRequest, fileMarks);
  ask(requests.testsRequest, fileTests);
  ask(requests.hotspotsRequest, hotspots);
  ask(requests.locateRequest, locate);
  ask(requests.aboutRequest, about);
  ask(requests.recheckRequest, recheckOf);
  ask(requests.editedRequest, editedFunctions);
  ask(requests.functionAtRequest, functionAt);
  ask(requests.measuredCodeRequest, measuredCode);
  ask(requests.markdownRequest, markdown);
}

const questionRequest: QuestionRequest<QuestionName> = { method: requests.questionMethod };

/** Follows what is to be shown, and how. */
function followChanges(connection: Connection, session: Session, diagnostics: Diagnostics): void {
  const { recordings } = session;
  // An editor that does not support this asks when the person types.
  const refreshLenses = (): void => {
    if (session.client.workspace?.codeLens?.refreshSupport !== true) return;
    connection.sendRequest(CodeLensRefreshRequest.type).catch(() => undefined);
  };
  const change = <Params>(
    request: requests.Request<Params, null>,
    apply: (params: Params) => unknown,
    refresh = (): void => undefined,
  ): void =>
    on(connection, request, async (params) => {
      await apply(params);
      refreshLenses();
      refresh();
      return null;
    });
  const refresh = (): void => diagnostics.refresh();
  on(connection, requests.openRequest, async (params, token) => {
    try {
      const answer = await recordings.open(
        params,
        session.roots,
        openControl((now, all) => `file ${now} of ${all}`, params, connection, token),
      );
      if (answer.type !== 'opened') return answer;
      if (params.shownAs !== null) refreshLenses();
      return { ...answer, summary: await summaryNow(session, answer.summary) };
    } finally {
      refresh();
    }
  });
  change(requests.forgetRequest, ({ target }) => recordings.forget(target), refresh);
  change(requests.configureRequest, (display) => session.change({ display }), refresh);
  change(requests.columnsRequest, ({ columns }) => session.change({ columns }));
  change(requests.takeTiersRequest, async () => recordings.takeTiers());
  change(requests.showChangeRequest, (of) => showChange(session, of), refresh);
  followCode(connection, session, [refreshLenses, refresh]);
}

/** Answers what the results are now. The code of a function may be in other files than its lens. */
function followCode(connection: Connection, session: Session, refreshes: readonly (() => void)[]): void {
  let state = '';
  on(connection, requests.resultsNowRequest, async () => {
    const now = await resultsNow(session);
    if (now.state !== state) for (const refresh of refreshes) refresh();
    state = now.state;
    return now;
  });
}

/** Reports progress, and stops when the request is cancelled. */
function openControl(
  say: (now: number, all: number) => string,
  { workDoneToken }: { readonly workDoneToken?: string },
  connection: Connection,
  token: CancellationToken,
): OpenControl {
  return {
    onCancel: (callback) => token.onCancellationRequested(callback),
    onProgress: ({ done, total, percent: percentage }) => {
      if (workDoneToken === undefined) return;
      const message = say(Math.min(done + 1, total), total);
      void connection.sendProgress(WorkDoneProgress.type, workDoneToken, { kind: 'report', message, percentage });
    },
  };
}

/** The tests of an open document, as each can be run alone; null where it cannot be parsed. */
async function fileTests(
  { documents }: Session,
  { uri }: requests.FileMarksParams,
): Promise<readonly requests.FileTest[] | null> {
  const text = documents.get(uri)?.getText();
  const file = text === undefined ? null : parseSource(text, uri);
  return file === null ? null : testsToRun(findTests(file));
}

/** What is run for each test: itself, or the nearest thing around it whose name is known. */
export function testsToRun(tests: readonly SourceTest[]): readonly requests.FileTest[] {
  const places = new Map<string, Set<string>>();
  for (const { title, suites } of tests) {
    const known = places.get(title.text) ?? new Set();
    places.set(title.text, known.add(JSON.stringify(suites.map(({ text }) => text))));
  }
  return tests.map((test) => {
    const way = [...test.suites, test.title];
    const meant = meantBy(test);
    const named = meant === 'outer' ? way.slice(0, way.findLastIndex(({ names }) => names === 'one') + 1) : way;
    const titles = meant === 'file' ? [] : named.map(({ text }) => text);
    return {
      line: toLine0(test.line),
      meant,
      titles,
      isSuite: meant === 'outer' || test.kind === 'suite',
      isWhole: test.isWhole,
      isShared: (places.get(titles.at(-1) ?? '')?.size ?? 0) > 1,
    };
  });
}

function meantBy({ kind, title, suites }: SourceTest): requests.FileTest['meant'] {
  if (title.names === 'one') return kind;
  if (title.names === 'several') return 'several';
  return suites.some(({ names }) => names === 'one') ? 'outer' : 'file';
}

/** Where a place is in the current text. A frame has a url and a line; only the worker knows where functions are. */
async function locate(
  session: Session,
  { recording, ...place }: requests.OfRecording<Place>,
): Promise<Location | NoLocation> {
  const location =
    'functionId' in place
      ? await session.recordings.ask(recording, 'locate', place)
      : (locateFrame(place, session.roots) ?? { why: noFileText(place.url) });
  return 'why' in location ? location : placed(session, recording, location);
}
