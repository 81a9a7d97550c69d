import { mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { contextKeys } from '../../protocol/ids.ts';
import { writeWhole } from '../../recordings/private-files.ts';
import { recordingsRoot } from '../results/kept-results.ts';
import type { Services } from '../results/results.ts';
import { inLog } from '../ui/failures.ts';
import type { ShownComparison } from './shown-comparison.ts';

/** The comparison on screen, if any. A file in the extension's storage keeps it across reloads of the window. */
export class Comparisons implements vscode.Disposable {
  readonly #services: Services;
  /** Null without a workspace, because all such windows share one storage. */
  readonly #file: string | null;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  #shown: ShownComparison | null = null;
  /** The tree is loaded with the first comparison. */
  #view: Promise<vscode.Disposable> | undefined;

  constructor(context: vscode.ExtensionContext, services: Services) {
    this.#services = services;
    this.#file = context.storageUri === undefined ? null : path.join(recordingsRoot(context), 'comparison.json');
  }

  get shown(): ShownComparison | null {
    return this.#shown;
  }

  /** Shows what was shown before a reload of the window, if it can be read. */
  async restore(): Promise<void> {
    const kept = this.#file === null ? '' : await readFile(this.#file, 'utf8').catch(() => '');
    if (kept === '') return;
    const { parseShownComparison } = await import('./shown-comparison.ts');
    const shown = parseShownComparison(kept);
    if (this.#shown === null && shown !== null) await this.#replace(shown);
  }

  /** If it cannot be kept, a reload does not show it. */
  async show(shown: ShownComparison): Promise<void> {
    await this.#replace(shown);
    const file = this.#file;
    if (file === null) return;
    await mkdir(path.dirname(file), { recursive: true })
      .then(async () => writeWhole(file, JSON.stringify(shown)))
      .catch(() => undefined);
  }

  async clear(): Promise<void> {
    await this.#replace(null);
    if (this.#file !== null) await rm(this.#file, { force: true });
  }

  dispose(): void {
    this.#changed.dispose();
    const disposed = this.#view?.then((view) => void view.dispose());
    if (disposed !== undefined) inLog(disposed, this.#services.log);
  }

  async #replace(shown: ShownComparison | null): Promise<void> {
    this.#shown = shown;
    if (shown !== null) {
      this.#view ??= this.#openView();
      await this.#view;
    }
    await vscode.commands.executeCommand('setContext', contextKeys.hasComparison, this.#shown !== null);
    this.#changed.fire();
  }

  async #openView(): Promise<vscode.Disposable> {
    const { activateComparisonView } = await import('./comparison-view.ts');
    return activateComparisonView(this);
  }
}
