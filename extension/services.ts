import { Disposable, type ExtensionContext, type LogOutputChannel, window } from 'vscode';
import { type Results, createResults } from './results.ts';
import { type Server, createServer } from './server.ts';

/** What every part of the extension stands on; made once in `activate`. */
export interface Services extends Disposable {
  readonly log: LogOutputChannel;
  readonly server: Server;
  readonly results: Results;
}

export function createServices(context: ExtensionContext): Services {
  const log = window.createOutputChannel('Hotspan', { log: true });
  const server = createServer(context, log);
  const results = createResults(server, log);
  const store = Disposable.from(results, server, log);
  return { log, server, results, dispose: () => store.dispose() };
}
