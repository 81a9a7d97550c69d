import { type Command, type ExitCode, optionsOf } from '../arguments/command.ts';
import { commands, programOptions } from '../arguments/commands.ts';
import { allExitCodes, exitCodesOf, longName, optionHelp, purpose, shortForms } from './help.ts';

/** The manual page in the man macros of roff, as `man hotspan` shows it. */
export function manPage(version: string): string {
  return `${[
    String.raw`.\" Made by "npm run man" of the table of commands in cli/arguments/: not to be edited.`,
    `.TH HOTSPAN 1 "" "hotspan ${escape(version)}" "User Commands"`,
    '.SH NAME',
    `hotspan \\- ${escape(purpose.charAt(0).toLowerCase() + purpose.slice(1).replace(/\.$/, ''))}`,
    '.SH SYNOPSIS',
    ...commands.flatMap(synopsis),
    '.SH DESCRIPTION',
    `${escape(purpose)} All figures that are estimated say so by ${escape('≈')}.`,
    ...shortForms.flatMap(([form, means]) => entry(form, sentence(means))),
    ...Object.entries(programOptions).flatMap(([name, { short, help }]) =>
      entry(`-${short}, --${name}`, sentence(help)),
    ),
    '.SH COMMANDS',
    ...commands.flatMap(commandSection),
    '.SH EXIT STATUS',
    ...exitEntries(allExitCodes()),
    '.SH FILES',
    ...entry('~/.cache/hotspan/recordings/PROJECT/', 'Recordings of a project, each in a folder of its own.'),
    ...entry('.hotspan/', 'Baselines; recordings, where there is no cache folder.'),
    '.SH ENVIRONMENT',
    ...entry('HOTSPAN_RECORDINGS', 'An absolute folder for the recordings of all projects.'),
    ...entry('NO_COLOR, FORCE_COLOR, TERM=dumb', 'No colours; colours; no colours and no line that replaces itself.'),
  ].join('\n')}\n`;
}

function synopsis({ usage }: Command): readonly string[] {
  return usage.flatMap((line, index) => [...(index === 0 ? [] : ['.br']), `.B hotspan ${escape(line)}`]).concat('.br');
}

function commandSection(command: Command): readonly string[] {
  return [
    `.SS hotspan ${escape(command.name)}`,
    escape(sentence(command.summary)),
    ...command.about.flatMap((text) =>
      text.startsWith(' ') ? ['.PP', '.RS 4', '.nf', escape(text.trim()), '.fi', '.RE'] : ['.PP', escape(text)],
    ),
    ...optionsOf(command).flatMap(([name, option]) => [
      ...(option.heading === undefined ? [] : ['.PP', escape(option.heading)]),
      ...entry(
        `${option.short === undefined ? '' : `-${option.short}, `}${longName(name, option)}`,
        sentence(optionHelp(option)),
      ),
    ]),
    '.PP',
    'Exit status:',
    ...exitEntries(exitCodesOf(command)),
  ];
}

function exitEntries(codes: readonly ExitCode[]): readonly string[] {
  return codes.flatMap(({ code, means }) => entry(code, sentence(means)));
}

function entry(name: string, text: string): readonly string[] {
  return ['.TP', `.B ${escape(name)}`, escape(text)];
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** A text in which roff finds no command: neither a backslash, nor a dot or a quote at its start. */
function escape(text: string): string {
  return text
    .replaceAll('\\', String.raw`\e`)
    .replaceAll('-', String.raw`\-`)
    .replace(/^(?=[.'])/, String.raw`\&`)
    .replaceAll('"', String.raw`\(dq`)
    .replaceAll("'", String.raw`\(aq`)
    .replaceAll(
      /[^\0-\x7F]/gu,
      (sign) => String.raw`\[u${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`,
    );
}
