import { access } from 'node:fs/promises';
import path from 'node:path';
import type { ExtensionContext, Memento } from 'vscode';
import { recordingsRoot } from './run/recordings-root.ts';

const key = 'results.last';

/** Which recording this workspace shows, over reloads of the window. */
export class LastRecording {
  readonly #state: Memento;
  /** Where the editor's own recordings lie, each in the folder of its target. */
  readonly #root: string;

  constructor(context: ExtensionContext) {
    this.#state = context.workspaceState;
    this.#root = recordingsRoot(context);
  }

  /** Undefined where there is none, or where it has been deleted. */
  async read(): Promise<string | undefined> {
    const kept = this.#state.get<unknown>(key);
    if (typeof kept !== 'string') return undefined;
    return access(kept).then(
      () => kept,
      () => undefined,
    );
  }

  async remember(recording: string | undefined): Promise<void> {
    await this.#state.update(key, recording);
  }

  /** The same for each run of a target; null for a recording that is not the editor's own. */
  targetOf(recording: string): string | null {
    const target = path.dirname(recording);
    return path.dirname(target) === this.#root ? target : null;
  }
}
