import { access, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ExtensionContext } from 'vscode';
import { targetFolderOf } from '../../recordings/recording-folders.ts';

/**
 * Which recording this workspace shows, across reloads of the window. It is kept in a file of the extension's storage,
 * because VS Code in a browser writes its own state only every 5 s, and loses it when the window is reloaded before.
 */
export class LastRecording {
  /** Where the editor's own recordings lie, each in the folder of its target. */
  readonly #root: string;
  /** Null without a workspace: all such windows share one storage. */
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

  /** Where this fails, a reload shows nothing, and everything else works as before. */
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

  /**
   * Names the target of a recording, the same for each run of it; null for a recording that is not the editor's own.
   */
  targetOf(recording: string): string | null {
    return targetFolderOf(this.#root, recording);
  }
}

/** Where all recordings of the workspace lie. */
export function recordingsRoot({ storageUri, globalStorageUri }: ExtensionContext): string {
  return (storageUri ?? globalStorageUri).fsPath;
}
