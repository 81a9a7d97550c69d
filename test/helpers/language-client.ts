import { PassThrough } from 'node:stream';
import {
  type CodeLens,
  CodeLensRefreshRequest,
  CodeLensRequest,
  type Diagnostic,
  DidChangeTextDocumentNotification,
  DidChangeWatchedFilesNotification,
  DidCloseTextDocumentNotification,
  DidOpenTextDocumentNotification,
  type Hover,
  FileChangeType,
  type FileEvent,
  HoverRequest,
  InitializeRequest,
  type ProtocolConnection,
  PublishDiagnosticsNotification,
  ShutdownRequest,
  WorkDoneProgress,
  createConnection,
  createProtocolConnection,
} from 'vscode-languageserver/node';
import { uriOf as vscodeUriOf } from '../../engine/read/files/file-path.ts';
import { startServer } from '../../language-server/server.ts';
import type { Answer, Asked, QuestionName } from '../../language-server/recordings/questions.ts';
import {
  type InitializationOptions,
  type LineMark,
  type OpenAnswer,
  type Request,
  fileMarksRequest,
  hotspotsRequest,
  openRequest,
  questionMethod,
} from '../../protocol/requests.ts';
import type { HotspotItem } from '../../protocol/list-rows.ts';

import { milliseconds } from '../../protocol/units.ts';
import { projectFile } from './project.ts';

/**
 * Stands in for an editor: it talks to the real language server over streams in memory. The worker is the built one: of the
 * sources each recording would cost twice the time.
 */
export interface LanguageClient {
  readonly ask: <Params, Result>(request: Request<Params, Result>, params: Params) => Promise<Result>;
  readonly about: <Name extends QuestionName>(
    recording: string,
    name: Name,
    asked: Asked<Name>,
  ) => Promise<Answer<Name>>;
  /**
   * Shows a recording, at a threshold of 10 ms, and `more` of them together with it. Without a target it replaces what
   * was shown so before.
   */
  readonly openRecording: (recording: string, target?: string | null, more?: readonly string[]) => Promise<OpenAnswer>;
  readonly openDocument: (file: string, text: string) => Promise<void>;
  /** Replaces all of the document's text. */
  readonly changeDocument: (file: string, text: string) => Promise<void>;
  readonly closeDocument: (file: string) => Promise<void>;
  /** Says that a file was changed on the disk. */
  readonly changeOnDisk: (file: string) => Promise<void>;
  /** Waits until the diagnostics of a file are so many, and gives them. */
  readonly diagnostics: (file: string, count: number) => Promise<readonly Diagnostic[]>;
  readonly lenses: (file: string) => Promise<readonly CodeLens[]>;
  readonly marks: (file: string) => Promise<readonly LineMark[]>;
  /** Rows of the tree of the newest result, by function, the worst first. */
  readonly hotItems: () => Promise<readonly HotspotItem[]>;
  /** The hover's Markdown, `''` where there is none. */
  readonly hover: (file: string, line: number) => Promise<string>;
  /** Messages of the progress so far. */
  readonly progress: readonly string[];
  readonly close: () => Promise<void>;
}

/** What the extension gives. */
const initializationOptions: InitializationOptions = {
  display: { metric: 'worst', codeLens: true, loading: false, diagnosticsUs: null },
};

export async function startLanguageClient(folder: string): Promise<LanguageClient> {
  const [up, down] = [new PassThrough(), new PassThrough()];
  startServer(createConnection(up, down), projectFile('dist/analysis-worker.cjs'));
  const client = createProtocolConnection(down, up);
  client.onRequest(CodeLensRefreshRequest.type, () => undefined);
  const progress: string[] = [];
  client.onProgress(WorkDoneProgress.type, 'opening', (value) => {
    if (value.kind === 'report') progress.push(value.message ?? '');
  });
  const diagnostics = diagnosticsTo(client);
  client.listen();
  const workspaceFolders = [{ uri: uriOf(folder), name: 'folder' }];
  const initialize = { processId: null, rootUri: null, capabilities: {}, workspaceFolders, initializationOptions };
  await client.sendRequest(InitializeRequest.type, initialize);

  const params = (recording: string, target: string | null = null, more: readonly string[] = []) => {
    const options = { thresholdUs: milliseconds(10), testPatterns: [] };
    const shownAs = { target: target ?? 'the one', isOurs: target !== null, shownAt: Date.now() };
    return { recording, more, shownAs, options, workDoneToken: 'opening' };
  };
  const ask = async <Params, Result>({ method }: Request<Params, Result>, asked: Params): Promise<Result> =>
    client.sendRequest<Result>(method, asked);
  return {
    ask,
    about: async <Name extends QuestionName>(recording: string, name: Name, asked: Asked<Name>) =>
      client.sendRequest<Answer<Name>>(questionMethod, { recording, name, asked }),
    openRecording: async (recording, target, more) =>
      client.sendRequest<OpenAnswer>(openRequest.method, params(recording, target, more)),
    openDocument: async (file, text) => {
      const textDocument = { uri: uriOf(file), languageId: 'javascript', version: 1, text };
      await client.sendNotification(DidOpenTextDocumentNotification.type, { textDocument });
    },
    changeDocument: async (file, text) => {
      const textDocument = { uri: uriOf(file), version: 2 };
      await client.sendNotification(DidChangeTextDocumentNotification.type, {
        textDocument,
        contentChanges: [{ text }],
      });
    },
    closeDocument: async (file) =>
      client.sendNotification(DidCloseTextDocumentNotification.type, { textDocument: { uri: uriOf(file) } }),
    changeOnDisk: async (file) => {
      const changes: FileEvent[] = [{ uri: uriOf(file), type: FileChangeType.Changed }];
      await client.sendNotification(DidChangeWatchedFilesNotification.type, { changes });
    },
    diagnostics,
    lenses: async (file) =>
      (await client.sendRequest(CodeLensRequest.type, { textDocument: { uri: uriOf(file) } })) ?? [],
    marks: async (file) => (await ask(fileMarksRequest, { uri: uriOf(file) })).marks,
    hotItems: async () => {
      const [newest] = await ask(hotspotsRequest, { groupBy: 'function', sortBy: 'worst' });
      return newest?.groups.flatMap(({ items }) => items) ?? [];
    },
    hover: async (file, line) => {
      const position = { line, character: 3 };
      return valueOf(await client.sendRequest(HoverRequest.type, { textDocument: { uri: uriOf(file) }, position }));
    },
    progress,
    close: async () => {
      await client.sendRequest(ShutdownRequest.type);
      client.dispose();
    },
  };
}

/** Waits until a client has been told of so many diagnostics of a file. */
function diagnosticsTo(client: ProtocolConnection): LanguageClient['diagnostics'] {
  const told = new Map<string, readonly Diagnostic[]>();
  const waiting = new Set<() => void>();
  client.onNotification(PublishDiagnosticsNotification.type, ({ uri, diagnostics }) => {
    told.set(uri, diagnostics);
    for (const goOn of waiting) goOn();
    waiting.clear();
  });
  return async (file, count) => {
    const uri = uriOf(file);
    while ((told.get(uri) ?? []).length !== count)
      await new Promise<void>((resolve) => {
        waiting.add(resolve);
      });
    return told.get(uri) ?? [];
  };
}

/** The address of a path as VS Code writes it; an address stays. */
export function uriOf(file: string): string {
  return file.startsWith('file:') ? file : vscodeUriOf(file);
}

function valueOf(hover: Hover | null): string {
  return hover !== null && typeof hover.contents === 'object' && 'value' in hover.contents ? hover.contents.value : '';
}
