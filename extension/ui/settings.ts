import { ConfigurationTarget, workspace } from 'vscode';
import { settings } from '../../protocol/ids.ts';
import type { AnalysisOptions, DisplayOptions, Metric } from '../../protocol/requests.ts';
import { type Microseconds, milliseconds } from '../../protocol/units.ts';

/** Reads the settings of package.json, and writes the few that commands change. */
export function analysisOptions(): AnalysisOptions {
  return { thresholdUs: thresholdUs(), testPatterns: read<readonly string[]>(settings.testPatterns, []) };
}

export function displayOptions(): DisplayOptions {
  return {
    metric: read<Metric>(settings.metric, 'worst'),
    codeLens: read(settings.codeLens, true),
    loading: read(settings.loading, false),
  };
}

export function annotationsEnabled(): boolean {
  return read(settings.annotations, true);
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
