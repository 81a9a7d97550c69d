import { Disposable, type ExtensionContext } from 'vscode';
import { commands, internalCommands } from '../../protocol/ids.ts';
import type { Flamegraph } from '../flamegraph/flamegraph.ts';
import type { Runs } from '../run/runs.ts';
import type { Services } from '../results/services.ts';
import { registerCommand } from '../ui/register-command.ts';
import { attachToProcess } from './attach-to-process.ts';
import { lowerThreshold } from './lower-threshold.ts';
import { moreActions } from './more-actions.ts';
import { goToHotspot } from './next-hotspot.ts';
import { openFlamegraph, openFunction, openWorst } from './open-flamegraph.ts';
import { openHotspot, openSource } from './open-hotspot.ts';
import { openRecording } from './open-recording.ts';
import { openProfile } from './open-profile.ts';
import { profileAgain } from './profile-again.ts';
import { profileApp } from './profile-app.ts';
import { profileDebugSession } from './profile-debug-session.ts';
import { profileFile } from './profile-file.ts';
import { profileScript } from './profile-script.ts';
import { profileTests } from './profile-tests.ts';
import { recordTiers } from './record-tiers.ts';
import { toggleAnnotations, toggleFileAnnotations, toggleFolderAnnotations } from './toggle-annotations.ts';
import { toggleMetric } from './toggle-metric.ts';

/** What a command may use; the arguments that VS Code gives it are from anywhere, hence `unknown`. */
export interface CommandHost {
  readonly context: ExtensionContext;
  readonly services: Services;
  readonly runs: Runs;
  readonly flamegraph: Flamegraph;
}

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
  [internalCommands.moreActions]: moreActions,
  [internalCommands.profileTest]: profileFile,
};

/** Registers every command but those of the tree's own. */
export function activateCommands(host: CommandHost): Disposable {
  return Disposable.from(
    ...Object.entries(table).map(([id, command]) =>
      registerCommand(id, host.services.log, async (...args) => command(host, ...args)),
    ),
  );
}
