import { defaultThresholdUs } from '../../protocol/figures.ts';
import type { Answer as AnswerOf, Asked, QuestionName } from '../../language-server/recordings/questions.ts';
import { Recordings } from '../../language-server/recordings/recordings.ts';
import { lastRecording, nothingRecorded } from '../../recordings/newest-of-project.ts';

export const clientGone = 'The client has gone.';

/** Asks an open recording one of the questions about it. */
export type AskRecording = <Name extends QuestionName>(name: Name, asked: Asked<Name>) => Promise<AnswerOf<Name>>;

/** The newest recording of a project, read once, in a thread of its own. */
export class ProjectRecordings {
  readonly #root: string;
  readonly #recordings: Recordings;
  /** Settles with the last call of `use`. */
  #last: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  /** `workerFile` is the absolute path of the analysis worker's script. */
  constructor(root: string, workerFile: string) {
    this.#root = root;
    this.#recordings = new Recordings(workerFile);
    this.#recordings.prepare();
  }

  /**
   * Opens a recording, or the newest one (null), and has `use` ask it. Throws a sentence where there is none to read. Calls
   * take turns: a second reading of a recording would end the thread that the first call asks.
   */
  async use<Found>(
    recording: string | null,
    signal: AbortSignal,
    use: (ask: AskRecording, recording: string) => Promise<Found>,
  ): Promise<Found> {
    const found = this.#last.then(async () => {
      signal.throwIfAborted();
      const opened = recording ?? (await this.#newest());
      await this.#open(opened, signal);
      return use(async (name, asked) => this.#recordings.ask(opened, name, asked), opened);
    });
    this.#last = found.catch(() => undefined);
    return found;
  }

  async #newest(): Promise<string> {
    const recording = await lastRecording(this.#root);
    if (recording === null) throw new Error(`${await nothingRecorded([this.#root])}: profile the tests first.`);
    return recording;
  }

  /** Reads a recording, unless it is open; throws a sentence where that fails. */
  async #open(recording: string, signal: AbortSignal): Promise<void> {
    if (this.#isClosed) throw new Error(clientGone); // A new thread would keep this process alive.
    const options = { thresholdUs: defaultThresholdUs, testPatterns: [] };
    const answer = await this.#recordings.open({ recording, more: [], shownAs: null, options }, [this.#root], {
      onCancel: (stop) => signal.addEventListener('abort', stop, { once: true }),
      onProgress: () => undefined,
    });
    if (answer.type === 'failed') throw new Error(answer.message);
  }

  close(): void {
    this.#isClosed = true;
    this.#recordings.clear();
  }
}
