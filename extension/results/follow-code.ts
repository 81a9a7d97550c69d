import * as vscode from 'vscode';
import { type ResultsNow, resultsNowRequest } from '../../protocol/requests.ts';
import { inLog } from '../ui/failures.ts';
import type { Server } from './server.ts';

/**
 * Asks what the results on screen are after each change of the code, in an editor or on the disk (a checkout), and after
 * each re-check: figures are those of a text.
 */
export class FollowedCode implements vscode.Disposable {
  readonly #server: Server;
  readonly #log: vscode.LogOutputChannel;
  readonly #show: (now: ResultsNow) => void;
  readonly #listening: vscode.Disposable[];
  /** Drops the answers of earlier questions. */
  #asked = Symbol('asked');
  /** What was last shown. */
  #state = '';
  #timer: NodeJS.Timeout | undefined;
  #isWatching = false;

  constructor(server: Server, log: vscode.LogOutputChannel, show: (now: ResultsNow) => void) {
    this.#server = server;
    this.#log = log;
    this.#show = show;
    this.#listening = [vscode.workspace.onDidChangeTextDocument(({ document }) => this.#changed(document.uri))];
  }

  /** `isForced`: shows the answer even if nothing differs. */
  async ask(isForced: boolean): Promise<void> {
    if (!this.#server.isStarted) return;
    const asked = Symbol('asked');
    this.#asked = asked;
    const now = await this.#server.ask(resultsNowRequest, null);
    if (asked !== this.#asked || (!isForced && now.state === this.#state)) return;
    this.#state = now.state;
    this.#show(now);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    for (const one of this.#listening) one.dispose();
  }

  #changed({ scheme }: vscode.Uri): void {
    if (scheme !== 'file') return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => inLog(this.ask(false), this.#log), EDIT_PAUSE_MS);
  }

  /** Files that are not open change without an event of a document. */
  watchFiles(): void {
    if (this.#isWatching) return;
    this.#isWatching = true;
    const watcher = vscode.workspace.createFileSystemWatcher(codeFiles);
    const changed = (uri: vscode.Uri): void => this.#changed(uri);
    this.#listening.push(
      watcher,
      watcher.onDidChange(changed),
      watcher.onDidCreate(changed),
      watcher.onDidDelete(changed),
    );
  }
}

/** Time without edits after which it asks. */
const EDIT_PAUSE_MS = 300;

const codeFiles = '**/*.{js,cjs,mjs,jsx,ts,cts,mts,tsx,vue,svelte,astro,coffee}';
