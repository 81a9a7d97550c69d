import type { ExtensionContext } from 'vscode';
import type { Target } from '../../recorder/launch/target.ts';
import { newRecordingFolder } from './recording-folders.ts';

/** A fresh folder for a run of this target, in the extension's storage of the workspace. */
export function newFolderFor(context: ExtensionContext, target: Target): string {
  return newRecordingFolder(recordingsRoot(context), `${target.folder} ${target.id}`, new Date());
}

/** Where all recordings of the workspace lie. */
export function recordingsRoot({ storageUri, globalStorageUri }: ExtensionContext): string {
  return (storageUri ?? globalStorageUri).fsPath;
}
