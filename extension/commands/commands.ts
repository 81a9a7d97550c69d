import { Disposable } from 'vscode';
import { commands, internalCommands } from '../../protocol/ids.ts';
import { registerCommand } from '../ui/failures.ts';
import { attachToProcess, profileDebugSession } from './attach.ts';
import {
  lowerThreshold,
  toggleAnnotations,
  toggleFileAnnotations,
  toggleFolderAnnotations,
  toggleMetric,
} from './change-display.ts';
import { moreActions } from './more-actions.ts';
import { goToHotspot, openFlamegraph, openFunction, openWorst, openHotspot, openSource } from './go-to.ts';
import { openRecording, openProfile } from './open-recording.ts';
import { profileScript, profileTests, profileAgain, recordTiers, profileFile, profileApp } from './profile.ts';
import { recheckFunction, setBaselineHere } from './verify.ts';
import { openRemedy } from './open-remedy.ts';
import type { CommandHost } from './command-arguments.ts';

type Command = (host: CommandHost, ...args: readonly unknown[]) => Promise<void>;

const table: Readonly<Record<string, Command>> = {
  [commands.profileTests]: profileTests,
  [commands.profileFile]: profileFile,
  [commands.profileScript]: profileScript,
  [commands.profileApp]: profileApp,
  [commands.attachToProcess]: attachToProcess,
  [commands.profileDebugSession]: profileDebugSession,
  [commands.profileAgain]: profileAgain,
  [commands.recordTiers]: recordTiers,
  [commands.setBaseline]: setBaselineHere,
  [commands.openProfile]: openProfile,
  [commands.openRecording]: openRecording,
  [commands.openFlamegraph]: openFlamegraph,
  [commands.nextHotspot]: (host) => goToHotspot(host, 'next'),
  [commands.previousHotspot]: (host) => goToHotspot(host, 'previous'),
  [commands.toggleAnnotations]: toggleAnnotations,
  [commands.toggleFileAnnotations]: toggleFileAnnotations,
  [commands.toggleFolderAnnotations]: toggleFolderAnnotations,
  [commands.clear]: async ({ services }) => services.results.clear(),
  [commands.showLog]: async ({ services }) => services.log.show(),
  [commands.lowerThreshold]: lowerThreshold,
  [commands.toggleMetric]: toggleMetric,
  [internalCommands.openFunction]: openFunction,
  [internalCommands.openWorst]: openWorst,
  [internalCommands.openHotspot]: openHotspot,
  [internalCommands.openSource]: openSource,
  [internalCommands.openRemedy]: openRemedy,
  [internalCommands.moreActions]: moreActions,
  [internalCommands.recheck]: recheckFunction,
  [internalCommands.profileTest]: profileFile,
};

/** Registers every command except those of the tree. */
export function activateCommands(host: CommandHost): Disposable {
  return Disposable.from(
    ...Object.entries(table).map(([id, command]) =>
      registerCommand(id, host.services.log, async (...args) => command(host, ...args)),
    ),
  );
}
