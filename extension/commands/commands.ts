import { commands, internalCommands, settings } from '../../protocol/ids.ts';
import {
  explain,
  undoChange,
  forgetResult,
  goToFinding,
  goToHotspot,
  openDiffFlamegraph,
  openFlamegraph,
  openFunction,
  openWorst,
  openOperation,
  openCulprit,
  openHotspot,
  openSource,
  takeAway,
  openRemedy,
} from './go-to.ts';
import {
  attachToProcess,
  profileDebugSession,
  profileScript,
  profileTests,
  profileAgain,
  recordTiers,
  profileFile,
  profileTest,
  profileApp,
} from './profile.ts';
import { moreActions } from './more-actions.ts';
import { openRecording, openProfile } from './open-recording.ts';
import {
  compareOnceMore,
  compareWithOther,
  copyShownComparison,
  keepAsBaseline,
  makeSureOf,
  openComparedFunction,
  openComparisonFlamegraph,
  recheckFunction,
  recheckTest,
  setBaselineHere,
  stopRecheckOf,
} from './verify.ts';
import { activeFile } from '../ui/active-file.ts';
import { annotationsEnabled, writeSetting, displayOptions, analysisOptions } from '../ui/settings.ts';
import { toMilliseconds } from '../../protocol/units.ts';
import type { CommandHost } from './command-arguments.ts';
import * as vscode from 'vscode';

type Command = (host: CommandHost, ...args: readonly unknown[]) => Promise<void>;

/** Loaded with the first command that runs. */
export const table: Readonly<Record<string, Command>> = {
  [commands.profileTests]: profileTests,
  [commands.profileFile]: profileFile,
  [commands.profileScript]: profileScript,
  [commands.profileApp]: profileApp,
  [commands.attachToProcess]: attachToProcess,
  [commands.profileDebugSession]: profileDebugSession,
  [commands.profileAgain]: profileAgain,
  [commands.recordTiers]: recordTiers,
  [commands.setBaseline]: setBaselineHere,
  [commands.compareWith]: compareWithOther,
  [commands.compareAgain]: compareOnceMore,
  [commands.openComparisonFlamegraph]: openComparisonFlamegraph,
  [commands.copyComparison]: copyShownComparison,
  [commands.clearComparison]: async ({ comparisons }) => comparisons.clear(),
  [commands.openProfile]: openProfile,
  [commands.openRecording]: openRecording,
  [commands.openFlamegraph]: openFlamegraph,
  [commands.copyFlamegraph]: async (host) => takeAway(host, 'markdown'),
  [commands.saveFlamegraphSvg]: async (host) => takeAway(host, 'svg'),
  [commands.saveFlamegraphPng]: async (host) => takeAway(host, 'png'),
  [commands.nextHotspot]: (host) => goToHotspot(host, 'next'),
  [commands.previousHotspot]: (host) => goToHotspot(host, 'previous'),
  [commands.toggleAnnotations]: toggleAnnotations,
  [commands.toggleFileAnnotations]: toggleFileAnnotations,
  [commands.toggleFolderAnnotations]: toggleFolderAnnotations,
  [commands.clear]: async ({ services: { lastRun, results } }) => {
    lastRun.clear();
    await results.clear();
  },
  [commands.forgetResult]: forgetResult,
  [commands.recheck]: recheckFunction,
  [commands.openWorst]: openWorst,
  [commands.explain]: explain,
  [commands.nextFinding]: goToFinding,
  [commands.showLog]: async ({ services }) => services.log.show(),
  [commands.lowerThreshold]: lowerThreshold,
  [commands.toggleMetric]: toggleMetric,
  [internalCommands.openFunction]: openFunction,
  [internalCommands.openDiffFlamegraph]: openDiffFlamegraph,
  [internalCommands.openOperation]: openOperation,
  [internalCommands.openCulprit]: openCulprit,
  [internalCommands.openHotspot]: openHotspot,
  [internalCommands.makeSure]: makeSureOf,
  [internalCommands.openSource]: openSource,
  [internalCommands.openRemedy]: openRemedy,
  [internalCommands.chooseFolder]: async ({ services }, file) => {
    const { chooseFolderOf } = await import('../run/ask-elsewhere.ts');
    if (typeof file === 'string') await chooseFolderOf(file, services.log);
  },
  [internalCommands.moreActions]: moreActions,
  [internalCommands.openCompared]: openComparedFunction,
  [internalCommands.stopRecheck]: stopRecheckOf,
  [internalCommands.undoChange]: undoChange,
  [internalCommands.keepAsBaseline]: keepAsBaseline,
  [internalCommands.recheckTest]: recheckTest,
  [internalCommands.profileTest]: profileTest,
  [internalCommands.profileResult]: profileAgain,
  [internalCommands.goOnFromLastRun]: async ({ services }, label) => services.lastRun.goOn(label),
};

export async function toggleAnnotations(): Promise<void> {
  await writeSetting(settings.annotations, !annotationsEnabled());
}

export async function toggleFileAnnotations({ services }: CommandHost, argument: unknown): Promise<void> {
  const uri = argument instanceof vscode.Uri ? argument : activeFile();
  if (uri !== undefined) await services.shown.toggle(uri);
}

export async function toggleFolderAnnotations({ services }: CommandHost, argument: unknown): Promise<void> {
  const file = activeFile();
  const uri = argument instanceof vscode.Uri ? argument : file && vscode.Uri.joinPath(file, '..');
  if (uri !== undefined) await services.shown.toggle(uri);
}

export async function toggleMetric(): Promise<void> {
  await writeSetting(settings.metric, displayOptions().metric === 'worst' ? 'total' : 'worst');
}

/** Offers lower thresholds, the first of which shows something. */
export async function lowerThreshold({ services }: CommandHost): Promise<void> {
  const now = toMilliseconds(analysisOptions().thresholdUs);
  const longest = services.results.all.flatMap(({ summary }) => summary.longest ?? []);
  const most = longest.reduce<number | null>((found, { us }) => Math.max(found ?? 0, toMilliseconds(us)), null);
  const values = lowerThresholds(now, most);
  const items = values.map((value) => ({ label: `${value} ms`, value }));
  const choice = await vscode.window.showQuickPick(items, {
    placeHolder: `Show what blocks for more than … (now ${now} ms)`,
  });
  if (choice !== undefined) await writeSetting(settings.threshold, choice.value);
}

const steps = [50, 20, 10, 5, 2, 1, 0.5, 0.2, 0.1] as const;

/**
 * At most four lower thresholds, in ms. One that is not below the longest time would show nothing: it is left out,
 * unless all are.
 */
export function lowerThresholds(now: number, longest: number | null): readonly number[] {
  const lower = steps.filter((step) => step < now);
  const useful = lower.filter((step) => longest === null || step < longest);
  return (useful.length > 0 ? useful : lower).slice(0, 4);
}
