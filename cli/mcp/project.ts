import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { noScriptText, noTestFileText, type ToolInput } from '../../agents/tools.ts';
import { defaultThresholdUs } from '../../protocol/figures.ts';
import { fileReaders } from '../../recorder/launch/packages/readers.ts';
import { isInside, type Target } from '../../recorder/launch/target.ts';
import type { Answer as AnswerOf, Asked, QuestionName } from '../../language-server/recordings/questions.ts';
import { Recordings } from '../../language-server/recordings/recordings.ts';
import { isTestFile } from '../../protocol/test-files.ts';
import { lastRecording } from '../../recordings/newest-of-project.ts';

/** The newest recording of a project, read once, in a thread of its own. */
export class ProjectRecordings {
  readonly #root: string;
  readonly #recordings: Recordings;

  /** `workerFile` is the absolute path of the analysis worker's script. */
  constructor(root: string, workerFile: string) {
    this.#root = root;
    this.#recordings = new Recordings(workerFile);
    this.#recordings.prepare();
  }

  /** The path of the newest recording, which is open then; throws a sentence where there is none to read. */
  async newest(signal: AbortSignal): Promise<string> {
    const recording = await lastRecording(this.#root);
    if (recording === null) throw new Error('Nothing was recorded here yet: profile the tests first.');
    await this.open(recording, signal);
    return recording;
  }

  /** Reads a recording, once; throws a sentence where that fails. */
  async open(recording: string, signal: AbortSignal): Promise<void> {
    if (this.#recordings.opened(recording) !== undefined) return;
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
    this.#recordings.clear();
  }
}

/**
 * What `profile` runs: a script of a package.json, or a test file, both below the root; else a sentence. No other command
 * is ever taken from an agent.
 */
export async function targetOf({ script, file }: ToolInput, root: string): Promise<Target | string> {
  if ((script === undefined) === (file === undefined)) return 'Give a script or a file, one of the two.';
  const readers = fileReaders(process.env);
  if (typeof script === 'string') {
    const { scriptTargets } = await import('../../recorder/launch/targets/script-targets.ts');
    const found = await scriptTargets(root, readers);
    const all = found.type === 'found' ? found.targets.filter(({ kind }) => kind === 'script') : [];
    const named = all.find(({ label }) => label === script);
    const known = all.map(({ label }) => label);
    return named ?? noScriptText(script, known);
  }
  const whole = path.resolve(root, String(file));
  const real = await realpath(whole).catch(() => null);
  const isBelow = real !== null && isInside(real, await realpath(root)) && isInside(whole, root);
  if (!isBelow || !isTestFile(path.relative(root, whole).replaceAll('\\', '/')))
    return noTestFileText(String(file), root);
  const { targetForFile } = await import('../../recorder/launch/targets/file-targets.ts');
  const found = await targetForFile(whole, root, readers);
  return found.type === 'found' ? found.target : found.message;
}
