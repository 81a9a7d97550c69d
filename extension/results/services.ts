import * as vscode from 'vscode';
import { KeptResults } from './kept-results.ts';
import { on } from '../ui/failures.ts';
import { LastRun } from './last-run.ts';
import { Results } from './results.ts';
import { Server } from './server.ts';
import { ShownPaths } from '../ui/settings.ts';

export interface Services {
  readonly log: vscode.LogOutputChannel;
  readonly server: Server;
  readonly results: Results;
  readonly shown: ShownPaths;
  readonly lastRun: LastRun;
}

/** Made once, in `activate`. */
export function createServices(context: vscode.ExtensionContext): Services {
  const log = vscode.window.createOutputChannel('Hotspan', { log: true });
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
