import { type Command, type Operands, type Option, type OptionValue, optionsOf } from '../arguments/command.ts';
import { commands, helpCommand, programOptions } from '../arguments/commands.ts';
import type { Shell } from '../arguments/small-commands.ts';
import { optionHelp } from './help.ts';

/** The completion script of each shell. */
export const completions: Readonly<Record<Shell, () => string>> = { bash, zsh, fish };

/** Needs no package bash-completion; with it, the arguments of the command after `--` are completed, too. */
function bash(): string {
  const names = commands.map(({ name }) => name);
  const programWords = Object.entries(programOptions).flatMap(([name, option]) => optionWords(name, option));
  const valued = commands.flatMap(valuedOptions);
  return `# Completion of hotspan for bash: source <(hotspan completion bash)
_hotspan() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]} command= at=1 operands=0
  COMPREPLY=()
  # Bash splits words at "=".
  if [[ $cur == = ]]; then cur=; elif [[ $prev == = ]]; then prev=\${COMP_WORDS[COMP_CWORD - 2]}; fi
  # The command to run: after "--", or from the first word of "record" that is not an option.
  while [[ $at -lt $COMP_CWORD ]]; do
    case "$command \${COMP_WORDS[at]}" in
      *' --') _hotspan_command $((at + 1)); return ;;
      ${valued.map(({ pattern }) => pattern).join('|')}) at=$((at + 1)); [[ \${COMP_WORDS[at]} == = ]] && at=$((at + 1)) ;;
      *' -'*) ;;
      ' '*) command=\${COMP_WORDS[at]} ;;
      'record '*) _hotspan_command "$at"; return ;;
      *) operands=$((operands + 1)) ;;
    esac
    at=$((at + 1))
  done
  case "$command $prev" in
${valued.map(({ pattern, value }) => `    ${pattern}) ${bashReply(value)}; return ;;`).join('\n')}
  esac
  case "$command" in
    '') _hotspan_offer -W '${[...names, helpCommand.name, ...programWords, '--'].join(' ')}' ;;
    help) _hotspan_offer -W '${names.join(' ')}' ;;
${commands.map(bashCase).join('\n')}
  esac
}
${bashHelpers}complete -o default -F _hotspan hotspan
`;
}

/** `_hotspan_offer` reads lines, because names may have blanks. */
const bashHelpers = `_hotspan_command() {
  if declare -F _command_offset >/dev/null && [[ $1 -lt $COMP_CWORD ]]; then _command_offset "$1"
  elif [[ $1 -eq $COMP_CWORD ]]; then _hotspan_offer -c
  else compopt -o filenames 2>/dev/null; _hotspan_offer -f; fi
}
_hotspan_offer() {
  local one
  while IFS= read -r one; do COMPREPLY+=("$one"); done < <(compgen "$@" -- "$cur")
}
`;

/** The options of a command that take the next word, each as a pattern of `case`: `'record -o'|'record --out'`. */
function valuedOptions(command: Command): readonly { readonly pattern: string; readonly value: OptionValue }[] {
  return optionsOf(command).flatMap(([name, option]) => {
    const words = optionWords(name, option).map((word) => `'${command.name} ${word}'`);
    return option.value === undefined ? [] : [{ pattern: words.join('|'), value: option.value }];
  });
}

type Words = Pick<OptionValue | Operands, 'kind' | 'choices'>;

function bashReply({ kind, choices = [] }: Words): string {
  if (kind === 'folder' || kind === 'file')
    return `compopt -o filenames 2>/dev/null; _hotspan_offer ${kind === 'folder' ? '-d' : '-f'}`;
  if (kind === 'command') return '_hotspan_offer -c';
  // Without candidates bash would offer files.
  return kind === 'choice' ? `_hotspan_offer -W '${choices.join(' ')}'` : 'compopt +o default 2>/dev/null';
}

function bashCase(command: Command): string {
  const words = optionsOf(command).flatMap(([name, option]) => optionWords(name, option));
  const dashes = command.operands.hasCommand === true ? ['--'] : [];
  const options = bashReply({ kind: 'choice', choices: [...words, ...dashes] });
  const first = command.operands.kind === 'choice' ? '[[ $operands -eq 0 ]] && ' : '';
  return `    ${command.name})
      if [[ $cur == -* ]]; then ${options}
      else ${first}${bashReply(command.operands)}; fi ;;`;
}

function optionWords(name: string, { short }: Option): readonly string[] {
  return short === undefined ? [`--${name}`] : [`-${short}`, `--${name}`];
}

/** To be sourced after `compinit`, or saved as `_hotspan` in a folder of `fpath`. */
function zsh(): string {
  return `#compdef hotspan
# Completion of hotspan for zsh: source <(hotspan completion zsh)
_hotspan() {
  local curcontext=$curcontext state line
  # Not called "commands", which would hide those of zsh.
  local -a names
  names=(
${[...commands, helpCommand].map(({ name, summary }) => `    ${zshQuoted(`${name}:${summary}`)}`).join('\n')}
  )
  # The command to run, after "--".
  local -i at=\${words[(i)--]}
  if (( at < CURRENT )); then
    shift $at words; (( CURRENT -= at ))
    if (( CURRENT == 1 )); then _command_names -e; else _normal; fi
    return
  fi
  _arguments -C \\
${Object.entries(programOptions)
  .flatMap(([name, option]) => zshSpecs(name, option))
  .map((spec) => `    ${spec} \\`)
  .join('\n')}
    '1: :->command' '*:: :->rest'
  case $state in
    command) _describe -t commands command names ;;
    rest)
      curcontext=\${curcontext%:*:*}:hotspan-$words[1]:
      case $words[1] in
        help) _describe -t commands command names ;;
${commands.map(zshCase).join('\n')}
      esac ;;
  esac
}
if [[ $funcstack[1] == _hotspan ]]; then _hotspan "$@"; else compdef _hotspan hotspan; fi
`;
}

function zshCase(command: Command): string {
  const lines = [...optionsOf(command).flatMap(([name, option]) => zshSpecs(name, option)), ...zshOperands(command)];
  return `        ${command.name})
          _arguments -s -S \\
${lines.map((line) => `            ${line}`).join(' \\\n')} ;;`;
}

/** An option as `_arguments` describes it: once for its letter and once for its name, each excluding the other. */
function zshSpecs(name: string, option: Option): readonly string[] {
  const { short, value } = option;
  const help = `[${escape(optionHelp(option))}]`;
  const own = value?.isRepeated === true ? '*' : short === undefined ? '' : `(-${short} --${name})`;
  const action = value === undefined ? '' : `:${escape(value.name)}:${zshAction(value)}`;
  const long = zshQuoted(`${own}--${name}${value === undefined ? '' : '='}${help}${action}`);
  return short === undefined
    ? [long]
    : [zshQuoted(`${own}-${short}${value === undefined ? '' : '+'}${help}${action}`), long];
}

function zshAction({ kind, choices = [] }: Words): string {
  if (kind === 'folder') return '_files -/';
  if (kind === 'file') return '_files';
  return kind === 'choice' ? `(${choices.join(' ')})` : ' ';
}

function zshOperands({ operands }: Command): readonly string[] {
  if (operands.kind === 'command') return [zshQuoted('(-)1: : _command_names -e'), zshQuoted('*:: :_normal')];
  return [zshQuoted(`${operands.kind === 'choice' ? '1' : '*'}: :${zshAction(operands)}`)];
}

/** Escapes brackets and colons, which have a meaning in a description. */
function escape(text: string): string {
  return text.replaceAll(/[[\]:\\]/g, String.raw`\$&`);
}

function zshQuoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** For fish 3 and later. */
function fish(): string {
  const names = commands.map(({ name }) => name);
  const first = `__fish_use_subcommand; and not contains -- -- (commandline -opc)`;
  return `# Completion of hotspan for fish: hotspan completion fish > ~/.config/fish/completions/hotspan.fish
function __hotspan_is
    set -l words (commandline -opc)
    not contains -- -- $words; and test (count $words) -gt 1; and contains -- $words[2] $argv
end
# The command to run, after "--".
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
  .map(({ name, summary }) => `complete -c hotspan -n ${fishQuoted(first)} -a ${name} -d ${fishQuoted(summary)}`)
  .join('\n')}
${Object.entries(programOptions)
  .map(([name, option]) => fishOption(first, name, option))
  .join('\n')}
complete -c hotspan -n '__hotspan_is help' -a '${names.join(' ')}'
${commands.flatMap(fishLines).join('\n')}
`;
}

function fishLines(command: Command): readonly string[] {
  const isHere = `__hotspan_is ${command.name}`;
  return [
    ...optionsOf(command).map(([name, option]) => fishOption(isHere, name, option)),
    `complete -c hotspan -n ${fishQuoted(isHere)} ${fishOperands(command)}`,
  ];
}

function fishOption(condition: string, name: string, option: Option): string {
  const short = option.short === undefined ? '' : ` -s ${option.short}`;
  const value = option.value === undefined ? '' : ` ${fishValue(option.value)}`;
  return `complete -c hotspan -n ${fishQuoted(condition)}${short} -l ${name}${value} -d ${fishQuoted(optionHelp(option))}`;
}

function fishValue({ kind, choices = [] }: Words): string {
  if (kind === 'folder') return "-x -a '(__fish_complete_directories)'";
  if (kind === 'file') return '-r -F';
  return kind === 'choice' ? `-x -a '${choices.join(' ')}'` : '-x';
}

function fishOperands({ operands }: Command): string {
  if (operands.kind === 'command') return "-a '(__fish_complete_subcommand --fcs-skip=2)'";
  return operands.kind === 'file' ? '-F' : fishValue(operands).replace('-x ', '');
}

function fishQuoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`;
}
