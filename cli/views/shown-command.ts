import { redactArguments } from '../../recorder/command-lines/redact.ts';
import { commandText } from '../../words/formats/command-text.ts';

/** A command as it is printed, in a terminal or in a log that others read: without what looks like a secret. */
export function shownCommand(command: readonly string[]): string {
  return commandText(redactArguments(command));
}
