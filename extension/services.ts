import { type ExtensionContext, type LogOutputChannel, window } from 'vscode';
import { Results } from './results.ts';
import { Server } from './server.ts';

/** What every part of the extension stands on. */
export interface Services {
  readonly log: LogOutputChannel;
  readonly server: Server;
  readonly results: Results;
}

/** Made once, in `activate`; disposed with the extension. */
export function createServices(context: ExtensionContext): Services {
  const log = window.createOutputChannel('Hotspan', { log: true });
  const server = new Server(context, log);
  const results = new Results(server, log);
  context.subscriptions.push(log, server, results);
  return { log, server, results };
}
