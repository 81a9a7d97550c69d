import { type ExtensionContext, type LogOutputChannel, window } from 'vscode';
import { ShownPaths } from './shown-paths.ts';
import { KeptResults } from './kept-results.ts';
import { on } from '../ui/failures.ts';
import { LastRun } from './last-run.ts';
import { Results } from './results.ts';
import { Server } from './server.ts';

/** What all parts of the extension share. */
export interface Services {
  readonly log: LogOutputChannel;
  readonly server: Server;
  readonly results: Results;
  readonly shown: ShownPaths;
  readonly lastRun: LastRun;
}

/** Made once, in `activate`; disposed with the extension. */
export function createServices(context: ExtensionContext): Services {
  const log = window.createOutputChannel('Hotspan', { log: true });
  const shown = new ShownPaths(context.workspaceState);
  const server = new Server(context, log, shown);
  const kept = new KeptResults(context, log);
  const lastRun = new LastRun(log);
  const results = new Results(server, log, kept);
  context.subscriptions.push(
    log,
    server,
    results,
    kept,
    shown,
    lastRun,
    on(shown.onDidChange, async () => results.drawAgain(), log),
  );
  return { log, server, results, shown, lastRun };
}
