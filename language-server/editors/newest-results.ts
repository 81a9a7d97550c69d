import {
  type Connection,
  MessageType,
  ShowMessageNotification,
  type WorkDoneProgressReporter,
} from 'vscode-languageserver/node';
import type { AnalysisOptions } from '../../protocol/requests.ts';
import { NewestOfProject, nothingRecorded } from '../../recordings/newest-of-project.ts';
import { commandText } from '../../words/formats/command-text.ts';
import { readManifest } from '../../recordings/recording-folders.ts';
import type { Session } from '../recordings/session.ts';

/**
 * Shows the newest finished recording of each open folder, once where folders of one repository have the same one. A
 * recording is its own target.
 */
export class NewestResults {
  readonly #session: Session;
  readonly #connection: Connection;
  readonly #onDidChange: () => void;
  readonly #followed = new Map<string, NewestOfProject>();
  /** By root. */
  readonly #newest = new Map<string, string>();
  /** By root: the newest one; while that is read, and where it cannot be read, the one before. */
  readonly #shown = new Map<string, string>();
  readonly #reading = new Set<string>();
  #options: AnalysisOptions | null = null;
  /** The options and the open folders with which recordings are read. */
  #how = '';

  /** `onDidChange`: other results are on screen. */
  constructor(session: Session, connection: Connection, onDidChange: () => void) {
    this.#session = session;
    this.#connection = connection;
    this.#onDidChange = onDidChange;
  }

  /** Follows the open folders, and reads what is shown again where it has to be read otherwise. */
  update(options: AnalysisOptions): void {
    const { roots } = this.#session;
    const how = JSON.stringify({ options, roots });
    const isOther = how !== this.#how;
    this.#how = how;
    this.#options = options;
    for (const [root, followed] of this.#followed) {
      if (roots.includes(root)) continue;
      followed.close();
      this.#followed.delete(root);
      this.#forget(root);
    }
    if (isOther) for (const recording of new Set(this.#newest.values())) this.#read(recording);
    for (const root of roots) if (!this.#followed.has(root)) this.#followed.set(root, this.#follow(root));
  }

  close(): void {
    for (const followed of this.#followed.values()) followed.close();
    this.#followed.clear();
  }

  #follow(root: string): NewestOfProject {
    return new NewestOfProject(root, {
      onDidChange: (recording) => this.#show(root, recording),
      onDidBegin: (recording) => {
        const { recordings, roots } = this.#session;
        recordings.prepare(this.#options === null ? null : { recording, roots, options: this.#options });
      },
    });
  }

  #show(root: string, recording: string | null): void {
    if (recording === null) {
      this.#forget(root);
      this.#logNothing(root).catch((error: unknown) => this.#connection.console.error(String(error)));
      return;
    }
    this.#newest.set(root, recording);
    this.#settle();
    if (!this.#reading.has(recording) && this.#shown.get(root) !== recording) this.#read(recording);
  }

  async #logNothing(root: string): Promise<void> {
    this.#connection.console.log(`${root}: ${await nothingToShow([root])}`);
  }

  #forget(root: string): void {
    this.#shown.delete(root);
    if (!this.#newest.delete(root)) return;
    this.#settle();
    this.#onDidChange();
  }

  /** Gives each folder its newest recording, if that is on screen, and forgets those that no folder has. */
  #settle(): void {
    const { recordings } = this.#session;
    const onScreen = new Set(recordings.shown.map(({ target }) => target));
    for (const [root, newest] of this.#newest) if (onScreen.has(newest)) this.#shown.set(root, newest);
    const used = new Set([...this.#newest.values(), ...this.#shown.values()]);
    for (const recording of [...onScreen, ...this.#reading]) {
      if (used.has(recording)) continue;
      this.#reading.delete(recording);
      recordings.forget(recording);
    }
  }

  #read(recording: string): void {
    this.#reading.add(recording);
    this.#open(recording)
      .catch((error: unknown) => this.#connection.console.error(String(error)))
      .finally(() => this.#reading.delete(recording));
  }

  /** Reads a recording, with progress. What was shown stays until then, and where it cannot be read. */
  async #open(recording: string): Promise<void> {
    const command = (await readManifest(recording))?.command ?? null;
    const { recordings, roots } = this.#session;
    const options = this.#options;
    const isWanted = [...this.#newest.values()].includes(recording); // Else its folder was closed, or a newer one has ended.
    if (options === null || !isWanted) return;
    // Nothing waits for it: an editor may refuse to show progress, or never answer.
    const progress = this.#connection.window.createWorkDoneProgress().catch(() => null);
    const report = (say: (shown: WorkDoneProgressReporter) => void): void =>
      void progress.then((shown) => shown !== null && say(shown));
    report((shown) => shown.begin(`Hotspan: ${command === null ? 'recording' : commandText(command)}`, 0));
    const answer = await recordings.open(
      { recording, more: [], shownAs: { target: recording, isOurs: false, shownAt: Date.now() }, options },
      roots,
      { onCancel: () => undefined, onProgress: ({ percent }) => report((shown) => shown.report(percent)) },
    );
    report((shown) => shown.done());
    if (answer.type === 'failed') {
      const { message } = answer;
      await this.#connection.sendNotification(ShowMessageNotification.type, { type: MessageType.Warning, message });
    }
    if (answer.type === 'opened') {
      this.#connection.console.log(`${answer.summary.title}: ${answer.summary.verdict}`);
      this.#settle();
      this.#onDidChange();
    }
  }
}

/** Why no result is shown. */
export async function nothingToShow(roots: readonly string[]): Promise<string> {
  return `${await nothingRecorded(roots)}: run "hotspan -- npm test".`;
}
