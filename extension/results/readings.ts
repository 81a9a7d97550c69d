import { type CancellationToken, CancellationTokenSource, type Disposable } from 'vscode';
import type { KeptResult } from './kept-results.ts';

/** What is being read, or was last asked for, of each target: only what was asked for last counts. */
export class Readings implements Disposable {
  readonly #last = new Map<string, { readonly source: CancellationTokenSource; readonly wanted: KeptResult | null }>();

  /** What is being read now. */
  get wanted(): readonly KeptResult[] {
    return [...this.#last.values()].flatMap(({ wanted }) => wanted ?? []);
  }

  /** The token for what is asked for now: null for nothing of this target. Everything of it before is cancelled. */
  next(target: string, wanted: KeptResult | null): CancellationToken {
    this.#cancel(target);
    const source = new CancellationTokenSource();
    this.#last.set(target, { source, wanted });
    return source.token;
  }

  /** It has been read. It is still what was asked for last. */
  done(target: string, token: CancellationToken): void {
    const last = this.#last.get(target);
    if (last?.source.token === token) this.#last.set(target, { source: last.source, wanted: null });
  }

  dispose(): void {
    for (const target of this.#last.keys()) this.#cancel(target);
  }

  #cancel(target: string): void {
    const last = this.#last.get(target);
    last?.source.cancel();
    last?.source.dispose();
  }
}
