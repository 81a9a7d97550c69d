import { Uri, commands as registry } from 'vscode';
import { commands } from '../../protocol/ids.ts';

/**
 * What can be profiled where tests cannot, or were not seen: the labels of buttons, and what each does. `file` is an
 * absolute path; null: the file that is open then.
 */
export function otherWays(file: string | null): ReadonlyMap<string, () => Thenable<unknown>> {
  const profileFile = (): Thenable<unknown> =>
    registry.executeCommand(commands.profileFile, ...(file === null ? [] : [Uri.file(file)]));
  return new Map([
    ['Profile File', profileFile],
    ['Profile npm Script', () => registry.executeCommand(commands.profileScript)],
  ]);
}
