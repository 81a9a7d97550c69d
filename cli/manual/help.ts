import { type Command, type ExitCode, type Option, optionsOf } from '../arguments/command.ts';
import { commands, commonExitCodes, programOptions } from '../arguments/commands.ts';
import { indented, wrap } from '../views/wrap.ts';

export const purpose = 'Finds the lines of a Node.js program that block the event loop.';

/** Ways to call hotspan that are no command's name, with what they do. */
export const shortForms: readonly (readonly [string, string])[] = [
  ['hotspan -- npm test', 'runs any command and shows what blocked: short for hotspan record'],
  ['hotspan', 'in a project, at a terminal: offers to record its tests'],
  ['hotspan help COMMAND', 'shows all options of a command'],
];

/** The help of a command, or of hotspan where `topic` is null, for lines of so many characters. Ends with a line break. */
export function helpText(topic: Command | null, columns: number): string {
  const width = Math.min(columns, widest);
  return `${(topic === null ? programLines(width) : commandLines(topic, width)).join('\n')}\n`;
}

/** Longer lines are hard to read. */
const widest = 110;

function programLines(width: number): readonly string[] {
  return [
    ...wrap(purpose, width),
    '',
    ...rowsOf(
      [
        ...shortForms,
        ...commands.map(({ name, summary }) => [`hotspan ${name}`, summary] as const),
        ...Object.entries(programOptions).map(
          ([name, { short, help }]) => [`hotspan -${short}, --${name}`, help] as const,
        ),
      ],
      width,
    ),
    '',
    'Exit codes',
    ...exitLines(allExitCodes(), width),
  ];
}

function commandLines(command: Command, width: number): readonly string[] {
  const lines: string[] = [];
  for (const usage of command.usage) lines.push(...wrap(`hotspan ${usage}`, width));
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

/** `-o, --out DIR`, with room for the letter where there is none. */
function optionName(name: string, option: Option): string {
  return `${option.short === undefined ? '    ' : `-${option.short}, `}${longName(name, option)}`;
}

/** `--out DIR`. */
export function longName(name: string, { value }: Option): string {
  return `--${name}${value === undefined ? '' : ` ${value.name}`}`;
}

/** The help of an option, with what may stand there and what stands there by itself. */
export function optionHelp({ help, value }: Option): string {
  const choices = value?.choices === undefined ? '' : `: ${value.choices.join(' or ')}`;
  return `${help}${choices}${value?.standard === undefined ? '' : ` (${value.standard})`}`;
}

/** What a command's exit codes mean, the common ones with them, in their order. */
export function exitCodesOf({ exitCodes }: Command): readonly ExitCode[] {
  const isOwn = ({ code }: ExitCode): boolean =>
    exitCodes.some((own) => own.code === code || own.code.startsWith('as'));
  const common = commonExitCodes.filter((one) => one.code === '2' || !isOwn(one));
  const missing = common.filter(({ code }) => !exitCodes.some((own) => own.code === code));
  return [...exitCodes, ...missing].toSorted((a, b) => orderOf(a) - orderOf(b));
}

/** The codes of all commands, each with the commands that give it a meaning of their own. */
export function allExitCodes(): readonly ExitCode[] {
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
  const longest = Math.max(0, ...names.map(({ length }) => length));
  return Math.min(longest, Math.floor(width / 2));
}

/** A name, and beside it what it means. A name that is too long has a line of its own. */
function row(name: string, text: string, left: number, width: number): readonly string[] {
  const lines = indented(wrap(text, width - left - 4), left + 4);
  const [first = '', ...rest] = lines;
  return name.length > left
    ? [`  ${name}`, ...lines]
    : [`  ${name.padEnd(left)}  ${first.trimStart()}`.trimEnd(), ...rest];
}
