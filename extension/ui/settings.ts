import { ConfigurationTarget, workspace } from 'vscode';
import { type OpenFolder, type PathRules, readPathRules } from './path-rules.ts';
import { settings } from '../../protocol/ids.ts';
import type { AnalysisOptions, DisplayOptions, Metric } from '../../protocol/requests.ts';
import { type Microseconds, milliseconds } from '../../protocol/units.ts';

/** Reads the settings of package.json, and writes the few that commands change. */
export function analysisOptions(): AnalysisOptions {
  return {
    thresholdUs: thresholdUs(),
    testPatterns: read<readonly string[]>(settings.testPatterns, []),
    pathRules: pathRules().rules,
  };
}

/** Where files that were recorded elsewhere are here. */
export function pathRules(): PathRules {
  return readPathRules(read<unknown>(settings.pathMappings, {}), openFolders());
}

/** The folders that are open, of those on a disk. */
export function openFolders(): readonly OpenFolder[] {
  const onDisk = (workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  return onDisk.map(({ name, uri }) => ({ name, path: uri.fsPath }));
}

/** The threshold as an option of the command line, which so judges what the editor shows. */
export function thresholdArgument(): string {
  return `--threshold=${thresholdUs()}us`;
}

export function displayOptions(): DisplayOptions {
  return {
    metric: read<Metric>(settings.metric, 'worst'),
    codeLens: read(settings.codeLens, true),
    loading: read(settings.loading, false),
    diagnosticsUs: diagnosticsUs(),
  };
}

/** Null where the person wants no diagnostics: so it is by default, and by 0. */
function diagnosticsUs(): Microseconds | null {
  const ms = read<unknown>(settings.diagnosticsThreshold, null);
  return typeof ms === 'number' && ms > 0 ? milliseconds(ms) : null;
}

export function annotationsEnabled(): boolean {
  return read(settings.annotations, true);
}

/** Whether there are lenses over tests that profile them. */
export function hasTestLenses(): boolean {
  return read(settings.testLenses, false);
}

export interface RecorderOptions {
  readonly intervalUs: number;
  readonly nodePath: string;
  /** How many recordings are kept of each target. */
  readonly keep: number;
  /** Limit of one recording, in MB; 0: no limit. */
  readonly maxSize: number;
  /** Limit of all recordings of the workspace together, in MB; 0: no limit. */
  readonly totalSize: number;
  /** True where each profile is followed by a run that records V8's tiers. */
  readonly alwaysTiers: boolean;
}

export function recorderOptions(): RecorderOptions {
  return {
    intervalUs: read(settings.interval, 1000),
    nodePath: read(settings.nodePath, ''),
    keep: read(settings.recordingsKeep, 2),
    maxSize: read(settings.recordingsMaxSize, 2000),
    totalSize: read(settings.recordingsTotalSize, 5000),
    alwaysTiers: read<string>(settings.tiersRecord, 'onDemand') === 'always',
  };
}

/** Writes the setting where it already is, else in the user's settings: nothing is added to the project. */
export async function writeSetting(name: string, value: unknown): Promise<void> {
  const isWorkspace = workspace.getConfiguration().inspect(name)?.workspaceValue !== undefined;
  const target = isWorkspace ? ConfigurationTarget.Workspace : ConfigurationTarget.Global;
  await workspace.getConfiguration().update(name, value, target);
}

function thresholdUs(): Microseconds {
  return milliseconds(read(settings.threshold, 10));
}

function read<Value>(name: string, fallback: Value): Value {
  return workspace.getConfiguration().get<Value>(name, fallback);
}
