import { parseArgs, type ParseArgsConfig } from 'node:util';
import { type Command, type Given, type Invalid, invalid, type Option, optionsOf } from './command.ts';
import { nearest } from './did-you-mean.ts';

export type Parsed = { readonly type: 'help' } | { readonly type: 'parsed'; readonly given: Given } | Invalid;

/**
 * The words after a command's name, as Node splits them. `all` are the other commands, which may have an option that
 * this one has not.
 */
export function parseOptions(command: Command, words: readonly string[], all: readonly Command[]): Parsed {
  const options = Object.fromEntries(optionsOf(command));
  const start = commandStart(words, command, options);
  const own = start === null ? words : words.slice(0, start.options);
  const config = Object.entries(options).map(([name, option]) => [name, configOf(option)] as const);
  const { tokens } = parseArgs({
    args: [...own],
    options: Object.fromEntries(config),
    strict: false,
    tokens: true,
    allowPositionals: true,
  });
  const values = new Map<string, string[]>();
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const wrong = wrongOption(command, token, options[token.name], all);
    if (wrong !== null) return wrong;
    values.set(token.name, [...(values.get(token.name) ?? []), token.value ?? '']);
  }
  if (values.has('help')) return { type: 'help' };
  const taking = tokens.find((token) => token.kind === 'option' && options[token.name]?.value?.takesOperands === true);
  const operands: string[] = [];
  for (const token of tokens) {
    if (token.kind !== 'positional') continue;
    const taken = taking?.kind === 'option' && token.index > taking.index ? values.get(taking.name) : undefined;
    (taken ?? operands).push(token.value);
  }
  return {
    type: 'parsed',
    given: givenOf(options, values, operands, start === null ? null : words.slice(start.command)),
  };
}

function givenOf(
  options: Readonly<Record<string, Option>>,
  values: ReadonlyMap<string, readonly string[]>,
  operands: readonly string[],
  command: readonly string[] | null,
): Given {
  const texts = (name: string): readonly string[] => {
    if (options[name] === undefined) throw new Error(`No option --${name} is in the table of this command.`);
    return values.get(name) ?? [];
  };
  return { has: (name) => texts(name).length > 0, text: (name) => texts(name).at(-1), texts, operands, command };
}

/** Where the options end, and where the command that is to be run begins; null where there is no such command. */
function commandStart(
  words: readonly string[],
  { operands }: Command,
  options: Readonly<Record<string, Option>>,
): { readonly options: number; readonly command: number } | null {
  if (operands?.hasCommand !== true) return null;
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (word === '--') return { options: at, command: at + 1 };
    const isOption = word.startsWith('-') && word !== '-';
    if (isOption) at += takesNext(word, options) ? 1 : 0;
    else if (operands.beginsCommand === true) return { options: at, command: at };
  }
  return null;
}

/** Whether the word after an option is its value. */
function takesNext(word: string, options: Readonly<Record<string, Option>>): boolean {
  if (word.startsWith('--')) return options[word.slice(2)]?.value !== undefined;
  const letters = word.slice(1).split('');
  const valued = letters.findIndex((letter) => byLetter(letter, options)?.value !== undefined);
  return valued === letters.length - 1;
}

function byLetter(letter: string, options: Readonly<Record<string, Option>>): Option | undefined {
  return Object.values(options).find(({ short }) => short === letter);
}

function configOf({ short, value }: Option): NonNullable<ParseArgsConfig['options']>[string] {
  return { type: value === undefined ? 'boolean' : 'string', ...(short === undefined ? {} : { short }) };
}

interface OptionToken {
  readonly name: string;
  /** As typed, without its value. */
  readonly rawName: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
}

/** What is wrong with an option; null where nothing is. Its value may still be none that the command takes. */
function wrongOption(
  command: Command,
  { name, rawName, value, inlineValue }: OptionToken,
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
  if (others.length > 0) {
    const called = others.map((one) => `"hotspan ${one.name} ${rawName}"`);
    return invalid(`${start}: it is of ${listOf(called)}.`);
  }
  return invalid(`${start}: "hotspan help ${command.name}" lists those that it has.`);
}

/** `a`, `a or b`, `a, b or c`. */
export function listOf(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} or ${last}`;
}
