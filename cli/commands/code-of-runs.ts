import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type AnalyzedRun, otherTextIn, type RunTexts, textsOf } from '../../engine/compare/runs/find-again.ts';
import { type Stamps, stampsIn } from '../../recorder/launch/pairs/code-watch.ts';
import { type Repository, repositoryOf } from '../../recorder/launch/pairs/git.ts';
import { noRunsText } from '../../words/given-recordings.ts';

/** Detects edits between successive runs of a command, which then did not run the same code. */
export class CodeOfRuns {
  readonly #begin: { readonly repository: Repository; readonly stamps: Stamps } | null;
  readonly #runs: RunTexts[] = [];

  private constructor(begin: { readonly repository: Repository; readonly stamps: Stamps } | null) {
    this.#begin = begin;
  }

  /** Begins before the first run in a folder. */
  static async open(cwd: string): Promise<CodeOfRuns> {
    const repository = await repositoryOf(cwd);
    return new CodeOfRuns(repository.type === 'found' ? { repository, stamps: await stampsIn(repository) } : null);
  }

  /** Of what git ignores, a build, each run may make its own. */
  async add(run: AnalyzedRun): Promise<void> {
    const { texts } = await textsOf(run);
    const kept = [...texts].filter(([file]) => this.#begin?.stamps.has(file) !== false);
    this.#runs.push({ path: run.path, texts: new Map(kept) });
  }

  /** A sentence if the runs so far did not run the same code; else null. */
  async whyOther(): Promise<string | null> {
    const last = this.#runs.at(-1);
    const unseen = last === undefined ? [] : [{ path: last.path, texts: await this.#writtenBeside(last) }];
    const other = await otherTextIn([...this.#runs, ...unseen]);
    return other === undefined ? null : `${noRunsText(other)}.`;
  }

  /** The present texts of files that were written since the begin, and of which a run has no sample: it may be quick now. */
  async #writtenBeside({ texts: sampled }: RunTexts): Promise<ReadonlyMap<string, string>> {
    const texts = new Map<string, string>();
    if (this.#begin === null) return texts;
    const { repository, stamps } = this.#begin;
    for (const [file, stamp] of await stampsIn(repository)) {
      if (stamp === stamps.get(file) || sampled.has(file)) continue;
      const text = await readFile(path.join(repository.root, file), 'utf8').catch(() => null);
      if (text !== null) texts.set(file, text);
    }
    return texts;
  }
}
