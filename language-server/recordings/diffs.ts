import type { CancellationToken } from 'vscode-jsonrpc/node';
import { nameOfDiff } from '../../protocol/diff.ts';
import type { DiffSummary, OpenDiffAnswer, OpenDiffParams } from '../../protocol/requests.ts';
import { type AnalysisProcess, type OpenControl, startAnalysis } from './analysis-process.ts';
import type { Answer, Asked, QuestionName } from './questions.ts';

/** The diffs that are open, each in a thread of its own. */
export class Diffs {
  readonly #workerFile: string;
  /** By name; the one that was asked for longest ago comes first. */
  readonly #open = new Map<string, { readonly summary: DiffSummary; readonly process: AnalysisProcess }>();

  /** `workerFile` is the absolute path of the analysis worker's script. */
  constructor(workerFile: string) {
    this.#workerFile = workerFile;
  }

  /** Reads both sides, where they are not open yet. */
  async open(
    { base, head, options }: OpenDiffParams,
    roots: readonly string[],
    control: OpenControl,
  ): Promise<OpenDiffAnswer> {
    const name = nameOfDiff({ base, head });
    const known = this.#open.get(name);
    if (known !== undefined) return { type: 'opened', summary: known.summary };
    const process = startAnalysis(this.#workerFile);
    control.onCancel(() => process.dispose());
    try {
      const answer = await process.openDiff({ base, head, roots, options }, control.onProgress);
      if (answer.type === 'failed') process.dispose();
      else this.#keep(name, { summary: answer.summary, process });
      return answer;
    } catch (error) {
      process.dispose();
      return { type: 'failed', message: error instanceof Error ? error.message : String(error) };
    }
  }

  async ask<Name extends QuestionName>(
    diff: string,
    name: Name,
    asked: Asked<Name>,
    token?: CancellationToken,
  ): Promise<Answer<Name>> {
    const found = this.#open.get(diff);
    if (found === undefined) throw new Error('This diff is no longer open: close the flamegraph and open it again.');
    this.#open.delete(diff);
    this.#open.set(diff, found);
    return found.process.ask(name, asked, token);
  }

  /** Forgets all diffs. What is still asked of them fails. */
  clear(): void {
    for (const { process } of this.#open.values()) process.dispose();
    this.#open.clear();
  }

  #keep(name: string, opened: { readonly summary: DiffSummary; readonly process: AnalysisProcess }): void {
    this.#open.get(name)?.process.dispose();
    this.#open.set(name, opened);
    for (const [old, { process }] of [...this.#open].slice(0, Math.max(0, this.#open.size - mostOpen))) {
      process.dispose();
      this.#open.delete(old);
    }
  }
}

/** Most diffs in memory: the one on screen, and the one before. */
const mostOpen = 2;
