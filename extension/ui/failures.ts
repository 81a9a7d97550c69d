import * as vscode from 'vscode';
import { shownMessage } from '../../words/editor/notifications.ts';
import { escapeNotification } from '../../words/formats/foreign-text.ts';

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
      showFailure(shownMessage(error), log);
    }
  });
}

/**
 * Shows what went wrong: one sentence, a way out if there is one, and a button that opens the log. Nothing waits until the
 * person has answered, which may be never: another extension or a list of commands may wait for the command that failed.
 */
export function showFailure(message: string, log: vscode.LogOutputChannel, way?: WayOut): void {
  log.error(message);
  inLog(offerLog(message, log, way), log);
}

async function offerLog(message: string, log: vscode.LogOutputChannel, way: WayOut | undefined): Promise<void> {
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
export function on<Value>(
  event: vscode.Event<Value>,
  listener: (value: Value) => Promise<unknown>,
  log: ErrorLog,
): vscode.Disposable {
  return event((value) => {
    inLog(listener(value), log);
  });
}

/** Logs the errors of work that is not awaited. */
export function inLog(work: Thenable<unknown>, log: ErrorLog): void {
  work.then(undefined, (error: unknown) => log.error(error instanceof Error ? error : String(error)));
}
