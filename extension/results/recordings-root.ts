import type { ExtensionContext } from 'vscode';
import type { Target } from '../../recorder/launch/scripts/target.ts';
import { newRecordingFolder } from '../../recordings/editor-folders.ts';

/**
 * A fresh folder for a run of this target, in the extension's storage of the workspace. Recordings of tiers are apart: a
 * new one does not take the place of the profile on screen.
 */
export function newFolderFor(
  context: ExtensionContext,
  { folder, id, command }: Pick<Target, 'folder' | 'id' | 'command'>,
  kind: 'profile' | 'tiers',
): string {
  const name = kind === 'tiers' ? `tiers ${command.join(' ')}` : id;
  return newRecordingFolder(recordingsRoot(context), `${folder} ${name}`, new Date());
}

/** Where all recordings of the workspace lie. */
export function recordingsRoot({ storageUri, globalStorageUri }: ExtensionContext): string {
  return (storageUri ?? globalStorageUri).fsPath;
}
