import type { ExtensionContext } from 'vscode';
import type { Target } from '../../recorder/launch/target.ts';
import { newRecordingFolder } from './recording-folders.ts';

/** A fresh folder for a run of this target, in the extension's storage of the workspace. */
export function newFolderFor({ storageUri, globalStorageUri }: ExtensionContext, target: Target): string {
  return newRecordingFolder((storageUri ?? globalStorageUri).fsPath, `${target.folder} ${target.id}`, new Date());
}
