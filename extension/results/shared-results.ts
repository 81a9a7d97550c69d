import type { Disposable, LogOutputChannel } from 'vscode';
import { on } from '../ui/failures.ts';
import type { KeptResult, KeptResults } from './kept-results.ts';

/** What a window has on its screen, for those who bring it in step with the files. */
export interface Screen {
  /** What is shown, and what is being read to be shown. */
  readonly known: () => readonly KeptResult[];
  /** Reads a result that nobody asked for here, and shows it. Where it cannot be read, gives why. */
  readonly take: (wanted: KeptResult) => Promise<string | null>;
  /** Shows the result of a target no longer, and takes it out of the files. */
  readonly forget: (target: string) => Promise<void>;
}

/**
 * The results that the workspace shows in all its windows, as its files have them. What another window has shown is shown
 * here, what it has forgotten leaves this screen too, and what this window does goes to the files.
 */
export class SharedResults implements Disposable {
  readonly #kept: KeptResults;
  readonly #log: LogOutputChannel;
  readonly #screen: Screen;
  readonly #listening: Disposable;
  /** Targets of results that are in the files: another window may forget them. */
  readonly #inFiles = new Set<string>();
  /** Results in the files that could not be read: they are not tried again. */
  readonly #unreadable: KeptResult[] = [];
  /** Ends when what was in the files has been read. */
  #synced: Promise<void> | undefined;
  /** Counts how often all were cleared. */
  #clears = 0;

  constructor(kept: KeptResults, log: LogOutputChannel, screen: Screen) {
    this.#kept = kept;
    this.#log = log;
    this.#screen = screen;
    this.#listening = on(kept.onDidChange, async () => this.#sync(), log);
  }

  /** Shows what is in the files, and from then on what other windows show; only the first call does anything. */
  async restore(): Promise<void> {
    this.#synced ??= this.#kept.watch().then(async () => this.#readFiles());
    return this.#synced;
  }

  has(target: string): boolean {
    return this.#inFiles.has(target);
  }

  /** Writes a result to the files. Where that is not possible the log says so, and only a reload misses it. */
  async keep(result: KeptResult): Promise<void> {
    if (await this.#kept.keep(result)) this.#inFiles.add(result.target);
  }

  /** Takes a target out of the files. */
  async forget(target: string): Promise<void> {
    this.#inFiles.delete(target);
    await this.#kept.forget(target);
  }

  /** Forgets these targets, and all that only the files know. What is in them is not taken over meanwhile. */
  async clear(targets: readonly string[]): Promise<void> {
    this.#clears++;
    await Promise.all([...new Set(targets)].map(async (target) => this.#screen.forget(target)));
    const left = (await this.#kept.read()).filter((one) => !this.#knows(one));
    for (const { target } of left) await this.#kept.forget(target);
  }

  /** This result cannot be read: it is not taken from the files again. */
  leave(result: KeptResult): void {
    this.#unreadable.push(result);
  }

  dispose(): void {
    this.#listening.dispose();
  }

  /** Takes over what another window has shown or forgotten, after what was to be taken over before. */
  async #sync(): Promise<void> {
    // Where it failed before, that is in the log already.
    this.#synced = this.#synced?.catch(() => undefined).then(async () => this.#readFiles());
    await this.#synced;
  }

  async #readFiles(): Promise<void> {
    const clears = this.#clears;
    const files = await this.#kept.read();
    const gone = [...this.#inFiles].filter((target) => !files.some((one) => one.target === target));
    for (const target of gone) await this.#screen.forget(target);
    for (const one of files) if (!this.#knows(one) && clears === this.#clears) await this.#take(one);
  }

  #knows({ target, shownAt }: KeptResult): boolean {
    const known = [...this.#screen.known(), ...this.#unreadable];
    return known.some((one) => one.target === target && one.shownAt >= shownAt);
  }

  /** Shows a result that is in the files. What cannot be read is left out, and the others are shown. */
  async #take(wanted: KeptResult): Promise<void> {
    this.#inFiles.add(wanted.target);
    const why = await this.#screen.take(wanted).catch(String);
    if (why === null) return;
    this.leave(wanted);
    this.#log.warn(`${wanted.recordings.join(', ')} is not shown again: ${why}`);
  }
}
