import { Uri, window } from 'vscode';
import { settings } from '../../protocol/ids.ts';
import { annotationsEnabled, writeSetting, displayOptions } from '../ui/settings.ts';
import type { CommandHost } from './command-host.ts';

export async function toggleAnnotations(): Promise<void> {
  await writeSetting(settings.annotations, !annotationsEnabled());
}

export async function toggleFileAnnotations({ services }: CommandHost, argument: unknown): Promise<void> {
  const uri = argument instanceof Uri ? argument : window.activeTextEditor?.document.uri;
  if (uri !== undefined) await services.shown.toggle(uri);
}

/** The folder that was clicked, else that of the active file. */
export async function toggleFolderAnnotations({ services }: CommandHost, argument: unknown): Promise<void> {
  const file = window.activeTextEditor?.document.uri;
  const uri = argument instanceof Uri ? argument : file && Uri.joinPath(file, '..');
  if (uri !== undefined) await services.shown.toggle(uri);
}

/** Between the longest time in one go and all the time together. */
export async function toggleMetric(): Promise<void> {
  await writeSetting(settings.metric, displayOptions().metric === 'worst' ? 'total' : 'worst');
}
