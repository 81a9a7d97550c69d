/** `message` is one sentence that says what to do instead. */
export interface Invalid {
  readonly type: 'invalid';
  readonly message: string;
}

export function invalid(message: string): Invalid {
  return { type: 'invalid', message };
}

/** `a`, `a or b`, `a, b or c`. */
export function listOf(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} or ${last}`;
}

/** A row of the table of commands: parsing, help and completion are made of it. */
export interface Command<Result = unknown> {
  readonly name: string;
  /** What it does, in a few words. */
  readonly summary: string;
  /** Ways to call it, without `hotspan`: `record [options] -- COMMAND …`. */
  readonly usage: readonly string[];
  /** Paragraphs below the usage. Lines that begin with two spaces are examples, and stay as they are. */
  readonly about: readonly string[];
  /** By their long names, in the order in which they are shown. */
  readonly options: Readonly<Record<string, Option>>;
  /** Kind of the arguments that are not options. */
  readonly operands: Operands;
  readonly exitCodes: readonly ExitCode[];
  /** Other names that people may try, each of one word; they are only used to suggest this command. */
  readonly otherNames: readonly string[];
  readonly read: (given: Given) => Result;
}

export interface Option {
  /** A letter. */
  readonly short?: string;
  /** A whole phrase that begins in lower case and has no dot at its end. */
  readonly help: string;
  /** What follows the option; absent for one that stands alone. */
  readonly value?: OptionValue;
  /** A line above this option and those after it in the help. */
  readonly heading?: string;
}

export interface OptionValue {
  /** As the help shows it: `DIR`. */
  readonly name: string;
  readonly kind: 'folder' | 'file' | 'text' | 'choice';
  /** All that may stand there; only for the kind `choice`. */
  readonly choices?: readonly string[];
  /** Shown after the help text in brackets. */
  readonly standard?: string;
  /** The option may be given several times. */
  readonly isRepeated?: true;
  /** The option takes all words behind its value up to the next option. */
  readonly takesOperands?: true;
  /** The value may look like an option. */
  readonly hasDashes?: true;
}

export interface Operands {
  readonly kind: 'paths' | 'folders' | 'command' | 'choice';
  /** All that may stand there; only for the kind `choice`. */
  readonly choices?: readonly string[];
  /** The first word that is no option begins a command, with all that follows. Else a command needs `--` before it. */
  readonly beginsCommand?: true;
  /** `--` begins a command. */
  readonly hasCommand?: true;
}

export interface ExitCode {
  /** A number, or a text such as `as COMMAND`. */
  readonly code: string;
  readonly means: string;
}

/** What was typed after a command's name, for that command's own code. */
export interface Given<Name extends string = string> {
  readonly has: (name: Name) => boolean;
  /** The last value of the option; undefined where it was not given. */
  readonly text: (name: Name) => string | undefined;
  readonly texts: (name: Name) => readonly string[];
  readonly operands: readonly string[];
  /** The words of the command to run; null where neither `--` nor a word of it was given. */
  readonly command: readonly string[] | null;
}

/** Every command has it. */
const helpOption: Option = { short: 'h', help: 'shows this help' };

/** The options of a command, by name. The help comes last of those that have no heading. */
export function optionsOf({ options }: Command): readonly (readonly [string, Option])[] {
  const own = Object.entries(options);
  const headed = own.findIndex(([, { heading }]) => heading !== undefined);
  return own.toSpliced(headed < 0 ? own.length : headed, 0, ['help', helpOption]);
}
