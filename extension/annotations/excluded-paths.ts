import { type Disposable, type Event, EventEmitter, type Memento, type Uri } from 'vscode';
import { isExcluded, toggled } from './excluded.ts';

const key = 'annotations.excluded';

/** Files and folders whose annotations are off; kept for the workspace, and nothing is written in it. */
export class ExcludedPaths implements Disposable {
  readonly #state: Memento;
  readonly #changed = new EventEmitter<void>();

  constructor(state: Memento) {
    this.#state = state;
  }

  get onDidChange(): Event<void> {
    return this.#changed.event;
  }

  has({ path }: Uri): boolean {
    return isExcluded(path, this.#state.get<readonly string[]>(key, []));
  }

  async toggle({ path }: Uri): Promise<void> {
    await this.#state.update(key, toggled(path, this.#state.get<readonly string[]>(key, [])));
    this.#changed.fire();
  }

  dispose(): void {
    this.#changed.dispose();
  }
}
