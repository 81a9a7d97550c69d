import { type Command, type Option, type OptionValue, optionsOf } from '../arguments/command.ts';
import { commands, helpCommand, programOptions } from '../arguments/commands.ts';

/** A script for bash, also without the package bash-completion. With that, the arguments of the command after `--` are completed, too. */
export function bashCompletion(): string {
  const names = commands.map(({ name }) => name);
  const programWords = Object.entries(programOptions).flatMap(([name, option]) => optionWords(name, option));
  const valued = commands.flatMap(valuedOptions);
  return `# Completion of hotspan for bash: source <(hotspan completion bash)
_hotspan() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]} command= at=1 operands=0
  COMPREPLY=()
  # Bash splits words at "=".
  if [[ $cur == = ]]; then cur=; elif [[ $prev == = ]]; then prev=\${COMP_WORDS[COMP_CWORD - 2]}; fi
  # The command that is to be run: after "--", or after the first word of "record" that is no option.
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
${valued.map(({ pattern, value }) => `    ${pattern}) ${replyFor(value)}; return ;;`).join('\n')}
  esac
  case "$command" in
    '') COMPREPLY=($(compgen -W '${[...names, helpCommand.name, ...programWords, '--'].join(' ')}' -- "$cur")) ;;
    help) COMPREPLY=($(compgen -W '${names.join(' ')}' -- "$cur")) ;;
${commands.map(commandCase).join('\n')}
  esac
}
_hotspan_command() {
  if declare -F _command_offset >/dev/null && [[ $1 -lt $COMP_CWORD ]]; then _command_offset "$1"
  elif [[ $1 -eq $COMP_CWORD ]]; then COMPREPLY=($(compgen -c -- "$cur"))
  else compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$cur")); fi
}
complete -o default -F _hotspan hotspan
`;
}

/** The options of a command that take the next word, each as a pattern of `case`: `'record -o'|'record --out'`. */
function valuedOptions(command: Command): readonly { readonly pattern: string; readonly value: OptionValue }[] {
  return optionsOf(command).flatMap(([name, option]) => {
    const words = optionWords(name, option).map((word) => `'${command.name} ${word}'`);
    return option.value === undefined ? [] : [{ pattern: words.join('|'), value: option.value }];
  });
}

function replyFor({ kind, choices = [] }: OptionValue): string {
  if (kind === 'folder') return `${filenames} COMPREPLY=($(compgen -d -- "$cur"))`;
  if (kind === 'file') return `${filenames} COMPREPLY=($(compgen -f -- "$cur"))`;
  // Nothing of what is on the disk can be meant, so no file is offered instead.
  return kind === 'choice'
    ? `COMPREPLY=($(compgen -W '${choices.join(' ')}' -- "$cur"))`
    : 'compopt +o default 2>/dev/null';
}

const filenames = 'compopt -o filenames 2>/dev/null;';

function commandCase(command: Command): string {
  const words = optionsOf(command).flatMap(([name, option]) => optionWords(name, option));
  const dashes = command.operands.hasCommand === true ? ['--'] : [];
  const options = `COMPREPLY=($(compgen -W '${[...words, ...dashes].join(' ')}' -- "$cur"))`;
  return `    ${command.name})
      if [[ $cur == -* ]]; then ${options}
      else ${operandsReply(command)}; fi ;;`;
}

function operandsReply({ operands }: Command): string {
  if (operands.kind === 'choice')
    return `[[ $operands -eq 0 ]] && COMPREPLY=($(compgen -W '${(operands.choices ?? []).join(' ')}' -- "$cur"))`;
  if (operands.kind === 'command') return 'COMPREPLY=($(compgen -c -- "$cur"))';
  return `${filenames} COMPREPLY=($(compgen ${operands.kind === 'folders' ? '-d' : '-f'} -- "$cur"))`;
}

function optionWords(name: string, { short }: Option): readonly string[] {
  return short === undefined ? [`--${name}`] : [`-${short}`, `--${name}`];
}
