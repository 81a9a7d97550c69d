import {
  type CancellationToken,
  type Connection,
  DidChangeWorkspaceFoldersNotification,
  TextDocuments,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import {
  type Request,
  clearRequest,
  configureRequest,
  fileMarksRequest,
  flameRequest,
  hotspotsRequest,
  locateRequest,
  markdownRequest,
  openRequest,
  searchRequest,
  stacksRequest,
  showChangeRequest,
  takeTiersRequest,
} from '../protocol/requests.ts';
import { codeLenses } from './features/code-lens.ts';
import { fileMarks } from './features/marks.ts';
import { hotspots, locate } from './features/hotspots.ts';
import { hover } from './features/hover.ts';
import {
  openRecording,
  clear,
  configure,
  showChange,
  takeTiers,
  changeFolders,
  initialize,
} from './features/lifecycle.ts';
import { markdown } from './features/markdown.ts';
import { Session, type Call } from './recordings/session.ts';

/** `workerFile` is the absolute path of the analysis worker's script. */
export function startServer(connection: Connection, workerFile: string): Session {
  const session = new Session(workerFile, new TextDocuments(TextDocument));
  const on = <Params, Result>(request: Request<Params, Result>, handle: Handler<Params, Result>): void => {
    connection.onRequest<unknown, void>(
      request.method,
      async (params: Params, token: CancellationToken): Promise<unknown> =>
        handle(session, params, { connection, token }),
    );
  };

  connection.onInitialize((params) => initialize(session, params));
  connection.onNotification(DidChangeWorkspaceFoldersNotification.type, (params) => changeFolders(session, params));
  connection.onCodeLens(async (params) => codeLenses(session, params));
  connection.onHover(async (params) => hover(session, params));
  on(openRequest, openRecording);
  on(clearRequest, clear);
  on(configureRequest, configure);
  on(fileMarksRequest, fileMarks);
  on(hotspotsRequest, hotspots);
  on(flameRequest, async ({ recordings }, { recording, query }) => recordings.ask(recording, 'flame', query));
  on(searchRequest, async ({ recordings }, { recording, search }) => recordings.ask(recording, 'search', search));
  on(locateRequest, locate);
  on(stacksRequest, async ({ recordings }, { recording, functionId }) =>
    recordings.ask(recording, 'stacks', functionId),
  );
  on(markdownRequest, markdown);
  on(takeTiersRequest, takeTiers);
  on(showChangeRequest, showChange);
  connection.onShutdown(() => session.recordings.clear());

  session.documents.listen(connection);
  connection.listen();
  return session;
}

/** Answers a request. Where it throws, the client gets the error's message. */
type Handler<Params, Result> = (session: Session, params: Params, call: Call) => Promise<Result>;
