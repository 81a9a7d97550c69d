import { commands } from '../../protocol/ids.ts';
import { duration } from '../formats/figures.ts';
import { type EmptyRun, type ResultFacts, emptyRunMessage, resultMessage } from './notifications.ts';
import type { Microseconds } from '../../protocol/units.ts';

/** A button of a notification that leads on from where there is nothing to show: its label, and the command behind it. */
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

/** What is said where there is nothing, and the buttons that mend it. */
export interface EmptyState {
  readonly message: string;
  readonly ways: readonly Way[];
}

/** The states that always say the same. */
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

/** A command at the cursor, where the cursor is in no function over the threshold. */
export const noFunctionHere: EmptyState = {
  message: 'The cursor is in no function that blocks: put it on a marked line.',
  ways: ['nextFinding'],
};

/** What came of a run where no result says it. */
export interface RunState extends EmptyState {
  /** In so few words that they fit into the status bar. */
  readonly short: string;
}

/** Where no test was seen in a run of tests. */
export function noTestSeen(run: EmptyRun): RunState {
  return { message: emptyRunMessage(run), short: 'no test seen', ways: ['profileFile', 'profileScript'] };
}

/** Where a run left no recording. `command`: what was to be run; shells end with 127 where there is no such command. */
export function notRecorded(command: string | null, exitCode: number | undefined): RunState {
  const message =
    exitCode === 127 && command !== null
      ? `${command} could not be started: install it, or choose another target. It must be on the PATH that VS Code has.`
      : 'The command could not be recorded. The terminal says why.';
  return { message, short: 'not recorded', ways: ['showTerminal', 'showLog', 'profileScript'] };
}

/** Where the recording of a run could not be analyzed: `message` says why. */
export function notAnalyzed(message: string): RunState {
  return { message, short: 'not analyzed', ways: ['showLog'] };
}

/** *Next Hotspot* where no function is over the threshold. */
export function noHotspot(thresholdUs: Microseconds): EmptyState {
  return {
    message: `There is no hotspot to go to: nothing of yours blocks for more than ${duration(thresholdUs)}.`,
    ways: ['lowerThreshold', 'toggleMetric', 'openFlamegraph'],
  };
}

/** Where nothing was found that could be run: `message` says why. */
export function nothingToRun(message: string, hasFolder: boolean): EmptyState {
  return { message, ways: hasFolder ? ['profileFile', 'profileScript', 'openProfile'] : ['openFolder', 'openProfile'] };
}

/** What is said after a run in which no own line is marked, and what helps; null where one is. */
export function resultState(summary: ResultFacts): EmptyState | null {
  const message = resultMessage(summary);
  return message === null ? null : { message, ways: waysOf(summary) };
}

function waysOf({ isForeign, isUnseen, blame }: ResultFacts): readonly Way[] {
  if (isForeign) return ['openFolder', 'openFlamegraph'];
  if (isUnseen) return ['profileFile', 'profileScript', 'openFlamegraph'];
  return blame === null ? ['lowerThreshold', 'toggleMetric'] : ['openFlamegraph', 'lowerThreshold', 'toggleMetric'];
}
