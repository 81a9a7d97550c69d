import { type Command, type Invalid, invalid, listOf } from './command.ts';
import { type CommandInvocation, commands, helpCommand, programOptions } from './commands.ts';
import { nearest } from './did-you-mean.ts';
import { parseOptions } from './parse-options.ts';
import { record } from './record-arguments.ts';

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
  const command = commands.find(({ name }) => name === first);
  return command === undefined ? unknown(first, words) : parseCommand(command, rest);
}

function parseCommand(command: Command<CommandInvocation>, words: readonly string[]): Invocation {
  const parsed = parseOptions(command, words, commands);
  if (parsed.type === 'help') return { type: 'help', topic: command };
  return parsed.type === 'invalid' ? parsed : command.read(parsed.given);
}

function helpOf([topic]: readonly string[]): Invocation {
  if (topic === undefined || topic.startsWith('-')) return { type: 'help', topic: null };
  const command = commands.find(({ name }) => name === topic);
  if (command !== undefined) return { type: 'help', topic: command };
  const meant = meantCommand(topic);
  const instead = meant === null ? `the commands are ${listOf(names)}.` : `did you mean "hotspan help ${meant}"?`;
  return invalid(`There is no command "${topic}": ${instead}`);
}

const names = commands.map(({ name }) => name);

/** Says of a first word that is no command what to type instead. */
function unknown(first: string, words: readonly string[]): Invalid {
  if (first.startsWith('-')) return unknownOption(first, words);
  const meant = meantCommand(first);
  if (meant !== null) {
    const line = ['hotspan', meant, ...words.slice(1)].join(' ');
    return invalid(`There is no command "${first}": did you mean "${line}"?`);
  }
  const shown = words.join(' ');
  if (/[\\/.]/.test(first))
    return invalid(`There is no command "${first}": to show a recording, type "hotspan analyze ${shown}".`);
  return invalid(
    `There is no command "${first}": to record it, type "hotspan -- ${shown}"; to see all, "hotspan help".`,
  );
}

function unknownOption(first: string, words: readonly string[]): Invalid {
  const meant = nearest(first.replace(/^-+/, ''), Object.keys(programOptions));
  if (meant !== null) return invalid(`hotspan has no option ${first}: did you mean --${meant}?`);
  const name = first.replace(/^-+/, '').replace(/=.*/, '');
  const owner = commands.find(({ options }) =>
    Object.entries(options).some(([one, { short }]) => one === name || short === name),
  );
  return owner === undefined
    ? invalid(`hotspan has no option ${first}: "hotspan help" shows what there is.`)
    : invalid(`${first} comes after a command: type "hotspan ${owner.name} ${words.join(' ')}".`);
}

function meantCommand(typed: string): string | null {
  const word = typed.toLowerCase();
  const known = commands.find(({ otherNames }) => otherNames.includes(word));
  return known?.name ?? nearest(word, [...names, helpCommand.name]);
}
