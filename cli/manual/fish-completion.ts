import { type Command, type Option, type OptionValue, optionsOf } from '../arguments/command.ts';
import { commands, helpCommand, programOptions } from '../arguments/commands.ts';
import { optionHelp } from './help.ts';

/** A script for fish 3 and later. */
export function fishCompletion(): string {
  const names = commands.map(({ name }) => name);
  const first = `__fish_use_subcommand; and not contains -- -- (commandline -opc)`;
  return `# Completion of hotspan for fish: hotspan completion fish > ~/.config/fish/completions/hotspan.fish
function __hotspan_is
    set -l words (commandline -opc)
    not contains -- -- $words; and test (count $words) -gt 1; and contains -- $words[2] $argv
end
# The command that is to be run, after "--".
function __hotspan_command
    set -l words (commandline -opc) (commandline -ct)
    while set -q words[1]; and test "$words[1]" != --
        set -e words[1]
    end
    set -e words[1]
    complete -C "$words"
end
complete -c hotspan -f
complete -c hotspan -n 'contains -- -- (commandline -opc)' -a '(__hotspan_command)'
${[...commands, helpCommand]
  .map(({ name, summary }) => `complete -c hotspan -n ${quoted(first)} -a ${name} -d ${quoted(summary)}`)
  .join('\n')}
${Object.entries(programOptions)
  .map(([name, option]) => optionLine(first, name, option))
  .join('\n')}
complete -c hotspan -n '__hotspan_is help' -a '${names.join(' ')}'
${commands.flatMap(commandLines).join('\n')}
`;
}

function commandLines(command: Command): readonly string[] {
  const isHere = `__hotspan_is ${command.name}`;
  return [
    ...optionsOf(command).map(([name, option]) => optionLine(isHere, name, option)),
    `complete -c hotspan -n ${quoted(isHere)} ${operandsOf(command)}`,
  ];
}

function optionLine(condition: string, name: string, option: Option): string {
  const short = option.short === undefined ? '' : ` -s ${option.short}`;
  const value = option.value === undefined ? '' : ` ${valueOf(option.value)}`;
  return `complete -c hotspan -n ${quoted(condition)}${short} -l ${name}${value} -d ${quoted(optionHelp(option))}`;
}

function valueOf({ kind, choices = [] }: OptionValue): string {
  if (kind === 'folder') return "-x -a '(__fish_complete_directories)'";
  if (kind === 'file') return '-r -F';
  return kind === 'choice' ? `-x -a '${choices.join(' ')}'` : '-x';
}

function operandsOf({ operands }: Command): string {
  if (operands.kind === 'command') return "-a '(__fish_complete_subcommand --fcs-skip=2)'";
  if (operands.kind === 'choice') return `-a '${(operands.choices ?? []).join(' ')}'`;
  return operands.kind === 'folders' ? "-a '(__fish_complete_directories)'" : '-F';
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`;
}
