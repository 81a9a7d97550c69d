import { defaultThresholdUs } from '../../protocol/figures.ts';
import type { Answer as AnswerOf, Asked, QuestionName } from '../../language-server/recordings/questions.ts';
import { Recordings } from '../../language-server/recordings/recordings.ts';
import { lastRecording, nothingRecorded } from '../../recordings/newest-of-project.ts';

export const clientGone = 'The client has gone.';

/** The newest recording of a project, read once, in a thread of its own. */
export class ProjectRecordings {
  readonly #root: string;
  readonly #recordings: Recordings;
  #isClosed = false;

  /** `workerFile` is the absolute path of the analysis worker's script. */
  constructor(root: string, workerFile: string) {
    this.#root = root;
    this.#recordings = new Recordings(workerFile);
    this.#recordings.prepare();
  }

  /** The path of the newest recording, which is open then; throws a sentence where there is none to read. */
  async newest(signal: AbortSignal): Promise<string> {
    const recording = await lastRecording(this.#root);
    if (recording === null) throw new Error(`${await nothingRecorded([this.#root])}: profile the tests first.`);
    await this.open(recording, signal);
    return recording;
  }

  /** Reads a recording, unless it is open; throws a sentence where that fails. */
  async open(recording: string, signal: AbortSignal): Promise<void> {
    if (this.#isClosed) throw new Error(clientGone); // A new thread would keep this process alive.
    const options = { thresholdUs: defaultThresholdUs, testPatterns: [] };
    const answer = await this.#recordings.open({ recording, more: [], shownAs: null, options }, [this.#root], {
      onCancel: (stop) => signal.addEventListener('abort', stop, { once: true }),
      onProgress: () => undefined,
    });
    if (answer.type === 'failed') throw new Error(answer.message);
  }

  async ask<Name extends QuestionName>(recording: string, name: Name, asked: Asked<Name>): Promise<AnswerOf<Name>> {
    return this.#recordings.ask(recording, name, asked);
  }

  close(): void {
    this.#isClosed = true;
    this.#recordings.clear();
  }
}
