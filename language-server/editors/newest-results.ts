import { type Connection, MessageType, ShowMessageNotification } from 'vscode-languageserver/node';
import type { AnalysisOptions } from '../../protocol/requests.ts';
import { NewestOfProject, nothingRecorded } from '../../recordings/newest-of-project.ts';
import { commandText } from '../../words/formats/command-text.ts';
import { readManifest } from '../../recordings/recording-folders.ts';
import type { Session } from '../recordings/session.ts';

/** Shows the newest finished recording of each open folder. A folder is the target of its results. */
export class NewestResults {
  readonly #session: Session;
  readonly #connection: Connection;
  readonly #onDidChange: () => void;
  readonly #followed = new Map<string, NewestOfProject>();
  /** By root. */
  readonly #newest = new Map<string, string>();
  #options: AnalysisOptions | null = null;

  /** `onDidChange`: other results are on screen. */
  constructor(session: Session, connection: Connection, onDidChange: () => void) {
    this.#session = session;
    this.#connection = connection;
    this.#onDidChange = onDidChange;
  }

  /** Follows the open folders, and reads what is shown again where it has to be read otherwise. */
  update(options: AnalysisOptions): void {
    const { roots } = this.#session;
    const isOther = JSON.stringify(options) !== JSON.stringify(this.#options);
    this.#options = options;
    for (const [root, followed] of this.#followed) {
      if (roots.includes(root)) continue;
      followed.close();
      this.#followed.delete(root);
      this.#forget(root);
    }
    if (isOther) for (const [root, recording] of this.#newest) this.#show(root, recording);
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
    this.#read(root, recording).catch((error: unknown) => this.#connection.console.error(String(error)));
  }

  async #logNothing(root: string): Promise<void> {
    this.#connection.console.log(`${root}: ${await nothingToShow([root])}`);
  }

  #forget(root: string): void {
    if (!this.#newest.delete(root)) return;
    this.#session.recordings.forget(root);
    this.#onDidChange();
  }

  /** Reads a recording, with progress. What was shown stays until then, and where it cannot be read. */
  async #read(root: string, recording: string): Promise<void> {
    const command = (await readManifest(recording))?.command ?? null;
    const { recordings, roots } = this.#session;
    const options = this.#options;
    if (options === null || this.#newest.get(root) !== recording) return; // A newer one has ended meanwhile.
    // An editor may refuse to show progress.
    const progress = await this.#connection.window.createWorkDoneProgress().catch(() => null);
    progress?.begin(`Hotspan: ${command === null ? 'recording' : commandText(command)}`, 0);
    const answer = await recordings.open(
      { recording, more: [], shownAs: { target: root, isOurs: false, shownAt: Date.now() }, options },
      roots,
      { onCancel: () => undefined, onProgress: ({ percent }) => progress?.report(percent) },
    );
    progress?.done();
    if (answer.type === 'failed') {
      const { message } = answer;
      await this.#connection.sendNotification(ShowMessageNotification.type, { type: MessageType.Warning, message });
    }
    if (answer.type === 'opened') {
      this.#connection.console.log(`${answer.summary.title}: ${answer.summary.verdict}`);
      this.#onDidChange();
    }
  }
}

/** Why no result is shown. */
export async function nothingToShow(roots: readonly string[]): Promise<string> {
  return `${await nothingRecorded(roots)}: run "hotspan -- npm test".`;
}
