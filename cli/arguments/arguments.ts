import type { Command, Given, Invalid, Operands, Option } from './command.ts';
import { invalid, isInvalid, listOf, nearest, optionsOf } from './command.ts';
import { type CommandInvocation, commands, helpCommand, programOptions } from './commands.ts';
import { isLoadOption } from '../../recorder/launch/load/load-options.ts';
import { record } from './record-arguments.ts';
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { shellText } from '../../words/formats/command-text.ts';

export type Invocation =
  /** `topic` is null for the help of the whole program. */
  | { readonly type: 'help'; readonly topic: Command | null }
  | { readonly type: 'version' }
  /** Nothing was typed. */
  | { readonly type: 'nothing' }
  | CommandInvocation;

/** `words` are the arguments after `hotspan`. */
export function parseArguments(words: readonly string[]): Invocation {
  const [first, ...rest] = words;
  if (first === undefined) return { type: 'nothing' };
  if (['-h', '--help'].includes(first)) return { type: 'help', topic: null };
  if (['-v', '-V', '--version'].includes(first)) return { type: 'version' };
  if (first === helpCommand.name) return helpOf(rest);
  // `hotspan -- npm test`, also with options of "record" before it.
  if (first.startsWith('-') && words.includes('--')) return parseCommand(record, words);
  const command = commandNamed(first);
  return command === undefined ? unknown(first, words) : parseCommand(command, rest);
}

function parseCommand(command: Command<CommandInvocation>, words: readonly string[]): Invocation {
  const parsed = parseOptions(command, words);
  if (parsed === 'help') return { type: 'help', topic: command };
  return isInvalid(parsed) ? parsed : command.read(parsed);
}

function helpOf([topic]: readonly string[]): Invocation {
  if (topic === undefined || topic.startsWith('-')) return { type: 'help', topic: null };
  const command = commandNamed(topic);
  if (command !== undefined) return { type: 'help', topic: command };
  const meant = meantCommand(topic);
  const instead = meant === null ? `the commands are ${listOf(names)}.` : `did you mean "hotspan help ${meant}"?`;
  return invalid(`There is no command "${topic}": ${instead}`);
}

function commandNamed(word: string): Command<CommandInvocation> | undefined {
  return commands.find(({ name, alias }) => name === word || alias === word);
}

const names = commands.map(({ name }) => name);

/** Says what to type instead of an unknown first word. */
function unknown(first: string, words: readonly string[]): Invalid {
  if (first.startsWith('-')) return misplacedOption(first, words);
  const meant = meantCommand(first);
  if (meant !== null) {
    const line = shellText(['hotspan', meant, ...words.slice(1)]);
    return invalid(`There is no command "${first}": did you mean "${line}"?`);
  }
  const isScript = /\.[cm]?[jt]sx?$/.test(first);
  const shown = shellText(isScript ? ['node', ...words] : words);
  if (!isScript && !/\.(?:sh|cmd|bat|exe)$/i.test(first) && /[\\/.]/.test(first))
    return invalid(`There is no command "${first}": to show a recording, type "hotspan analyze ${shown}".`);
  return invalid(
    `There is no command "${first}": to record it, type "hotspan -- ${shown}"; to see all, "hotspan help".`,
  );
}

function misplacedOption(first: string, words: readonly string[]): Invalid {
  const meant = nearest(first.replace(/^-+/, ''), Object.keys(programOptions));
  if (meant !== null) return invalid(`hotspan has no option ${first}: did you mean --${meant}?`);
  const name = first.replace(/^-+/, '').replace(/=.*/, '');
  const owner = commands.find(({ options }) =>
    Object.entries(options).some(([one, { short }]) => one === name || short === name),
  );
  return owner === undefined
    ? invalid(`hotspan has no option ${first}: "hotspan help" shows what there is.`)
    : invalid(`${first} comes after a command: type "hotspan ${owner.name} ${shellText(words)}".`);
}

function meantCommand(typed: string): string | null {
  const word = typed.toLowerCase();
  const known = commands.find(({ otherNames }) => otherNames.includes(word));
  return known?.name ?? nearest(word, [...names, helpCommand.name]);
}

/** Parses the words after a command's name; `help` if they ask for it. */
function parseOptions(command: Command, words: readonly string[]): Given | 'help' | Invalid {
  const options = new Map(optionsOf(command));
  const tokens = tokensOf(words, options);
  const start = tokens.find((token) => startsCommand(token, command.operands));
  const values = new Map<string, string[]>();
  const operands: string[] = [];
  let rest = operands;
  for (const token of tokens.slice(0, start === undefined ? undefined : tokens.indexOf(start))) {
    if (token.kind === 'positional') rest.push(token.value);
    if (token.kind !== 'option') continue;
    const option = options.get(token.name);
    const wrong = wrongOption(command, token, option, values.has(token.name));
    if (wrong !== null) return wrong;
    const texts = [...(values.get(token.name) ?? []), token.value ?? ''];
    values.set(token.name, texts);
    if (option?.value?.takesOperands === true) rest = texts;
  }
  if (values.has('help')) return 'help';
  const texts = (name: string): readonly string[] => values.get(name) ?? [];
  const run = start === undefined ? null : words.slice(start.kind === 'positional' ? start.index : start.index + 1);
  return { has: (name) => values.has(name), text: (name) => texts(name)[0] ?? null, texts, operands, command: run };
}

type Token = NonNullable<ReturnType<typeof parseArgs>['tokens']>[number];

function tokensOf(words: readonly string[], options: ReadonlyMap<string, Option>): readonly Token[] {
  const config = [...options].map(([name, option]) => [name, configOf(option)] as const);
  return parseArgs({
    args: [...words],
    options: Object.fromEntries(config),
    strict: false,
    tokens: true,
    allowPositionals: true,
  }).tokens;
}

function configOf({ short, value }: Option): NonNullable<ParseArgsConfig['options']>[string] {
  return { type: value === undefined ? 'boolean' : 'string', ...(short === undefined ? {} : { short }) };
}

/** Whether the command to run begins here. */
function startsCommand({ kind }: Token, { hasCommand, beginsCommand }: Operands): boolean {
  return hasCommand === true && (kind === 'option-terminator' || (beginsCommand === true && kind === 'positional'));
}

/** Why an option is wrong; null if it is not. The command checks its value, which is not empty. */
function wrongOption(
  command: Command,
  { name, rawName, value, inlineValue }: Extract<Token, { readonly kind: 'option' }>,
  option: Option | undefined,
  isAgain: boolean,
): Invalid | null {
  if (option === undefined) return unknownOption(command, name, rawName);
  if (option.value === undefined)
    return inlineValue === true ? invalid(`${rawName} takes no value: write ${rawName} alone.`) : null;
  const { name: shown, choices, hasDashes, isRepeated, takesOperands } = option.value;
  const isNext = value === '--' || (hasDashes !== true && /^--?[a-z]/i.test(value ?? ''));
  if (value === undefined || value === '' || (isNext && !inlineValue))
    return invalid(`${rawName} needs a value: write ${rawName} ${shown}.`);
  if (isAgain && isRepeated !== true && takesOperands !== true)
    return invalid(`${rawName} is given twice: leave one of them out.`);
  if (choices === undefined || choices.includes(value)) return null;
  const meant = nearest(value, choices);
  const start = `${rawName} is ${listOf(choices)}, not "${value}"`;
  return invalid(meant === null ? `${start}.` : `${start}: did you mean ${meant}?`);
}

function unknownOption(command: Command, name: string, rawName: string): Invalid {
  const names = optionsOf(command).map(([one]) => one);
  const meant = rawName.startsWith('--') ? nearest(name, names) : null;
  const start = `"hotspan ${command.name}" has no option ${rawName}`;
  if (meant !== null) return invalid(`${start}: did you mean --${meant}?`);
  if (Object.hasOwn(command.options, 'load') && isLoadOption(rawName))
    return invalid(`${start}: it belongs in the words of --load, as in --load "-c 5 -a 200 /path".`);
  const others = commands.filter(({ options }) => Object.hasOwn(options, name));
  if (others.length === 0) return invalid(`${start}: "hotspan help ${command.name}" lists those that it has.`);
  return invalid(`${start}: it belongs to ${listOf(others.map((one) => `"hotspan ${one.name} ${rawName}"`))}.`);
}
