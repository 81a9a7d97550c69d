import { maxOf } from '../../protocol/figures.ts';
import { type Command, type ExitCode, type Option, optionsOf } from '../arguments/command.ts';
import { commands, commonExitCodes, helpCommand, programOptions } from '../arguments/commands.ts';
import { indented, wrap } from '../views/fit.ts';

const purpose = 'Finds the lines of a Node.js program that block the event loop.';

/** Ways to call hotspan without the name of a command: what follows the name of the program. */
const shortForms: readonly (readonly [string, string])[] = [
  [' -- npm test', 'runs any command and shows what blocked: short for hotspan record'],
  ['', 'in a project, at a terminal: offers to record its tests'],
  [` ${helpCommand.name} COMMAND`, helpCommand.summary],
];

/** The help of a command; of hotspan if `topic` is null. Ends with a line break. `program`: how Hotspan was started. */
export function helpText(topic: Command | null, columns: number, program = 'hotspan'): string {
  const width = Math.min(columns, MAX_COLUMNS);
  return `${(topic === null ? programLines(width, program) : commandLines(topic, width, program)).join('\n')}\n`;
}

/** Longer lines are hard to read. */
const MAX_COLUMNS = 110;

function programLines(width: number, program: string): readonly string[] {
  return [
    ...wrap(purpose, width),
    '',
    ...rowsOf(
      [
        ...shortForms.map(([words, help]) => [`${program}${words}`, help] as const),
        ...commands.map(({ name, summary }) => [`${program} ${name}`, summary] as const),
        ...Object.entries(programOptions).map(
          ([name, { short, help }]) => [`${program} -${short}, --${name}`, help] as const,
        ),
      ],
      width,
    ),
    '',
    'Exit codes',
    ...exitLines(allExitCodes(), width),
  ];
}

function commandLines(command: Command, width: number, program: string): readonly string[] {
  const lines: string[] = [];
  for (const usage of command.usage) lines.push(...wrap(`${program} ${usage}`, width));
  for (const about of command.about) lines.push('', ...(about.startsWith(' ') ? [about] : wrap(about, width)));
  const left = leftWidth(
    optionsOf(command).map(([name, option]) => optionName(name, option)),
    width,
  );
  lines.push('');
  for (const [name, option] of optionsOf(command)) {
    if (option.heading !== undefined) lines.push('', ...wrap(option.heading, width));
    lines.push(...row(optionName(name, option), optionHelp(option), left, width));
  }
  return [...lines, '', 'Exit codes', ...exitLines(exitCodesOf(command), width)];
}

/** `-o, --out DIR`, aligned if there is no letter. */
function optionName(name: string, { short, value }: Option): string {
  return `${short === undefined ? '    ' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value.name}`}`;
}

/** The help of an option, with its choices and its default. */
export function optionHelp({ help, value }: Option): string {
  const choices = value?.choices === undefined ? '' : `: ${value.choices.join(' or ')}`;
  return `${help}${choices}${value?.standard === undefined ? '' : ` (${value.standard})`}`;
}

/** The exit codes of a command, and the common ones. A command with `as COMMAND` has no meaning for 0. */
export function exitCodesOf({ exitCodes }: Command): readonly ExitCode[] {
  const own = new Set(exitCodes.map(({ code }) => (code.startsWith('as') ? '0' : code)));
  const missing = commonExitCodes.filter(({ code }) => !own.has(code));
  return [...exitCodes, ...missing].toSorted((a, b) => orderOf(a) - orderOf(b));
}

/** The common codes, and those of each command with its name. */
function allExitCodes(): readonly ExitCode[] {
  const own = commands.flatMap((command) =>
    command.exitCodes.map(({ code, means }) => ({ code, means: `${command.name}: ${means}` })),
  );
  return [...commonExitCodes, ...own].toSorted((a, b) => orderOf(a) - orderOf(b));
}

/** By number; texts come first. */
function orderOf({ code }: ExitCode): number {
  const value = Number(code);
  return Number.isNaN(value) ? -1 : value;
}

function exitLines(codes: readonly ExitCode[], width: number): readonly string[] {
  return rowsOf(
    codes.map(({ code, means }, index) => [code === codes[index - 1]?.code ? '' : code, means]),
    width,
  );
}

function rowsOf(rows: readonly (readonly [string, string])[], width: number): readonly string[] {
  const left = leftWidth(
    rows.map(([name]) => name),
    width,
  );
  return rows.flatMap(([name, text]) => row(name, text, left, width));
}

function leftWidth(names: readonly string[], width: number): number {
  const longest = Math.max(0, maxOf(names.map(({ length }) => length)));
  return Math.min(longest, Math.floor(width / 2));
}

/** A name, and beside it its meaning; below it if the name is too long. */
function row(name: string, text: string, left: number, width: number): readonly string[] {
  const lines = indented(wrap(text, width - left - 4), left + 4);
  const [first = '', ...rest] = lines;
  return name.length > left
    ? [`  ${name}`, ...lines]
    : [`  ${name.padEnd(left)}  ${first.trimStart()}`.trimEnd(), ...rest];
}
