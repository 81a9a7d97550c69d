import * as vscode from 'vscode';
import { contextKeys } from '../../protocol/ids.ts';
import type { Summary } from '../../protocol/summary.ts';
import { type EmptyState, type RunState, ways } from '../../words/editor/ways.ts';
import { escapeNotification } from '../../words/formats/foreign-text.ts';
import { inLog } from '../ui/failures.ts';

export interface LastRunState extends Offer, RunState {
  readonly severity: 'warning' | 'error';
}

/** Why the last run has no result. View and status bar say it until the next run or *Clear*. */
export class LastRun implements vscode.Disposable {
  readonly #log: vscode.LogOutputChannel;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  readonly #shown = new vscode.EventEmitter<Summary>();
  /** A run has ended, and its result is shown. */
  readonly onDidShow = this.#shown.event;
  #state: LastRunState | null = null;

  constructor(log: vscode.LogOutputChannel) {
    this.#log = log;
  }

  /** Null where the last run has a result, and before the first run. */
  get state(): LastRunState | null {
    return this.#state;
  }

  get ways(): readonly string[] {
    return this.#state === null ? [] : labelsOf(this.#state);
  }

  say(state: LastRunState): void {
    this.#set(state);
    offer(state, this.#log);
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
    else offer(this.#state, this.#log);
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

interface Offer extends EmptyState {
  readonly severity?: 'warning' | 'error';
  /** Absolute path of the file that *Profile File* is to profile. */
  readonly file?: string | null;
  readonly also?: { readonly label: string; readonly run: () => Promise<unknown> } | null;
}

/** Says that there is nothing to show, with buttons. Nothing waits until the person has answered. */
export function offer(state: Offer, log: vscode.LogOutputChannel): void {
  const { message, severity } = state;
  if (severity === 'error') log.error(message);
  else log.info(message);
  inLog(ask(state), log);
}

async function ask(state: Offer): Promise<void> {
  const { message, severity } = state;
  const choice = await asked(severity, escapeNotification(message), labelsOf(state));
  if (choice !== undefined) await takeWay(state, choice);
}

function labelsOf({ ways: offered, also }: Offer): readonly string[] {
  return [...offered.map((way) => ways[way].label), ...(also ? [also.label] : [])];
}

async function takeWay({ ways: offered, file, also }: Offer, label: string): Promise<void> {
  const way = offered.find((one) => ways[one].label === label);
  if (way === undefined) await also?.run();
  else
    await vscode.commands.executeCommand(
      ways[way].command,
      ...(way === 'profileFile' && typeof file === 'string' ? [vscode.Uri.file(file)] : []),
    );
}

function asked(severity: Offer['severity'], text: string, labels: readonly string[]): Thenable<string | undefined> {
  switch (severity) {
    case 'error':
      return vscode.window.showErrorMessage(text, ...labels);
    case 'warning':
      return vscode.window.showWarningMessage(text, ...labels);
    case undefined:
      return vscode.window.showInformationMessage(text, ...labels);
  }
}
