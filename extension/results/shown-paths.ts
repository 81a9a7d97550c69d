import { type Disposable, type Event, EventEmitter, type Memento, type Uri } from 'vscode';
import { annotationsEnabled } from '../ui/settings.ts';
import { isExcluded, toggled } from './excluded.ts';

const key = 'annotations.excluded';

/** Which files have their annotations: all, but for the files and folders that were switched off in this workspace. */
export class ShownPaths implements Disposable {
  readonly #state: Memento;
  readonly #changed = new EventEmitter<void>();

  constructor(state: Memento) {
    this.#state = state;
  }

  /** A file or folder was switched. */
  get onDidChange(): Event<void> {
    return this.#changed.event;
  }

  has({ path }: Uri): boolean {
    return annotationsEnabled() && !isExcluded(path, this.#state.get<readonly string[]>(key, []));
  }

  /** Nothing is written in the workspace itself. */
  async toggle({ path }: Uri): Promise<void> {
    await this.#state.update(key, toggled(path, this.#state.get<readonly string[]>(key, [])));
    this.#changed.fire();
  }

  dispose(): void {
    this.#changed.dispose();
  }
}
