import { type Disposable, type Event, EventEmitter, type Memento, type Uri } from 'vscode';
import { annotationsEnabled } from '../ui/settings.ts';

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

/** Whether a file has its annotations off: it, or a folder above it, is in the list. Paths with `/`. */
export function isExcluded(file: string, excluded: readonly string[]): boolean {
  return excluded.some(
    (entry) => entry === '' || entry === '.' || file === entry || file.startsWith(`${withoutSlash(entry)}/`),
  );
}

/** The list after the person has switched one file or folder. */
export function toggled(entry: string, excluded: readonly string[]): readonly string[] {
  const others = excluded.filter((other) => withoutSlash(other) !== withoutSlash(entry));
  return others.length < excluded.length ? others : [...excluded, entry];
}

function withoutSlash(entry: string): string {
  return entry.endsWith('/') ? entry.slice(0, -1) : entry;
}
