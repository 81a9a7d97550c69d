import * as vscode from 'vscode';
import { messageOf } from '../../words/editor/notifications.ts';
import { type EmptyState, ways } from '../../words/editor/ways.ts';
import { escapeNotification } from '../../words/formats/escape-markdown.ts';

/** Registers a command. Its errors are shown once, with a button that opens the log. */
export function registerCommand(
  id: string,
  log: vscode.LogOutputChannel,
  command: (...args: readonly unknown[]) => Promise<void>,
): vscode.Disposable {
  return vscode.commands.registerCommand(id, async (...args: readonly unknown[]) => {
    try {
      await command(...args);
    } catch (error) {
      log.error(error instanceof Error ? error : String(error));
      await showFailure(messageOf(error), log);
    }
  });
}

/** Shows what went wrong: one sentence, a way out if there is one, and a button that opens the log. */
export async function showFailure(message: string, log: vscode.LogOutputChannel, way?: WayOut): Promise<void> {
  log.error(message);
  const showLog = 'Show Log';
  const buttons = [...(way === undefined ? [] : [way.label]), showLog];
  const choice = await vscode.window.showErrorMessage(escapeNotification(message), ...buttons);
  if (choice === showLog) log.show();
  else if (choice !== undefined) way?.run();
}

interface WayOut {
  readonly label: string;
  readonly run: () => void;
}

export type ErrorLog = Pick<vscode.LogOutputChannel, 'error'>;

/** Calls an asynchronous listener for each event, and logs its errors, which VS Code would drop. */
export function on<Told>(
  event: vscode.Event<Told>,
  listener: (told: Told) => Promise<unknown>,
  log: ErrorLog,
): vscode.Disposable {
  return event((told) => {
    inLog(listener(told), log);
  });
}

/** Logs the errors of work that is not awaited. */
export function inLog(work: Thenable<unknown>, log: ErrorLog): void {
  work.then(undefined, (error: unknown) => log.error(error instanceof Error ? error : String(error)));
}

export interface Offer extends EmptyState {
  readonly severity?: 'warning' | 'error';
  /** Absolute path of the file that *Profile File* is to profile. */
  readonly file?: string | null;
  readonly also?: { readonly label: string; readonly run: () => Promise<unknown> } | null;
}

/** Says that there is nothing to show, with buttons. Resolves after the person's answer. */
export async function offer(state: Offer, log: vscode.LogOutputChannel): Promise<void> {
  const { message, severity } = state;
  if (severity === 'error') log.error(message);
  else log.info(message);
  const choice = await asked(severity, escapeNotification(message), labelsOf(state));
  if (choice !== undefined) await takeWay(state, choice);
}

export function labelsOf({ ways: offered, also }: Offer): readonly string[] {
  return [...offered.map((way) => ways[way].label), ...(also ? [also.label] : [])];
}

export async function takeWay({ ways: offered, file, also }: Offer, label: string): Promise<void> {
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
