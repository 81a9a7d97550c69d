import { type Disposable, type Event, EventEmitter, type ExtensionContext, type LogOutputChannel } from 'vscode';
import type { ShownPaths } from './shown-paths.ts';
import type { Request } from '../../protocol/requests.ts';
import type { Client, AskOptions } from './client.ts';
import { inLog } from '../ui/failures.ts';
import { displayOptions } from '../ui/settings.ts';

/** The language server as the rest of the extension sees it. The first run or question starts it. */
export class Server implements Disposable {
  readonly #context: ExtensionContext;
  readonly #log: LogOutputChannel;
  readonly #shown: ShownPaths;
  readonly #restarted = new EventEmitter<void>();
  #client: Promise<Client> | undefined;

  constructor(context: ExtensionContext, log: LogOutputChannel, shown: ShownPaths) {
    this.#context = context;
    this.#log = log;
    this.#shown = shown;
  }

  /** The server died and was started again: it has forgotten everything. */
  get onDidRestart(): Event<void> {
    return this.#restarted.event;
  }

  get isStarted(): boolean {
    return this.#client !== undefined;
  }

  /** Starts the server ahead of time, because the end of a run needs it at once. */
  prepare(): void {
    this.#started().catch((error: unknown) => this.#log.warn('The language server did not start yet.', error));
  }

  /** Rejects with a sentence for the person, or when the token is cancelled. */
  async ask<Params, Result>(
    request: Request<Params, Result>,
    params: Params,
    options: AskOptions = {},
  ): Promise<Result> {
    const client = await this.#started();
    return client.ask(request, params, options);
  }

  dispose(): void {
    this.#restarted.dispose();
    if (this.#client !== undefined)
      inLog(
        this.#client.then((client) => client.stop()),
        this.#log,
      );
  }

  /** Starts the server once. After a failed start, the next question tries again. */
  async #started(): Promise<Client> {
    this.#client ??= this.#start();
    try {
      return await this.#client;
    } catch (error) {
      this.#client = undefined;
      throw error;
    }
  }

  async #start(): Promise<Client> {
    // The client library takes 80 ms to load, so it has a bundle of its own, which is loaded only here.
    const { startClient } = await import('./client.ts');
    return startClient({
      serverModule: this.#context.asAbsolutePath('dist/server.cjs'),
      log: this.#log,
      display: displayOptions(),
      hasLenses: (uri) => this.#shown.has(uri),
      onDidRestart: () => this.#restarted.fire(),
    });
  }
}
