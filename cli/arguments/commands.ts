import { analyze } from './analyze-arguments.ts';
import { check } from './check-arguments.ts';
import { baseline, makeSure, recheck } from './recheck-arguments.ts';
import type { Command, ExitCode, Option } from './command.ts';
import { compare } from './compare-arguments.ts';
import { exporting } from './export-arguments.ts';
import { load } from './load-arguments.ts';
import { mcp, completion, histogram, languageServer, recordings } from './small-commands.ts';
import { record } from './record-arguments.ts';

const all = [
  record,
  load,
  analyze,
  baseline,
  recheck,
  makeSure,
  compare,
  check,
  recordings,
  histogram,
  exporting,
  mcp,
  languageServer,
  completion,
] as const;

export type CommandInvocation = ReturnType<(typeof all)[number]['read']>;

/**
 * All commands, in the order in which the help lists them. Help, suggestions and completion read this table; `cli/main.ts`
 * runs the commands.
 */
export const commands: readonly Command<CommandInvocation>[] = all;

/** `hotspan help COMMAND`; not in the table, because it shows the table. */
export const helpCommand = { name: 'help', summary: 'shows all options of a command' } as const;

/** Options that take the place of a command. */
export const programOptions: Readonly<Record<'help' | 'version', Option>> = {
  help: { short: 'h', help: 'shows this help, or that of the command before it' },
  version: { short: 'v', help: 'shows the version (also -V)' },
};

/** The exit codes of every command that does not define them itself. */
export const commonExitCodes: readonly ExitCode[] = [
  { code: '0', means: 'done' },
  { code: '2', means: 'unusable input or arguments' },
];
