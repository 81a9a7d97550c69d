import { type Disposable, type LogOutputChannel, commands } from 'vscode';
import { messageOf } from '../../words/editor/message-of.ts';
import { showFailure } from './show-failure.ts';

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
