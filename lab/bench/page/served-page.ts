import { spawn } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import {
  createProtocolConnection,
  InitializeRequest,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import type { Browser, Page } from 'playwright-core';
import { type OpenAnswer, openRequest, questionMethod, type Request } from '../../../protocol/requests.ts';
import type { Answer, Asked, QuestionName } from '../../../language-server/recordings/questions.ts';
import { milliseconds } from '../../../protocol/units.ts';
import type { HostMessage } from '../../../protocol/webview.ts';
import { openFlamePage, shown } from '../../../test/e2e/webview/flame-page.ts';
import { projectFile } from '../../../test/helpers/project.ts';
import { freshChoices } from '../../../webview/basics/page-state.ts';

/** The language server that is in the extension, in a process of its own as there. */
export interface Server {
  readonly ask: <Params, Result>(request: Request<Params, Result>, params: Params) => Promise<Result>;
  readonly about: <Name extends QuestionName>(
    recording: string,
    name: Name,
    asked: Asked<Name>,
  ) => Promise<Answer<Name>>;
  readonly close: () => void;
}

export async function startServer(folder: string): Promise<Server> {
  const child = spawn(process.execPath, [projectFile('dist/server.cjs'), '--stdio'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const connection = createProtocolConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
  connection.listen();
  await connection.sendRequest(InitializeRequest.type, {
    workspaceFolders: [{ uri: pathToFileURL(folder).href, name: 'folder' }],
    ...initialize,
  });
  return {
    ask: async <Params, Result>({ method }: Request<Params, Result>, params: Params) =>
      connection.sendRequest<Result>(method, params),
    about: async <Name extends QuestionName>(recording: string, name: Name, asked: Asked<Name>) =>
      connection.sendRequest<Answer<Name>>(questionMethod, { recording, name, asked }),
    close: () => {
      connection.dispose();
      child.kill();
    },
  };
}

const initialize = { processId: null, rootUri: null, capabilities: {} };

/** The page as it is before the server has read the profile: it shows nothing until it is told to. */
export async function openServedPage(
  browser: Browser,
  server: Server,
  { recording, isFolded }: { readonly recording: string; readonly isFolded: boolean },
): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1000, height: 800 } });
  await openFlamePage(page, {
    opening: [],
    kept: isFolded ? null : { version: 2, ...freshChoices, recording, folded: [] },
    answer: async (query) => server.about(recording, 'flame', query),
    search: async (search) => server.about(recording, 'search', search),
    timeline: async (timeline) => server.about(recording, 'timeline', timeline),
  });
  return page;
}

/** What tells the page to show a recording. */
export function showMessage(recording: string): HostMessage {
  return { ...shown, recording };
}

export async function readRecording(server: Server, recording: string): Promise<OpenAnswer> {
  const options = { thresholdUs: milliseconds(10), testPatterns: [] };
  return server.ask(openRequest, { recording, more: [], shownAs: null, options });
}
