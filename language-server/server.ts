import {
  type CancellationToken,
  type Connection,
  DidChangeWorkspaceFoldersNotification,
  TextDocuments,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import {
  type Request,
  columnsRequest,
  configureRequest,
  fileMarksRequest,
  functionAtRequest,
  measuredCodeRequest,
  forgetRequest,
  hotspotsRequest,
  locateRequest,
  markdownRequest,
  openDiffRequest,
  openRequest,
  questionMethod,
  prepareRequest,
  aboutRequest,
  showChangeRequest,
  takeTiersRequest,
  testsRequest,
  type FileMarksParams,
  type FileTest,
} from '../protocol/requests.ts';
import { codeLenses } from './features/code-lens.ts';
import { Diagnostics } from './features/diagnostics.ts';
import { fileMarks } from './features/marks.ts';
import { hotspots, locate } from './features/hotspots.ts';
import { hover } from './features/hover.ts';
import {
  openDiff,
  openRecording,
  prepare,
  forget,
  changeColumns,
  configure,
  showChange,
  takeTiers,
  changeFolders,
  initialize,
} from './features/lifecycle.ts';
import { about, markdown, functionAt, measuredCode } from './features/function-at.ts';
import type { Answer, QuestionName, QuestionRequest } from './recordings/questions.ts';
import { diffNamed } from '../protocol/diff.ts';
import { Session, type Call } from './recordings/session.ts';
import { findTests, type SourceTest, type Title } from '../engine/read/source-code/find-tests.ts';
import { parseSource } from '../engine/read/source-code/parse-source.ts';
import { toLine0 } from '../protocol/units.ts';

/** `workerFile` is the absolute path of the analysis worker's script. */
export function startServer(connection: Connection, workerFile: string): Session {
  const session = new Session(workerFile, new TextDocuments(TextDocument));
  const diagnostics = new Diagnostics(session, connection);
  connection.onInitialize((params) => {
    diagnostics.initialize(params.capabilities);
    return initialize(session, params);
  });
  connection.onNotification(DidChangeWorkspaceFoldersNotification.type, (params) => changeFolders(session, params));
  connection.onCodeLens(async (params) => codeLenses(session, params));
  connection.onHover(async (params) => hover(session, params));
  answerOurs(connection, session, () => diagnostics.refresh());
  connection.onShutdown(() => {
    session.recordings.clear();
    session.diffs.clear();
  });

  session.documents.listen(connection);
  connection.listen();
  return session;
}

/** Answers the requests beside those of LSP. */
function answerOurs(connection: Connection, session: Session, showAnew: () => void): void {
  const on = <Params, Result>(request: Request<Params, Result>, handle: Handler<Params, Result>): void => {
    connection.onRequest<unknown, void>(
      request.method,
      async (params: Params, token: CancellationToken): Promise<unknown> =>
        handle(session, params, { connection, token }),
    );
  };
  const onShown = <Params, Result>(request: Request<Params, Result>, handle: Handler<Params, Result>): void =>
    on(request, async (...asked) => handle(...asked).finally(showAnew));
  on(questionRequest, forward);
  on(prepareRequest, prepare);
  onShown(openRequest, openRecording);
  onShown(forgetRequest, forget);
  onShown(configureRequest, configure);
  on(columnsRequest, changeColumns);
  on(fileMarksRequest, fileMarks);
  on(testsRequest, fileTests);
  on(hotspotsRequest, hotspots);
  on(openDiffRequest, openDiff);
  on(locateRequest, locate);
  on(aboutRequest, about);
  on(functionAtRequest, functionAt);
  on(measuredCodeRequest, measuredCode);
  on(markdownRequest, markdown);
  on(takeTiersRequest, takeTiers);
  on(showChangeRequest, showChange);
}

const questionRequest: QuestionRequest<QuestionName> = { method: questionMethod };

/** Forwards a question to the thread of the recording or the diff. */
async function forward(
  { recordings, diffs }: Session,
  { recording, name, asked }: NonNullable<typeof questionRequest.params>,
  { token }: Call,
): Promise<Answer<QuestionName>> {
  const isOfDiff = diffNamed(recording) !== null;
  return isOfDiff ? diffs.ask(recording, name, asked, token) : recordings.ask(recording, name, asked, token);
}

/** If it throws, the client gets the error's message. */
type Handler<Params, Result> = (session: Session, params: Params, call: Call) => Promise<Result>;

/** The tests of an open document, as each can be run alone; null where it cannot be parsed. */
export async function fileTests({ documents }: Session, { uri }: FileMarksParams): Promise<readonly FileTest[] | null> {
  const text = documents.get(uri)?.getText();
  const file = text === undefined ? null : parseSource(text, uri);
  return file === null ? null : testsToRun(findTests(file));
}

/** What is run for each test: itself, or the nearest thing around it whose name is known. */
export function testsToRun(tests: readonly SourceTest[]): readonly FileTest[] {
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

function meantBy({ kind, title, suites }: SourceTest): FileTest['meant'] {
  if (title.names === 'one') return kind;
  if (title.names === 'several') return 'several';
  return suites.some(isNamed) ? 'outer' : 'file';
}

function isNamed({ names }: Title): boolean {
  return names === 'one';
}
