import {
  type CancellationToken,
  type Disposable,
  type Event,
  EventEmitter,
  type ExtensionContext,
  type LogOutputChannel,
} from 'vscode';
import type { Request } from '../protocol/requests.ts';
import type { Client } from './client.ts';
import { displayOptions } from './settings.ts';

/** The language server as the rest of the extension sees it: started by the first question. */
export interface Server extends Disposable {
  /** Rejects with a sentence for the person, or with `Canceled` when the token says so. */
  readonly ask: <Params, Result>(
    request: Request<Params, Result>,
    params: Params,
    options?: AskOptions,
  ) => Promise<Result>;
  readonly isStarted: () => boolean;
  /** It died and is there again: what it knew is gone. */
  readonly onDidRestart: Event<void>;
}

export interface AskOptions {
  readonly token?: CancellationToken;
  readonly onProgress?: (progress: AskProgress) => void;
}

/** `percentage` 0 to 100. */
export interface AskProgress {
  readonly message: string;
  readonly percentage: number;
}

export function createServer(context: ExtensionContext, log: LogOutputChannel): Server {
  const restarted = new EventEmitter<void>();
  const state: { client: Promise<Client> | undefined } = { client: undefined };

  const start = async (): Promise<Client> => {
    // The client library takes 80 ms to load: it has a bundle of its own, which only this line asks for.
    const { startClient } = await import('./client.ts');
    return startClient({
      serverModule: context.asAbsolutePath('dist/server.cjs'),
      log,
      display: displayOptions(),
      onDidRestart: () => restarted.fire(),
    });
  };

  return {
    onDidRestart: restarted.event,
    isStarted: () => state.client !== undefined,
    ask: async (request, params, options) => {
      state.client ??= start();
      const client = await forgetFailure(state, state.client);
      return client.ask(request, params, options ?? {});
    },
    dispose: () => {
      restarted.dispose();
      void state.client?.then((client) => client.stop());
    },
  };
}

/** A start that failed is tried again by the next question. */
async function forgetFailure(
  state: { client: Promise<Client> | undefined },
  starting: Promise<Client>,
): Promise<Client> {
  try {
    return await starting;
  } catch (error) {
    state.client = undefined;
    throw error;
  }
}
