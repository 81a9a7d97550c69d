import { Uri, window } from 'vscode';
import { activeFile } from '../ui/active-file.ts';
import { settings } from '../../protocol/ids.ts';
import { annotationsEnabled, writeSetting, displayOptions, analysisOptions } from '../ui/settings.ts';
import { toMilliseconds } from '../../protocol/units.ts';
import type { CommandHost } from './command-arguments.ts';

export async function toggleAnnotations(): Promise<void> {
  await writeSetting(settings.annotations, !annotationsEnabled());
}

export async function toggleFileAnnotations({ services }: CommandHost, argument: unknown): Promise<void> {
  const uri = argument instanceof Uri ? argument : activeFile();
  if (uri !== undefined) await services.shown.toggle(uri);
}

/** Switches the annotations of the folder that was clicked, else of the active file's folder. */
export async function toggleFolderAnnotations({ services }: CommandHost, argument: unknown): Promise<void> {
  const file = activeFile();
  const uri = argument instanceof Uri ? argument : file && Uri.joinPath(file, '..');
  if (uri !== undefined) await services.shown.toggle(uri);
}

/** Switches between the longest operation and the total time. */
export async function toggleMetric(): Promise<void> {
  await writeSetting(settings.metric, displayOptions().metric === 'worst' ? 'total' : 'worst');
}

/** Offers lower thresholds. The first of them shows something. */
export async function lowerThreshold({ services }: CommandHost): Promise<void> {
  const now = toMilliseconds(analysisOptions().thresholdUs);
  const longest = services.results.all.flatMap(({ summary }) => summary.longest ?? []);
  const most = longest.reduce<number | null>((found, { us }) => Math.max(found ?? 0, toMilliseconds(us)), null);
  const values = lowerThresholds(now, most);
  const items = values.map((value) => ({ label: `${value} ms`, value }));
  const choice = await window.showQuickPick(items, {
    placeHolder: `Show what blocks for more than … (now ${now} ms)`,
  });
  if (choice !== undefined) await writeSetting(settings.threshold, choice.value);
}

const steps = [50, 20, 10, 5, 2, 1, 0.5, 0.2, 0.1] as const;

/**
 * At most four thresholds below the current one, in ms. Those that are not below the longest time are left out, unless
 * all are: they would show nothing again.
 */
export function lowerThresholds(now: number, longest: number | null): readonly number[] {
  const lower = steps.filter((step) => step < now);
  const useful = lower.filter((step) => longest === null || step < longest);
  return (useful.length > 0 ? useful : lower).slice(0, 4);
}
