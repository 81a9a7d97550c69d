import { access, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ExtensionContext } from 'vscode';
import { targetFolderOf } from '../../recordings/recording-folders.ts';

/**
 * Which recording this workspace shows, over reloads of the window. In a file of the extension's storage: the state that
 * VS Code keeps is written only every 5 s in a browser, and lost when the window is reloaded before.
 */
export class LastRecording {
  /** Where the editor's own recordings lie, each in the folder of its target. */
  readonly #root: string;
  /** Null without a workspace, whose windows all share one storage. */
  readonly #file: string | null;

  constructor(context: ExtensionContext) {
    this.#root = recordingsRoot(context);
    this.#file = context.storageUri === undefined ? null : path.join(this.#root, 'last-recording');
  }

  /** Null where there is none, or where it has been deleted. */
  async read(): Promise<string | null> {
    if (this.#file === null) return null;
    const recording = await readFile(this.#file, 'utf8').catch(() => '');
    return access(recording).then(
      () => recording,
      () => null,
    );
  }

  /** Where that fails a reload shows nothing, and all else is as before. */
  async remember(recording: string): Promise<void> {
    const file = this.#file;
    if (file === null) return;
    await mkdir(this.#root, { recursive: true })
      .then(() => writeFile(file, recording))
      .catch(() => undefined);
  }

  async forget(): Promise<void> {
    if (this.#file !== null) await rm(this.#file, { force: true });
  }

  /** The same for each run of a target; null for a recording that is not the editor's own. */
  targetOf(recording: string): string | null {
    return targetFolderOf(this.#root, recording);
  }
}

/** Where all recordings of the workspace lie. */
export function recordingsRoot({ storageUri, globalStorageUri }: ExtensionContext): string {
  return (storageUri ?? globalStorageUri).fsPath;
}
