import { type Disposable, type LogOutputChannel, type Event, commands, window } from 'vscode';
import { escapeNotification } from '../../words/formats/escape-markdown.ts';
import { messageOf } from '../../words/editor/notifications.ts';

/** The one way to register a command. An error that it throws is shown once, with a button that opens the log. */
export function registerCommand(
  id: string,
  log: LogOutputChannel,
  command: (...args: readonly unknown[]) => Promise<void>,
): Disposable {
  return commands.registerCommand(id, async (...args: readonly unknown[]) => {
    try {
      await command(...args);
    } catch (error) {
      log.error(error instanceof Error ? error : String(error));
      await showFailure(messageOf(error), log);
    }
  });
}

/**
 * The one place that tells the person what went wrong: one sentence, and a button that opens the log. Before it comes
 * one with a way out, if there is one.
 */
export async function showFailure(message: string, log: LogOutputChannel, way?: WayOut): Promise<void> {
  log.error(message);
  const showLog = 'Show Log';
  const buttons = [...(way === undefined ? [] : [way.label]), showLog];
  const choice = await window.showErrorMessage(escapeNotification(message), ...buttons);
  if (choice === showLog) log.show();
  else if (choice !== undefined) way?.run();
}

interface WayOut {
  /** The button's text. */
  readonly label: string;
  readonly run: () => void;
}

/** The part of the log that failures are written to. */
export type ErrorLog = Pick<LogOutputChannel, 'error'>;

/** Calls an asynchronous listener for each event. VS Code would drop its errors, so they are written to the log. */
export function on<Told>(event: Event<Told>, listener: (told: Told) => Promise<unknown>, log: ErrorLog): Disposable {
  return event((told) => {
    inLog(listener(told), log);
  });
}

/** For work that nobody waits for: writes its errors to the log. */
export function inLog(work: Thenable<unknown>, log: ErrorLog): void {
  work.then(undefined, (error: unknown) => log.error(error instanceof Error ? error : String(error)));
}
