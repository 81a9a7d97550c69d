import * as vscode from 'vscode';
import {
  CancellationToken,
  CloseAction,
  ErrorAction,
  LanguageClient,
  type LanguageClientOptions,
  TransportKind,
  WorkDoneProgress,
} from 'vscode-languageclient/node';
import { commands as ids, internalCommands } from '../../protocol/ids.ts';
import type { ColumnsInSight, DisplayOptions, InitializationOptions, Request } from '../../protocol/requests.ts';
import { columnsRequest } from '../../protocol/requests.ts';
import { isRecord } from '../../protocol/json-value.ts';
import { inLog } from '../ui/failures.ts';
import { codeLanguages } from '../ui/settings.ts';
import { EditorColumns } from './editor-columns.ts';

/** The language client, in a bundle that the first recording loads. */
export interface Client {
  readonly ask: <Params, Result>(
    request: Request<Params, Result>,
    params: Params,
    options: AskOptions,
  ) => Promise<Result>;
  readonly stop: () => Promise<void>;
}

export interface ClientOptions {
  readonly serverModule: string;
  readonly log: vscode.LogOutputChannel;
  readonly display: DisplayOptions;
  readonly isAnnotated: (uri: vscode.Uri) => boolean;
  /** The visible part of lines has changed. */
  readonly onDidChangeColumns: () => void;
  /** The server has crashed; this client cannot be used any more. */
  readonly onDidEnd: () => void;
}

export async function startClient(options: ClientOptions): Promise<Client> {
  const server = { module: options.serverModule, transport: TransportKind.ipc };
  const columns = new EditorColumns(
    async (now) => {
      await client.sendRequest(columnsRequest.method, { columns: now } satisfies ColumnsInSight);
      options.onDidChangeColumns();
    },
    () => inLog(columns.update(), options.log),
  );
  const client = new QuietClient('hotspan', 'Hotspan', server, languageClientOptions(options, columns));
  await client.start().catch((error: unknown) => {
    columns.dispose();
    throw error;
  });
  return {
    ask: (request, params, asked) => ask(client, request, params, asked),
    stop: async () => {
      columns.dispose();
      await client.dispose();
    },
  };
}

/** Logs errors of the server. `server.ts` shows those that the person should know. */
class QuietClient extends LanguageClient {
  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }
}

function languageClientOptions(
  { log, display, isAnnotated, onDidEnd }: ClientOptions,
  columns: EditorColumns,
): LanguageClientOptions {
  return {
    documentSelector: codeLanguages.map((language) => ({ scheme: 'file', language })),
    outputChannel: log,
    errorHandler: {
      error: () => ({ action: ErrorAction.Continue, handled: true }),
      closed: () => {
        columns.dispose();
        onDidEnd();
        return { action: CloseAction.DoNotRestart, handled: true };
      },
    },
    initializationFailedHandler: () => false,
    initializationOptions: { display } satisfies InitializationOptions,
    middleware: {
      provideCodeLenses: async (document, token, next) => {
        if (!isAnnotated(document.uri)) return [];
        await columns.update().catch((error: unknown) => log.warn(String(error)));
        return next(document, token);
      },
      handleDiagnostics: (uri, diagnostics, next) => {
        if (!isOfOlderText(uri, diagnostics)) next(uri, isAnnotated(uri) ? diagnostics : []);
      },
    },
    markdown: { isTrusted: { enabledCommands: linkedCommands }, supportHtml: false },
  };
}

/** The commands that a hover may link: they check the number of a function or the name of a page that they get. */
const linkedCommands = [
  internalCommands.openFunction,
  ids.openWorst,
  ids.recheck,
  internalCommands.moreActions,
  internalCommands.openSource,
  internalCommands.openRemedy,
];

/** Whether diagnostics are for an older text. VS Code moves the ones it has, and newer ones are on their way. */
function isOfOlderText(uri: vscode.Uri, diagnostics: readonly vscode.Diagnostic[]): boolean {
  const document = vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri.toString());
  const [of] = diagnostics.map((one) => ('data' in one ? one.data : null));
  return document !== undefined && isRecord(of) && 'version' in of && of['version'] !== document.version;
}

async function ask<Params, Result>(
  client: LanguageClient,
  { method }: Request<Params, Result>,
  params: Params,
  { token = CancellationToken.None, onProgress }: AskOptions,
): Promise<Result> {
  if (onProgress === undefined) return client.sendRequest<Result>(method, params, token);
  const workDoneToken = crypto.randomUUID();
  const listening = client.onProgress(WorkDoneProgress.type, workDoneToken, (value) => {
    if (value.kind === 'report') onProgress({ message: value.message ?? '', percentage: value.percentage ?? 0 });
  });
  try {
    return await client.sendRequest<Result>(method, { ...params, workDoneToken }, token);
  } finally {
    listening.dispose();
  }
}

export interface AskOptions {
  readonly token?: CancellationToken;
  readonly onProgress?: (progress: AskProgress) => void;
}

/** `percentage` is from 0 to 100. */
export interface AskProgress {
  readonly message: string;
  readonly percentage: number;
}
