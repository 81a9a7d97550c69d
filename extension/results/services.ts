import * as vscode from 'vscode';
import { KeptResults } from './kept-results.ts';
import { on } from '../ui/failures.ts';
import { LastRun } from './last-run.ts';
import { Results } from './results.ts';
import { Server } from './server.ts';
import { annotationsEnabled } from '../ui/settings.ts';

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

const key = 'annotations.excluded';

/** Which files have annotations: all except those that the person switched off in this workspace. */
export class ShownPaths implements vscode.Disposable {
  readonly #state: vscode.Memento;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;

  constructor(state: vscode.Memento) {
    this.#state = state;
  }

  has({ path }: vscode.Uri): boolean {
    return annotationsEnabled() && !isExcluded(path, this.#state.get<readonly string[]>(key, []));
  }

  /** Switches a file or folder on or off. The workspace's own files do not change. */
  async toggle({ path }: vscode.Uri): Promise<void> {
    await this.#state.update(key, toggled(path, this.#state.get<readonly string[]>(key, [])));
    this.#changed.fire();
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

/** Whether the list has the file or a folder above it. Paths are written with `/`. */
export function isExcluded(file: string, excluded: readonly string[]): boolean {
  return excluded.some(
    (entry) => entry === '' || entry === '.' || file === entry || file.startsWith(`${withoutSlash(entry)}/`),
  );
}

export function toggled(entry: string, excluded: readonly string[]): readonly string[] {
  const others = excluded.filter((other) => withoutSlash(other) !== withoutSlash(entry));
  return others.length < excluded.length ? others : [...excluded, entry];
}

function withoutSlash(entry: string): string {
  return entry.endsWith('/') ? entry.slice(0, -1) : entry;
}
