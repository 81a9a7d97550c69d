import { type Command, type Option, type OptionValue, optionsOf } from '../arguments/command.ts';
import { commands, helpCommand, programOptions } from '../arguments/commands.ts';
import { optionHelp } from './help.ts';

/** A script for zsh, to be sourced after `compinit`, or to lie as `_hotspan` in a folder of `fpath`. */
export function zshCompletion(): string {
  return `#compdef hotspan
# Completion of hotspan for zsh: source <(hotspan completion zsh)
_hotspan() {
  local curcontext=$curcontext state line
  # Not called "commands", which would hide those of zsh.
  local -a names
  names=(
${[...commands, helpCommand].map(({ name, summary }) => `    ${quoted(`${name}:${summary}`)}`).join('\n')}
  )
  # The command that is to be run, after "--".
  local -i at=\${words[(i)--]}
  if (( at < CURRENT )); then
    shift $at words; (( CURRENT -= at ))
    if (( CURRENT == 1 )); then _command_names -e; else _normal; fi
    return
  fi
  _arguments -C \\
${Object.entries(programOptions)
  .flatMap(([name, option]) => specs(name, option))
  .map((spec) => `    ${spec} \\`)
  .join('\n')}
    '1: :->command' '*:: :->rest'
  case $state in
    command) _describe -t commands command names ;;
    rest)
      curcontext=\${curcontext%:*:*}:hotspan-$words[1]:
      case $words[1] in
        help) _describe -t commands command names ;;
${commands.map(commandCase).join('\n')}
      esac ;;
  esac
}
if [[ $funcstack[1] == _hotspan ]]; then _hotspan "$@"; else compdef _hotspan hotspan; fi
`;
}

function commandCase(command: Command): string {
  const lines = [...optionsOf(command).flatMap(([name, option]) => specs(name, option)), ...operandSpecs(command)];
  return `        ${command.name})
          _arguments -s -S \\
${lines.map((line) => `            ${line}`).join(' \\\n')} ;;`;
}

/** An option as `_arguments` describes it: once for its letter and once for its name, each excluding the other. */
function specs(name: string, option: Option): readonly string[] {
  const { short, value } = option;
  const help = `[${escape(optionHelp(option))}]`;
  const own = value?.isRepeated === true ? '*' : short === undefined ? '' : `(-${short} --${name})`;
  const action = value === undefined ? '' : `:${escape(value.name)}:${actionOf(value)}`;
  const long = quoted(`${own}--${name}${value === undefined ? '' : '='}${help}${action}`);
  return short === undefined
    ? [long]
    : [quoted(`${own}-${short}${value === undefined ? '' : '+'}${help}${action}`), long];
}

function actionOf({ kind, choices = [] }: OptionValue): string {
  if (kind === 'folder') return '_files -/';
  if (kind === 'file') return '_files';
  return kind === 'choice' ? `(${choices.join(' ')})` : ' ';
}

function operandSpecs({ operands }: Command): readonly string[] {
  if (operands.kind === 'command') return [quoted('(-)1: : _command_names -e'), quoted('*:: :_normal')];
  if (operands.kind === 'choice') return [quoted(`1: :(${(operands.choices ?? []).join(' ')})`)];
  return [quoted(operands.kind === 'folders' ? '*: :_files -/' : '*: :_files')];
}

/** Brackets and colons have a meaning in a description. */
function escape(text: string): string {
  return text.replaceAll(/[[\]:\\]/g, String.raw`\$&`);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
