import * as vscode from 'vscode';
import { contextKeys } from '../../protocol/ids.ts';
import type { Summary } from '../../protocol/summary.ts';
import type { RunState } from '../../words/editor/ways.ts';
import { inLog, type Offer, labelsOf, offer, takeWay } from '../ui/failures.ts';

/** What came of a run where no result says it. */
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

  /** A run has ended, and its result is on screen. */
  get onDidShow(): vscode.Event<Summary> {
    return this.#shown.event;
  }

  /** Null where a result says it, and where nothing has run. */
  get state(): LastRunState | null {
    return this.#state;
  }

  /** The buttons that lead on. */
  get ways(): readonly string[] {
    return this.#state === null ? [] : labelsOf(this.#state);
  }

  /** Resolves when the person has answered. */
  async say(state: LastRunState): Promise<void> {
    this.#set(state);
    await offer(state, this.#log);
  }

  /** The result of the run is on screen. It may have been tried again. */
  show(summary: Summary): void {
    this.clear();
    this.#shown.fire(summary);
  }

  /** Takes one of the ways; without a label, asks which. */
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
