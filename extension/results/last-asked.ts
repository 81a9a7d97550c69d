import { type CancellationToken, CancellationTokenSource, type Disposable } from 'vscode';

/** Of several things that take a while the last one asked for counts: the next one cancels it, and so does disposing. */
export class LastAsked implements Disposable {
  #source = new CancellationTokenSource();

  /** Of what is asked for now; whatever came before is cancelled. */
  next(): CancellationToken {
    this.dispose();
    this.#source = new CancellationTokenSource();
    return this.#source.token;
  }

  dispose(): void {
    this.#source.cancel();
    this.#source.dispose();
  }
}
