import { Uri, window } from 'vscode';
import { recordingPath } from '../../recordings/editor-folders.ts';
import { showResult } from '../run/show-result.ts';
import type { CommandHost } from './command-host.ts';

/** A `.cpuprofile`, or any file of a recording: then all of its folder. */
export async function openProfile(host: CommandHost, argument: unknown): Promise<void> {
  const uri = argument instanceof Uri ? argument : await chosen();
  if (uri !== undefined) await showResult(host.services, recordingPath(uri.fsPath));
}

/** Files alone: asked for both, Windows and Linux show a dialog that takes folders only. Any file names its recording. */
async function chosen(): Promise<Uri | undefined> {
  const uris = await window.showOpenDialog({
    title: 'Open a CPU profile or a recording',
    openLabel: 'Open',
    canSelectFiles: true,
    filters: { 'CPU profiles': ['cpuprofile', 'gz', 'json'], 'All files': ['*'] },
  });
  return uris?.[0];
}
