import { ConfigurationTarget, type Uri, workspace } from 'vscode';
import { settings } from '../protocol/ids.ts';
import type { AnalysisOptions, DisplayOptions, Metric } from '../protocol/requests.ts';
import { type Microseconds, milliseconds } from '../protocol/units.ts';

/** Reads the settings of package.json, and writes the few that commands change. */
export function analysisOptions(): AnalysisOptions {
  return { thresholdUs: thresholdUs(), testPatterns: read<readonly string[]>(settings.testPatterns, []) };
}

export function displayOptions(): DisplayOptions {
  return { metric: read<Metric>(settings.metric, 'worst'), codeLens: read(settings.codeLens, true) };
}

export function annotationsEnabled(): boolean {
  return read(settings.annotations, true);
}

/** Paths inside the file's workspace folder, of files and folders without annotations. */
export function excludedPaths(uri: Uri): readonly string[] {
  return read<readonly string[]>(settings.annotationsExclude, [], uri);
}

export function recorderOptions(): { readonly intervalUs: number; readonly nodePath: string; readonly keep: number } {
  return {
    intervalUs: read(settings.interval, 1000),
    nodePath: read(settings.nodePath, ''),
    keep: read(settings.recordingsKeep, 2),
  };
}

/** Writes where the setting already is, else for this workspace, else for the person. */
export async function writeSetting(name: string, value: unknown, uri?: Uri): Promise<void> {
  const inspected = workspace.getConfiguration(undefined, uri).inspect(name);
  const hasFolder = workspace.workspaceFolders !== undefined;
  const isGlobal = !hasFolder || (inspected?.globalValue !== undefined && inspected.workspaceValue === undefined);
  await workspace
    .getConfiguration(undefined, uri)
    .update(name, value, isGlobal ? ConfigurationTarget.Global : ConfigurationTarget.Workspace);
}

function thresholdUs(): Microseconds {
  return milliseconds(read(settings.threshold, 10));
}

function read<Value>(name: string, fallback: Value, uri?: Uri): Value {
  return workspace.getConfiguration(undefined, uri).get<Value>(name, fallback);
}
