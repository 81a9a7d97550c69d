import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  createMessageConnection,
  type InitializeResult,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import { uriOf } from './language-client.ts';
import { projectFile } from './project.ts';

/** An editor that knows nothing but LSP, with its own settings. It keeps what the server sends. */
export interface PlainEditor {
  readonly client: MessageConnection;
  /** Waits for a message of the server: the first that is not taken yet. */
  readonly next: (method: string) => Promise<unknown>;
  /** Methods of all that came. */
  readonly methods: ReadonlySet<string>;
  readonly capabilities: Readonly<Record<string, unknown>>;
  /** Ends the server in the order of the protocol, and gives its exit code. */
  readonly close: () => Promise<number | null>;
}

export interface EditorFacts {
  readonly env?: NodeJS.ProcessEnv;
  readonly capabilities?: object;
  /** What it answers for the section `hotspan`. */
  readonly settings?: unknown;
  readonly initializationOptions?: unknown;
}

/** Starts `hotspan language-server` for a folder, which it gives by `rootUri` alone, or for none. */
export async function startPlainEditor(
  folder: string | null,
  { env = process.env, capabilities = {}, settings = null, initializationOptions }: EditorFacts = {},
): Promise<PlainEditor> {
  const args = [projectFile('dist/cli.cjs'), 'language-server', '--stdio'];
  const server = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'], env });
  const client = createMessageConnection(new StreamMessageReader(server.stdout), new StreamMessageWriter(server.stdin));
  const came: { readonly method: string; readonly params: unknown }[] = [];
  const waiting = new Set<() => void>();
  const methods = new Set<string>();
  const keep = (method: string, params: unknown): void => {
    methods.add(method);
    came.push({ method, params });
    for (const goOn of waiting) goOn();
  };
  client.onRequest((method, params) => {
    keep(method, params);
    if (method === 'workspace/configuration') return [settings];
    return method === 'window/showDocument' ? { success: true } : null;
  });
  client.onNotification((method, params) => keep(method, params));
  client.listen();
  const facts = { processId: process.pid, ...(folder === null ? {} : { rootUri: uriOf(folder) }) };
  const initialize = { ...facts, capabilities, initializationOptions };
  const answer = await client.sendRequest<InitializeResult>('initialize', initialize);
  await client.sendNotification('initialized', {});
  return {
    methods,
    client,
    capabilities: { ...answer.capabilities },
    next: async (method) => {
      for (;;) {
        const at = came.findIndex((one) => one.method === method);
        if (at >= 0) return came.splice(at, 1)[0]?.params;
        await new Promise<void>((resolve) => {
          waiting.add(resolve);
        });
      }
    },
    close: async () => {
      await client.sendRequest('shutdown');
      const ended = once(server, 'exit');
      await client.sendNotification('exit');
      await ended;
      return server.exitCode;
    },
  };
}
