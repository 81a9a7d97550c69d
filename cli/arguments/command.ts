/** `message` is one sentence that says what to do instead. */
export interface Invalid {
  readonly type: 'invalid';
  readonly message: string;
}

export function invalid(message: string): Invalid {
  return { type: 'invalid', message };
}

export function isInvalid(value: unknown): value is Invalid {
  return typeof value === 'object' && value !== null && 'type' in value && value.type === 'invalid';
}

type Valid<Values> = Values & { readonly [Key in keyof Values]: Exclude<Values[Key], Invalid> };

/** These values, if all of them are valid; else the first invalid one. */
export function allValid<Values extends object>(values: Values): Valid<Values> | Invalid {
  const areValid = (all: Values): all is Valid<Values> => !Object.values(all).some(isInvalid);
  return areValid(values) ? values : (Object.values(values).find(isInvalid) ?? invalid(''));
}

/** The options of a command, as its `read` returns them. */
export type OptionsOf<Read extends (...given: never) => unknown> = Extract<
  ReturnType<Read>,
  { readonly options: unknown }
>['options'];

/** `a`, `a or b`, `a, b or c`. */
export function listOf(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} or ${last}`;
}

/** A row of the table of commands, from which parsing, help and completion are made. */
export interface Command<Result = unknown> {
  readonly name: string;
  readonly summary: string;
  /** A second, shorter name. */
  readonly alias?: string;
  /** Ways to call it, without `hotspan`: `record [options] -- COMMAND …`. */
  readonly usage: readonly string[];
  /** Paragraphs below the usage. Lines that begin with two spaces are examples, printed unchanged. */
  readonly about: readonly string[];
  /** By their long names, in the order in which they are shown. */
  readonly options: Readonly<Record<string, Option>>;
  /** Kind of the arguments that are not options. */
  readonly operands: Operands;
  readonly exitCodes: readonly ExitCode[];
  /** Words that people may try instead of `name`; used only to suggest this command. */
  readonly otherNames: readonly string[];
  readonly read: (given: Given) => Result;
}

export interface Option {
  readonly short?: string;
  /** A phrase that begins in lower case and has no full stop. */
  readonly help: string;
  /** Absent for an option without a value. */
  readonly value?: OptionValue;
  /** A line above this option in the help. */
  readonly heading?: string;
}

export interface OptionValue {
  /** As the help shows it: `DIR`. */
  readonly name: string;
  readonly kind: 'folder' | 'file' | 'text' | 'choice';
  /** Only for the kind `choice`. */
  readonly choices?: readonly string[];
  /** Shown after the help text in brackets. */
  readonly standard?: string;
  /** The option may be given several times. */
  readonly isRepeated?: true;
  /** The operands between this option and the next one belong to this option. */
  readonly takesOperands?: true;
  /** The value may look like an option. */
  readonly hasDashes?: true;
}

export interface Operands {
  readonly kind: 'file' | 'folder' | 'command' | 'choice';
  /** Only for the kind `choice`. */
  readonly choices?: readonly string[];
  /** `--` begins the command to run. */
  readonly hasCommand?: true;
  /** So does the first word that is not an option. */
  readonly beginsCommand?: true;
}

export interface ExitCode {
  /** A number, or a text such as `as COMMAND`. */
  readonly code: string;
  readonly means: string;
}

/** The words after a command's name, parsed. */
export interface Given<Name extends string = string> {
  readonly has: (name: Name) => boolean;
  /** The value of the option, or the first of several; never empty. Null without it. */
  readonly text: (name: Name) => string | null;
  readonly texts: (name: Name) => readonly string[];
  readonly operands: readonly string[];
  /** The command to run; null without `--` or a word that begins it. */
  readonly command: readonly string[] | null;
}

const helpOption: Option = { short: 'h', help: 'shows this help' };

/** The options of a command with `--help`, which comes last of those without a heading. */
export function optionsOf({ options }: Command): readonly (readonly [string, Option])[] {
  const own = Object.entries(options);
  const headed = own.findIndex(([, { heading }]) => heading !== undefined);
  return own.toSpliced(headed < 0 ? own.length : headed, 0, ['help', helpOption]);
}

/** The word that was probably meant; null if none is similar. Ignores case. */
export function nearest(typed: string, words: Iterable<string>): string | null {
  const [start, all] = [typed.toLowerCase(), [...words]];
  for (let edits = 0; edits <= Math.min(2, Math.floor(typed.length / 3)); edits++) {
    const near = all.find((word) => isWithin(edits, start, word.toLowerCase()));
    if (near !== undefined) return near;
  }
  const begun = start.length < 3 ? [] : all.filter((word) => word.startsWith(start));
  return begun.length === 1 ? (begun[0] ?? null) : null;
}

/**
 * Whether at most `edits` changes, insertions, deletions or swaps of neighbouring letters turn one word into the other
 * (optimal string alignment). Takes time proportional to 4^`edits`.
 */
function isWithin(edits: number, from: string, to: string): boolean {
  if (from === to) return true;
  if (Math.abs(from.length - to.length) > edits || edits === 0) return false;
  const [fromRest, toRest] = [from.slice(1), to.slice(1)];
  if (from[0] === to[0]) return isWithin(edits, fromRest, toRest);
  const isSwapped = from[0] === to[1] && from[1] === to[0];
  return (
    isWithin(edits - 1, fromRest, toRest) ||
    isWithin(edits - 1, fromRest, to) ||
    isWithin(edits - 1, from, toRest) ||
    (isSwapped && isWithin(edits - 1, from.slice(2), to.slice(2)))
  );
}
