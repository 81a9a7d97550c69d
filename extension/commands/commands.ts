import { commands, internalCommands } from '../../protocol/ids.ts';
import { explain, undoChange } from './at-cursor.ts';
import { attachToProcess, profileDebugSession } from './attach.ts';
import {
  lowerThreshold,
  toggleAnnotations,
  toggleFileAnnotations,
  toggleFolderAnnotations,
  toggleMetric,
} from './change-display.ts';
import { moreActions } from './more-actions.ts';
import {
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
import { openRecording, openProfile } from './open-recording.ts';
import {
  profileScript,
  profileTests,
  profileAgain,
  recordTiers,
  profileFile,
  profileTest,
  profileApp,
} from './profile.ts';
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
import type { CommandHost } from './command-arguments.ts';

type Command = (host: CommandHost, ...args: readonly unknown[]) => Promise<void>;

/** What each command does. It is loaded with the first one that is run. */
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
