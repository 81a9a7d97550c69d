import * as vscode from 'vscode';
import { contextKeys } from '../../protocol/ids.ts';
import type { Summary } from '../../protocol/summary.ts';
import type { RunState } from '../../words/editor/ways.ts';
import { inLog, type Offer, labelsOf, offer, takeWay } from '../ui/failures.ts';

export interface LastRunState extends Offer, RunState {
  readonly severity: 'warning' | 'error';
}

/**
 * Why the last run has no result. A notification says it once; view and status bar say it until the next run or
 * *Clear*.
 */
export class LastRun implements vscode.Disposable {
  readonly #log: vscode.LogOutputChannel;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #shown = new vscode.EventEmitter<Summary>();
  #state: LastRunState | null = null;

  constructor(log: vscode.LogOutputChannel) {
    this.#log = log;
  }

  get onDidChange(): vscode.Event<void> {
    return this.#changed.event;
  }

  /** A run has ended, and its result is shown. */
  get onDidShow(): vscode.Event<Summary> {
    return this.#shown.event;
  }

  /** Null where the last run has a result, and before the first run. */
  get state(): LastRunState | null {
    return this.#state;
  }

  get ways(): readonly string[] {
    return this.#state === null ? [] : labelsOf(this.#state);
  }

  /** Resolves when the person has answered. */
  async say(state: LastRunState): Promise<void> {
    this.#set(state);
    await offer(state, this.#log);
  }

  /** The result of the run is shown, maybe after another try. */
  show(summary: Summary): void {
    this.clear();
    this.#shown.fire(summary);
  }

  /** Takes one of the ways out; asks which, without a label. */
  async goOn(label: unknown): Promise<void> {
    if (this.#state === null) return;
    if (typeof label === 'string') await takeWay(this.#state, label);
    else await offer(this.#state, this.#log);
  }

  clear(): void {
    if (this.#state !== null) this.#set(null);
  }

  dispose(): void {
    this.#changed.dispose();
    this.#shown.dispose();
  }

  #set(state: LastRunState | null): void {
    this.#state = state;
    inLog(vscode.commands.executeCommand('setContext', contextKeys.hasLastRun, state !== null), this.#log);
    this.#changed.fire();
  }
}
