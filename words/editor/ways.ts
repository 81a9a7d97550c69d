import { commands } from '../../protocol/ids.ts';
import { duration } from '../formats/figures.ts';
import { visible } from '../formats/foreign-text.ts';
import { type EmptyRun, type ResultFacts, emptyRunMessage, resultMessage } from './notifications.ts';
import type { Microseconds } from '../../protocol/units.ts';

/** Buttons of notifications about empty states. */
const table = {
  profileTests: { label: 'Profile Tests', command: commands.profileTests },
  profileFile: { label: 'Profile File', command: commands.profileFile },
  profileScript: { label: 'Profile npm Script', command: commands.profileScript },
  openProfile: { label: 'Open Profile…', command: commands.openProfile },
  nextFinding: { label: 'Next Finding', command: commands.nextFinding },
  openFlamegraph: { label: 'Open Flamegraph', command: commands.openFlamegraph },
  lowerThreshold: { label: 'Lower the Threshold', command: commands.lowerThreshold },
  toggleMetric: { label: 'Show by Total Time', command: commands.toggleMetric },
  attach: { label: 'Attach to Process…', command: commands.attachToProcess },
  showLog: { label: 'Show Log', command: commands.showLog },
  openFolder: { label: 'Open Folder…', command: 'vscode.openFolder' },
  openFile: { label: 'Open File…', command: 'workbench.action.quickOpen' },
  startDebugging: { label: 'Start Debugging', command: 'workbench.action.debug.start' },
  showTerminal: { label: 'Show Terminal', command: 'workbench.action.terminal.focus' },
} as const;

export type Way = keyof typeof table;
export const ways: Readonly<Record<Way, { readonly label: string; readonly command: string }>> = table;

export interface EmptyState {
  readonly message: string;
  readonly ways: readonly Way[];
}

export const emptyStates = {
  noRecording: {
    message: 'There is no recording yet: profile your tests, or open a profile.',
    ways: ['profileTests', 'openProfile'],
  },
  noneToList: {
    message: 'There is no recording of this workspace yet: profile your tests, or open a profile.',
    ways: ['profileTests', 'openProfile'],
  },
  noFile: { message: 'Open the file that you want to profile first.', ways: ['openFile'] },
  noDebugging: {
    message: 'Nothing is being debugged. Start debugging a Node.js program first, or attach to one that runs.',
    ways: ['startDebugging', 'attach'],
  },
} as const satisfies Readonly<Record<string, EmptyState>>;

/** For a command at the cursor outside of functions over the threshold. */
export const noFunctionHere: EmptyState = {
  message: 'The cursor is in no function that blocks: put it on a marked line.',
  ways: ['nextFinding'],
};

/** The outcome of a run without a result. */
export interface RunState extends EmptyState {
  /** For the status bar. */
  readonly short: string;
}

export function noTestReported(run: EmptyRun): RunState {
  return { message: emptyRunMessage(run), short: 'no test reported', ways: ['profileFile', 'profileScript'] };
}

/** For a run without a recording. Shells end with 127 for an unknown command. */
export function notRecorded(command: string | null, exitCode: number | undefined): RunState {
  const message =
    exitCode === 127 && command !== null
      ? `${command} could not be started: install it, or choose another target. It must be on the PATH that VS Code has.`
      : 'The command could not be recorded. The terminal says why.';
  return { message, short: 'not recorded', ways: ['showTerminal', 'showLog', 'profileScript'] };
}

/** For a run that failed and left no profile, such as a script whose command is not installed. */
export function nothingProfiled(command: string, exitCode: number): RunState {
  const message = `${visible(command, 200)} ended with exit code ${exitCode}, and no Node.js program of it could be recorded. The terminal says why.`;
  return { message, short: 'not recorded', ways: ['showTerminal', 'showLog', 'profileScript'] };
}

export function notAnalyzed(message: string): RunState {
  return { message, short: 'not analyzed', ways: ['showLog'] };
}

/** For *Next Hotspot* without a function over the threshold. */
export function noHotspot(thresholdUs: Microseconds): EmptyState {
  return {
    message: `There is no hotspot to go to: no function of yours blocks for more than ${duration(thresholdUs)}.`,
    ways: ['lowerThreshold', 'toggleMetric', 'openFlamegraph'],
  };
}

/** `message`: why there is nothing to run. */
export function nothingToRun(message: string, hasFolder: boolean): EmptyState {
  return { message, ways: hasFolder ? ['profileFile', 'profileScript', 'openProfile'] : ['openFolder', 'openProfile'] };
}

/** After a run in which no own line is marked; null if one is. */
export function resultState(summary: ResultFacts): EmptyState | null {
  const message = resultMessage(summary);
  return message === null ? null : { message, ways: waysOf(summary) };
}

function waysOf({ isForeign, isUnseen, blame }: ResultFacts): readonly Way[] {
  if (isForeign) return ['openFolder', 'openFlamegraph'];
  if (isUnseen) return ['profileFile', 'profileScript', 'openFlamegraph'];
  return blame === null ? ['lowerThreshold', 'toggleMetric'] : ['openFlamegraph', 'lowerThreshold', 'toggleMetric'];
}
