import { commands, internalCommands, settings } from '../../protocol/ids.ts';
import * as goTo from './go-to.ts';
import * as profile from './profile.ts';
import * as load from './load.ts';
import { moreActions } from './more-actions.ts';
import { openRecording, openProfile } from './open-recording.ts';
import * as verify from './verify.ts';
import { inLog } from '../ui/failures.ts';
import { activeFile } from '../ui/open-source.ts';
import { annotationsEnabled, writeSetting, displayOptions, analysisOptions } from '../ui/settings.ts';
import { toMilliseconds } from '../../protocol/units.ts';
import type { CommandHost } from './command-arguments.ts';
import * as vscode from 'vscode';

export { agentServers, prepareTool, runTool } from './agent-tools.ts';

type Command = (host: CommandHost, ...args: readonly unknown[]) => Promise<void>;

/** Loaded with the first command that runs. */
export const table: Readonly<Record<string, Command>> = {
  [commands.profileTests]: profile.profileTests,
  [commands.profileFile]: profile.profileFile,
  [commands.profileScript]: profile.profileScript,
  [commands.profileApp]: profile.profileApp,
  [commands.openApp]: load.openApp,
  [commands.sendLoad]: load.sendLoadTo,
  [commands.stopAndShow]: load.stopAndShow,
  [commands.attachToProcess]: profile.attachToProcess,
  [commands.profileDebugSession]: profile.profileDebugSession,
  [commands.profileAgain]: profile.profileAgain,
  [commands.recordTiers]: profile.recordTiers,
  [commands.setBaseline]: verify.setBaselineHere,
  [commands.compareWith]: verify.compareWithOther,
  [commands.compareAgain]: verify.compareOnceMore,
  [commands.openComparisonFlamegraph]: verify.openComparisonFlamegraph,
  [commands.copyComparison]: verify.copyShownComparison,
  [commands.clearComparison]: async ({ comparisons }) => comparisons.clear(),
  [commands.openProfile]: openProfile,
  [commands.openRecording]: openRecording,
  [commands.openFlamegraph]: goTo.openFlamegraph,
  [commands.copyFlamegraph]: async (host) => goTo.takeAway(host, 'markdown'),
  [commands.saveFlamegraphSvg]: async (host) => goTo.takeAway(host, 'svg'),
  [commands.saveFlamegraphPng]: async (host) => goTo.takeAway(host, 'png'),
  [commands.nextHotspot]: (host) => goTo.goToHotspot(host, 'next'),
  [commands.previousHotspot]: (host) => goTo.goToHotspot(host, 'previous'),
  [commands.toggleAnnotations]: toggleAnnotations,
  [commands.toggleFileAnnotations]: toggleFileAnnotations,
  [commands.toggleFolderAnnotations]: toggleFolderAnnotations,
  [commands.clear]: async ({ services: { lastRun, results } }) => {
    lastRun.clear();
    await results.clear();
  },
  [commands.forgetResult]: goTo.forgetResult,
  [commands.recheck]: verify.recheckFunction,
  [commands.keepAsBaseline]: verify.keepAsBaseline,
  [commands.undoChange]: goTo.undoChange,
  [commands.compareGraphs]: verify.compareGraphs,
  [commands.openWorst]: goTo.openWorst,
  [commands.explain]: goTo.explain,
  [commands.nextFinding]: goTo.goToFinding,
  [commands.showLog]: async ({ services }) => services.log.show(),
  [commands.lowerThreshold]: lowerThreshold,
  [commands.toggleMetric]: toggleMetric,
  [internalCommands.openFunction]: goTo.openFunction,
  [internalCommands.openDiffFlamegraph]: goTo.openDiffFlamegraph,
  [internalCommands.openOperation]: goTo.openOperation,
  [internalCommands.openCulprit]: goTo.openCulprit,
  [internalCommands.openHotspot]: goTo.openHotspot,
  [internalCommands.makeSure]: verify.makeSureOf,
  [internalCommands.openSource]: goTo.openSource,
  [internalCommands.openRemedy]: goTo.openRemedy,
  [internalCommands.chooseFolder]: async ({ services }, file) => {
    const { chooseFolderOf } = await import('../run/ask-elsewhere.ts');
    if (typeof file === 'string') await chooseFolderOf(file, services.log);
  },
  [internalCommands.moreActions]: moreActions,
  [internalCommands.openCompared]: verify.openComparedFunction,
  [internalCommands.stopRecheck]: verify.stopRecheckOf,
  [internalCommands.recheckTest]: verify.recheckTest,
  [internalCommands.profileTest]: profile.profileTest,
  [internalCommands.profileResult]: profile.profileAgain,
  [internalCommands.goOnFromLastRun]: async ({ services }, label) => services.lastRun.goOn(label),
};

async function toggleAnnotations(): Promise<void> {
  await writeSetting(settings.annotations, !annotationsEnabled());
}

async function toggleFileAnnotations({ services }: CommandHost, argument: unknown): Promise<void> {
  const uri = argument instanceof vscode.Uri ? argument : activeFile();
  if (uri !== undefined) await services.shown.toggle(uri);
}

async function toggleFolderAnnotations({ services }: CommandHost, argument: unknown): Promise<void> {
  const file = activeFile();
  const uri = argument instanceof vscode.Uri ? argument : file && vscode.Uri.joinPath(file, '..');
  if (uri !== undefined) await services.shown.toggle(uri);
}

async function toggleMetric(): Promise<void> {
  await writeSetting(settings.metric, displayOptions().metric === 'worst' ? 'total' : 'worst');
}

/** Offers lower thresholds, the first of which shows something; says where there is none. */
async function lowerThreshold({ services }: CommandHost): Promise<void> {
  const now = toMilliseconds(analysisOptions().thresholdUs);
  const longest = services.results.all.flatMap(({ summary }) => summary.longest ?? []);
  const most = longest.reduce<number | null>((found, { us }) => Math.max(found ?? 0, toMilliseconds(us)), null);
  const items = lowerThresholds(now, most).map((value) => ({ label: `${value} ms`, value }));
  if (items.length === 0) {
    inLog(vscode.window.showInformationMessage(`No threshold is lower than ${now} ms.`), services.log);
    return;
  }
  const choice = await vscode.window.showQuickPick(items, {
    placeHolder: `Show what blocks for more than … (now ${now} ms)`,
  });
  if (choice !== undefined) await writeSetting(settings.threshold, choice.value);
}

const steps = [50, 20, 10, 5, 2, 1, 0.5, 0.2, 0.1] as const;

/**
 * At most four lower thresholds, in ms. Those above the longest time are left out, unless all are: they show nothing.
 */
export function lowerThresholds(now: number, longest: number | null): readonly number[] {
  const lower = steps.filter((step) => step < now);
  const useful = lower.filter((step) => longest === null || step < longest);
  return (useful.length > 0 ? useful : lower).slice(0, 4);
}
