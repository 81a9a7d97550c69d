import { analyze, type AnalyzeInvocation } from './analyze-arguments.ts';
import { check, type CheckInvocation } from './check-arguments.ts';
import {
  baseline,
  type BaselineInvocation,
  makeSure,
  type MakeSureInvocation,
  recheck,
  type RecheckInvocation,
} from './recheck-arguments.ts';
import type { Command, ExitCode, Option } from './command.ts';
import { compare, type CompareInvocation } from './compare-arguments.ts';
import { record, type RecordInvocation } from './record-arguments.ts';
import { completion, histogram, recordings, type SmallInvocation } from './small-commands.ts';

export type CommandInvocation =
  | RecordInvocation
  | AnalyzeInvocation
  | CompareInvocation
  | BaselineInvocation
  | RecheckInvocation
  | MakeSureInvocation
  | CheckInvocation
  | SmallInvocation;

/**
 * All commands, in the order in which the help lists them. A new one is written beside these, put in this list, and run
 * by `cli/main.ts`. Help, suggestions and completion then have it.
 */
export const commands: readonly Command<CommandInvocation>[] = [
  record,
  analyze,
  baseline,
  recheck,
  makeSure,
  compare,
  check,
  recordings,
  histogram,
  completion,
];

/** `hotspan help COMMAND`, which is not in the table: it shows what is. */
export const helpCommand = { name: 'help', summary: 'shows all options of a command' } as const;

/** What stands in the place of a command. */
export const programOptions: Readonly<Record<'help' | 'version', Option>> = {
  help: { short: 'h', help: 'shows this help, or that of the command before it' },
  version: { short: 'v', help: 'shows the version (also -V)' },
};

/** What these codes mean where a command says nothing else of them. */
export const commonExitCodes: readonly ExitCode[] = [
  { code: '0', means: 'done' },
  { code: '2', means: 'unusable input or arguments' },
];
