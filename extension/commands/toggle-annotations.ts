import { Uri, window, workspace } from 'vscode';
import { settings } from '../../protocol/ids.ts';
import { toggled } from '../annotations/excluded.ts';
import { annotationsEnabled, excludedPaths, writeSetting } from '../settings.ts';
import type { CommandHost } from './commands.ts';

export async function toggleAnnotations(): Promise<void> {
  await writeSetting(settings.annotations, !annotationsEnabled());
}

export async function toggleFileAnnotations(_: CommandHost, argument: unknown): Promise<void> {
  const uri = argument instanceof Uri ? argument : window.activeTextEditor?.document.uri;
  if (uri !== undefined) await toggle(uri);
}

/** The folder that was clicked, else that of the active file. */
export async function toggleFolderAnnotations(_: CommandHost, argument: unknown): Promise<void> {
  const file = window.activeTextEditor?.document.uri;
  const uri = argument instanceof Uri ? argument : file && Uri.joinPath(file, '..');
  if (uri !== undefined) await toggle(uri);
}

async function toggle(uri: Uri): Promise<void> {
  await writeSetting(
    settings.annotationsExclude,
    toggled(workspace.asRelativePath(uri, false), excludedPaths(uri)),
    uri,
  );
}
