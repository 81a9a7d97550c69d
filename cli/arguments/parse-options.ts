import { parseArgs, type ParseArgsConfig } from 'node:util';
import {
  type Command,
  type Given,
  type Invalid,
  invalid,
  listOf,
  type Operands,
  type Option,
  optionsOf,
} from './command.ts';
import { nearest } from './did-you-mean.ts';

export type Parsed = { readonly type: 'help' } | { readonly type: 'parsed'; readonly given: Given } | Invalid;

/**
 * The words after a command's name, as Node splits them. `all` are the other commands, which may have an option that
 * this one has not.
 */
export function parseOptions(command: Command, words: readonly string[], all: readonly Command[]): Parsed {
  const options = Object.fromEntries(optionsOf(command));
  const tokens = tokensOf(words, options);
  const start = tokens.find((token) => startsCommand(token, command.operands));
  const values = new Map<string, string[]>();
  const operands: string[] = [];
  let taking: string[] | undefined;
  for (const token of tokens.slice(0, start === undefined ? undefined : tokens.indexOf(start))) {
    if (token.kind === 'positional') (taking ?? operands).push(token.value);
    if (token.kind !== 'option') continue;
    const wrong = wrongOption(command, token, options[token.name], all);
    if (wrong !== null) return wrong;
    const texts = [...(values.get(token.name) ?? []), token.value ?? ''];
    values.set(token.name, texts);
    if (options[token.name]?.value?.takesOperands === true) taking = texts;
  }
  if (values.has('help')) return { type: 'help' };
  const texts = (name: string): readonly string[] => values.get(name) ?? [];
  const run = start === undefined ? null : words.slice(start.kind === 'positional' ? start.index : start.index + 1);
  return {
    type: 'parsed',
    given: { has: (name) => values.has(name), text: (name) => texts(name).at(-1), texts, operands, command: run },
  };
}

type Token = NonNullable<ReturnType<typeof parseArgs>['tokens']>[number];

function tokensOf(words: readonly string[], options: Readonly<Record<string, Option>>): readonly Token[] {
  const config = Object.entries(options).map(([name, option]) => [name, configOf(option)] as const);
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

/** Whether the command that is to be run begins here. */
function startsCommand({ kind }: Token, { hasCommand, beginsCommand }: Operands): boolean {
  return hasCommand === true && (kind === 'option-terminator' || (beginsCommand === true && kind === 'positional'));
}

/** What is wrong with an option; null where nothing is. Its value may still be none that the command takes. */
function wrongOption(
  command: Command,
  { name, rawName, value, inlineValue }: Extract<Token, { readonly kind: 'option' }>,
  option: Option | undefined,
  all: readonly Command[],
): Invalid | null {
  if (option === undefined) return unknownOption(command, name, rawName, all);
  if (option.value === undefined)
    return inlineValue === true ? invalid(`${rawName} takes no value: write ${rawName} alone.`) : null;
  const { name: shown, choices, hasDashes } = option.value;
  const isNext = inlineValue !== true && hasDashes !== true && value !== undefined && /^--?[a-z]/i.test(value);
  if (value === undefined || isNext) return invalid(`${rawName} needs a value: write ${rawName} ${shown}.`);
  if (choices === undefined || choices.includes(value)) return null;
  const meant = nearest(value, choices);
  const start = `${rawName} is ${listOf(choices)}, not "${value}"`;
  return invalid(meant === null ? `${start}.` : `${start}: did you mean ${meant}?`);
}

function unknownOption(command: Command, name: string, rawName: string, all: readonly Command[]): Invalid {
  const names = optionsOf(command).map(([one]) => one);
  const meant = rawName.startsWith('--') ? nearest(name, names) : null;
  const start = `"hotspan ${command.name}" has no option ${rawName}`;
  if (meant !== null) return invalid(`${start}: did you mean --${meant}?`);
  const others = all.filter(({ options }) => Object.hasOwn(options, name));
  if (others.length === 0) return invalid(`${start}: "hotspan help ${command.name}" lists those that it has.`);
  return invalid(`${start}: it is of ${listOf(others.map((one) => `"hotspan ${one.name} ${rawName}"`))}.`);
}
