import { type ExtensionContext, type LogOutputChannel, window } from 'vscode';
import { ExcludedPaths } from './annotations/excluded-paths.ts';
import { Results } from './results.ts';
import { Server } from './server.ts';

/** What every part of the extension stands on. */
export interface Services {
  readonly log: LogOutputChannel;
  readonly server: Server;
  readonly results: Results;
  readonly excluded: ExcludedPaths;
}

/** Made once, in `activate`; disposed with the extension. */
export function createServices(context: ExtensionContext): Services {
  const log = window.createOutputChannel('Hotspan', { log: true });
  const server = new Server(context, log);
  const results = new Results(server, log);
  const excluded = new ExcludedPaths(context.workspaceState);
  context.subscriptions.push(log, server, results, excluded);
  return { log, server, results, excluded };
}
