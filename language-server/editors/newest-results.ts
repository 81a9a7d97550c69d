import {
  type Connection,
  MessageType,
  ShowMessageNotification,
  type WorkDoneProgressReporter,
} from 'vscode-languageserver/node';
import type { AnalysisOptions } from '../../protocol/requests.ts';
import { type BegunRecording, NewestOfProject, nothingRecorded } from '../../recordings/newest-of-project.ts';
import { commandText } from '../../words/formats/command-text.ts';
import { readManifest } from '../../recordings/recording-folders.ts';
import type { Session } from '../recordings/session.ts';

/**
 * Shows the newest finished recording of each open folder, once where folders of one repository have the same one. Each is a
 * target of its own.
 */
export class NewestResults {
  readonly #session: Session;
  readonly #connection: Connection;
  readonly #onDidChange: () => void;
  readonly #followed = new Map<string, NewestOfProject>();
  /** By root. */
  readonly #newest = new Map<string, Newest>();
  /** By root, the target of the newest recording; while that is read, and where it cannot be, of the one before. */
  readonly #shown = new Map<string, string>();
  /** Targets. */
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
    if (isOther && roots.length === 0) this.#logNothing(roots);
    if (isOther) for (const newest of this.#targets().values()) this.#read(newest);
    for (const root of roots) if (!this.#followed.has(root)) this.#followed.set(root, this.#follow(root));
  }

  close(): void {
    for (const followed of this.#followed.values()) followed.close();
    this.#followed.clear();
  }

  #follow(root: string): NewestOfProject {
    return new NewestOfProject(root, {
      onDidChange: (recording) =>
        this.#show(
          root,
          recording === null ? null : { ...recording, target: `${recording.startedAt} ${recording.folder}` },
        ),
      onDidBegin: (recording) => {
        const { recordings, roots } = this.#session;
        recordings.prepare(this.#options === null ? null : { recording, roots, options: this.#options });
      },
    });
  }

  #show(root: string, newest: Newest | null): void {
    if (newest === null) {
      this.#forget(root);
      this.#logNothing([root]);
      return;
    }
    this.#newest.set(root, newest);
    this.#settle();
    const { target } = newest;
    if (!this.#reading.has(target) && this.#shown.get(root) !== target) this.#read(newest);
  }

  #logNothing(roots: readonly string[]): void {
    nothingToShow(roots)
      .then((why) => this.#connection.console.log([...roots, why].join(': ')))
      .catch((error: unknown) => this.#connection.console.error(String(error)));
  }

  #forget(root: string): void {
    this.#shown.delete(root);
    if (!this.#newest.delete(root)) return;
    this.#settle();
    this.#onDidChange();
  }

  /** The newest recordings of all open folders, by target. */
  #targets(): ReadonlyMap<string, Newest> {
    return new Map([...this.#newest.values()].map((newest) => [newest.target, newest]));
  }

  /** Gives each folder its newest recording, if that is on screen, and forgets those that no folder has. */
  #settle(): void {
    const { recordings } = this.#session;
    const onScreen = new Set(recordings.shown.map(({ target }) => target));
    for (const [root, { target }] of this.#newest) if (onScreen.has(target)) this.#shown.set(root, target);
    const used = new Set([...this.#targets().keys(), ...this.#shown.values()]);
    for (const target of [...onScreen, ...this.#reading]) {
      if (used.has(target)) continue;
      this.#reading.delete(target);
      recordings.forget(target);
    }
  }

  #read(newest: Newest): void {
    this.#reading.add(newest.target);
    this.#open(newest)
      .catch((error: unknown) => this.#connection.console.error(String(error)))
      .finally(() => this.#reading.delete(newest.target));
  }

  /** Reads a recording, with progress. What was shown stays until then, and where it cannot be read. */
  async #open({ folder: recording, startedAt, target }: Newest): Promise<void> {
    const command = (await readManifest(recording))?.command ?? null;
    const { recordings, roots } = this.#session;
    const options = this.#options;
    if (options === null || !this.#targets().has(target)) return; // Its folder was closed, or a newer one ended.
    const begun = Date.parse(startedAt);
    const shownAs = { target, isOurs: false, shownAt: Number.isNaN(begun) ? 0 : begun };
    // Nothing waits for it: an editor may refuse to show progress, or never answer.
    const progress = this.#connection.window.createWorkDoneProgress().catch(() => null);
    const report = (say: (shown: WorkDoneProgressReporter) => void): void =>
      void progress.then((shown) => shown !== null && say(shown));
    report((shown) => shown.begin(`Hotspan: ${command === null ? 'recording' : commandText(command)}`, 0));
    const answer = await recordings.open({ recording, more: [], shownAs, options }, roots, {
      onCancel: () => undefined,
      onProgress: ({ percent }) => report((shown) => shown.report(percent)),
    });
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

interface Newest extends BegunRecording {
  /** A baseline that was set again is another target at the same path. */
  readonly target: string;
}

/** Why no result is shown. */
export async function nothingToShow(roots: readonly string[]): Promise<string> {
  if (roots.length === 0)
    return 'No folder is open in the editor: open that of the project (Neovim finds it by its root_markers).';
  return `${await nothingRecorded(roots)}: run "hotspan -- npm test".`;
}
