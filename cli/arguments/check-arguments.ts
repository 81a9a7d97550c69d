import { budgetFile } from '../../protocol/budget.ts';
import type { PathRule } from '../../protocol/path-rules.ts';
import {
  allValid,
  type Command,
  type Given,
  type Invalid,
  invalid,
  isInvalid,
  listOf,
  type Option,
  type Read,
} from './command.ts';
import {
  type Format,
  mapOption,
  readFormat,
  readMaps,
  readTakenFor,
  severalOptions,
  type TakenFor,
} from './shared-options.ts';

/** All paths are as typed. */
export interface CheckArguments {
  /** Recordings to judge; empty: the command is run. */
  readonly paths: readonly string[];
  /** Empty, where no path is given: that of the last recording. */
  readonly command: readonly string[];
  readonly budget: string;
  /** Write the budget instead of judging by it. */
  readonly update: boolean;
  readonly format: Format;
  readonly reports: readonly WantedReport[];
  readonly takenFor: TakenFor;
  readonly maps: readonly PathRule[];
}

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
    'Recordings are judged as they are: nothing is run. Runs of one thing fail only if all are over a budget; recordings of different commands or test files are judged as one run. What they were taken for is said; --runs and --shards decide it.',
  ],
  options: checkOptions,
  operands: { kind: 'paths', hasCommand: true },
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

function readCheck(given: Given<keyof typeof checkOptions>): Read<'check', CheckArguments> {
  const [paths, command] = [given.operands, given.command ?? []];
  if (paths.length > 0 && command.length > 0)
    return invalid('Give recordings to judge, or a command to run, not both: hotspan check -- npm test.');
  if (paths.includes('')) return invalid('Give the folder of a recording, or a command: hotspan check -- npm test.');
  const read = allValid({ format: readFormat(given), takenFor: readTakenFor(given), maps: readMaps(given) });
  if (isInvalid(read)) return read;
  const forRecordings = read.takenFor ?? (read.maps.length > 0 ? 'map' : null);
  if (forRecordings !== null && paths.length === 0) return invalid(`--${forRecordings} is for recordings: name them.`);
  const reports: WantedReport[] = [];
  for (const typed of given.texts('report')) {
    const report = parseReport(typed);
    if (isInvalid(report)) return report;
    reports.push(report);
  }
  const budget = given.text('budget') ?? budgetFile;
  return { type: 'check', options: { ...read, paths, command, reports, update: given.has('update'), budget } };
}

export function parseReport(typed: string): WantedReport | Invalid {
  const [, name = typed, file = null] = /^([^=]*)=(.*)$/s.exec(typed) ?? [];
  const format = reportFormats.find((known) => known === name);
  if (format === undefined)
    return invalid(`Unknown report "${name}": choose ${listOf(reportFormats)}, as in --report sarif=out.sarif.`);
  if (file === '') return invalid(`Name a file after "${name}=", or leave the "=" out for standard output.`);
  return { format, file };
}
