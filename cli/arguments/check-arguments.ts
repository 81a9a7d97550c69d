import { budgetFile } from '../../protocol/budget.ts';
import type { Command, Given, Invalid, Option, OptionsOf } from './command.ts';
import { allValid, invalid, isInvalid, listOf } from './command.ts';
import { mapOption, readFormat, readMaps, readTakenFor, severalOptions } from './shared-options.ts';

/** The formats of reports for CI services: annotations of GitHub, Code Quality of GitLab, SARIF and JUnit. */
const reportFormats = ['github', 'gitlab', 'sarif', 'junit'] as const;
export type ReportFormat = (typeof reportFormats)[number];

/** One `--report FORMAT[=FILE]`. */
export interface WantedReport {
  readonly format: ReportFormat;
  /** Null for standard output. */
  readonly file: string | null;
}

const checkOptions = {
  update: { help: 'writes the budget: twice what three runs measure, and 30 ms for every other function' },
  budget: { value: { name: 'FILE', kind: 'file', standard: budgetFile }, help: 'the budget' },
  json: { help: 'everything, as JSON' },
  markdown: { help: 'for the summary of a CI job' },
  report: {
    value: { name: 'FORMAT[=FILE]', kind: 'text', isRepeated: true },
    help: `for a CI service: ${reportFormats.join(', ')}; to standard output where no file is named`,
  },
  ...mapOption,
  ...severalOptions,
} as const satisfies Record<string, Option>;

export const check = {
  name: 'check',
  summary: 'fails where a function is over its budget',
  usage: ['check [options] [-- COMMAND …]', 'check [options] RECORDING …'],
  about: [
    'Judges the command (else that of the last recording) by the budget of this folder. What is over its budget is run twice more, and fails only if it is over it each time.',
    'Recordings are judged as they are: nothing is run. Runs of one thing fail only if all are over a budget; recordings of different commands or test files are judged as one run. The output says which it is; --runs or --shards sets it.',
  ],
  options: checkOptions,
  operands: { kind: 'file', hasCommand: true },
  exitCodes: [
    { code: '0', means: 'everything is within its budget' },
    { code: '1', means: 'something is over its budget' },
    { code: '2', means: 'there is nothing to judge, or no budget' },
    { code: '3', means: 'not all could be judged, or it was stopped' },
    { code: 'as COMMAND', means: 'the command has failed: what it printed is shown' },
  ],
  otherNames: ['budget', 'gate', 'ci', 'assert'],
  read: readCheck,
} as const satisfies Command;

/** All paths are as typed. */
export type CheckArguments = OptionsOf<typeof readCheck>;

function readCheck(given: Given<keyof typeof checkOptions>) {
  const [paths, command] = [given.operands, given.command ?? []];
  if (paths.length > 0 && command.length > 0)
    return invalid('Give recordings to judge, or a command to run, not both: "hotspan check -- npm test".');
  if (paths.includes('')) return invalid('Give the folder of a recording, or a command: "hotspan check -- npm test".');
  const shown = ['report', 'json', 'markdown'] as const;
  const unused = given.has('update') ? shown.find((one) => given.has(one)) : undefined;
  if (unused !== undefined) return invalid(`--${unused} is of a check, and --update only writes the budget: run both.`);
  const read = allValid({ format: readFormat(given), takenFor: readTakenFor(given), maps: readMaps(given) });
  if (isInvalid(read)) return read;
  const forRecordings = read.takenFor ?? (read.maps.length > 0 ? 'map' : null);
  if (forRecordings !== null && paths.length === 0) return invalid(`--${forRecordings} is for recordings: name them.`);
  const parsed = given.texts('report').map(parseReport);
  const wrong = parsed.find(isInvalid);
  if (wrong !== undefined) return wrong;
  const reports: readonly WantedReport[] = parsed.flatMap((report) => (isInvalid(report) ? [] : [report]));
  const budget = given.text('budget') ?? budgetFile;
  /** Without `paths`, the command is run; if that is empty, too, the command of the last recording. */
  return { type: 'check', options: { ...read, paths, command, reports, update: given.has('update'), budget } } as const;
}

export function parseReport(typed: string): WantedReport | Invalid {
  const [, name = typed, file = null] = /^([^=]*)=(.*)$/s.exec(typed) ?? [];
  const format = reportFormats.find((known) => known === name);
  if (format === undefined)
    return invalid(`Unknown report "${name}": choose ${listOf(reportFormats)}, as in --report sarif=out.sarif.`);
  if (file === '') return invalid(`Name a file after "${name}=", or leave the "=" out for standard output.`);
  return { format, file };
}
