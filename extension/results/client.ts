import type { LogOutputChannel, Uri } from 'vscode';
import { CancellationToken, LanguageClient, State, TransportKind, WorkDoneProgress } from 'vscode-languageclient/node';
import { internalCommands } from '../../protocol/ids.ts';
import type { DisplayOptions, InitializationOptions, Request } from '../../protocol/requests.ts';

/** The language client. It has a bundle of its own, which is loaded with the first recording. */
export interface Client {
  readonly ask: <Params, Result>(
    request: Request<Params, Result>,
    params: Params,
    options: AskOptions,
  ) => Promise<Result>;
  readonly stop: () => Promise<void>;
}

export interface ClientOptions {
  /** Absolute path of the server's bundle. */
  readonly serverModule: string;
  readonly log: LogOutputChannel;
  readonly display: DisplayOptions;
  /** Whether a file has annotations. */
  readonly hasLenses: (uri: Uri) => boolean;
  readonly onDidRestart: () => void;
}

const languages = [
  'javascript',
  'javascriptreact',
  'typescript',
  'typescriptreact',
  'vue',
  'svelte',
  'astro',
  'coffeescript',
];

export async function startClient({
  serverModule,
  log,
  display,
  hasLenses,
  onDidRestart,
}: ClientOptions): Promise<Client> {
  const client = new LanguageClient(
    'hotspan',
    'Hotspan',
    { module: serverModule, transport: TransportKind.ipc },
    {
      documentSelector: languages.map((language) => ({ scheme: 'file', language })),
      outputChannel: log,
      initializationOptions: { display } satisfies InitializationOptions,
      middleware: {
        provideCodeLenses: (document, token, next) => (hasLenses(document.uri) ? next(document, token) : []),
      },
      // A hover may link only these commands: they take the number of a function or the name of one of our pages, and
      // check where it leads.
      markdown: {
        isTrusted: {
          enabledCommands: [
            internalCommands.openFunction,
            internalCommands.openWorst,
            internalCommands.openSource,
            internalCommands.openRemedy,
          ],
        },
        supportHtml: false,
      },
    },
  );
  await client.start();
  client.onDidChangeState(({ oldState, newState }) => {
    if (oldState === State.Starting && newState === State.Running) onDidRestart();
  });
  return {
    ask: (request, params, options) => ask(client, request, params, options),
    stop: async () => client.dispose(),
  };
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
