import { type CancellationToken, CancellationTokenSource, type Disposable } from 'vscode';

/** What a page asked for last, of each kind: a new question cancels the one before, whose answer nobody would see. */
export class LastAsked implements Disposable {
  readonly #asked = new Map<string, CancellationTokenSource>();

  next(kind: string): CancellationToken {
    this.#asked.get(kind)?.cancel();
    const source = new CancellationTokenSource();
    this.#asked.set(kind, source);
    return source.token;
  }

  dispose(): void {
    for (const source of this.#asked.values()) source.cancel();
    this.#asked.clear();
  }
}
