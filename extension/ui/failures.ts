import { type Disposable, type LogOutputChannel, type Event, commands, window } from 'vscode';
import { messageOf } from '../../words/editor/message-of.ts';
import { escapeNotification } from '../../words/formats/escape-markdown.ts';

/** The one way to register a command: what it throws is said once, with the way to the log. */
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

/** The one place where something that went wrong is said: a sentence, and the way to the log. */
export async function showFailure(message: string, log: LogOutputChannel): Promise<void> {
  log.error(message);
  const showLog = 'Show Log';
  if ((await window.showErrorMessage(escapeNotification(message), showLog)) === showLog) log.show();
}

/** What a failure that nobody waits for needs. */
export type ErrorLog = Pick<LogOutputChannel, 'error'>;

/** Listens with a function that takes a while; VS Code would drop what goes wrong in it, so it goes into the log. */
export function on<Told>(event: Event<Told>, listener: (told: Told) => Promise<unknown>, log: ErrorLog): Disposable {
  return event((told) => {
    inLog(listener(told), log);
  });
}

/** Work that nobody waits for: what goes wrong in it goes into the log. */
export function inLog(work: Thenable<unknown>, log: ErrorLog): void {
  work.then(undefined, (error: unknown) => log.error(error instanceof Error ? error : String(error)));
}
