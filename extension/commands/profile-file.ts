import { Uri, l10n, window } from 'vscode';
import { canRun } from '../run/can-run.ts';
import { targetOfFile } from '../run/targets.ts';
import { showFailure } from '../show-failure.ts';
import type { CommandHost } from './commands.ts';

/** The tests of a test file, with its runner; any other file by itself. From the Test Explorer: all tests of the test's file. */
export async function profileFile({ services, runs }: CommandHost, argument: unknown): Promise<void> {
  if (!(await canRun(services))) return;
  const file = fileOf(argument) ?? window.activeTextEditor?.document.uri;
  if (file?.scheme !== 'file')
    return showFailure(l10n.t('Open the file that you want to profile first.'), services.log);
  const found = await targetOfFile(file);
  if (found.type === 'none') return showFailure(found.message, services.log);
  return runs.start(found.target);
}

/** Of an editor's title a uri, of the Test Explorer one of its items. Undefined where it was neither. */
function fileOf(argument: unknown): Uri | undefined {
  if (argument instanceof Uri) return argument;
  if (typeof argument !== 'object' || argument === null) return undefined;
  const { uri }: { readonly uri?: unknown } = argument;
  return uri instanceof Uri ? uri : undefined;
}
