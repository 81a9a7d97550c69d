import { budgetFile } from '../../protocol/budget.ts';
import { parseReport, reportFormats, type WantedReport } from './parse-report.ts';
import { readFormat, readTakenFor, severalOptions } from './analyze-arguments.ts';
import { type Command, type Given, type Invalid, invalid, type Option } from './command.ts';
import { mapOption, readMaps } from './path-maps.ts';
import type { PathRule } from '../../protocol/path-rules.ts';

export interface CheckArguments {
  /** Recordings to judge, as typed; empty: the command is run. */
  readonly paths: readonly string[];
  /** Empty, where no path is given: that of the last recording. */
  readonly command: readonly string[];
  /** Path of the budget, as typed. */
  readonly budget: string;
  /** Writes the budget instead of judging by it. */
  readonly update: boolean;
  readonly format: 'table' | 'markdown' | 'json';
  readonly reports: readonly WantedReport[];
  /** What several recordings are taken for; null where the recordings tell. */
  readonly takenFor: 'runs' | 'shards' | null;
  /** Folders of another machine, each with the folder here as typed. */
  readonly maps: readonly PathRule[];
}

export type CheckInvocation = { readonly type: 'check'; readonly options: CheckArguments } | Invalid;

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
} as const satisfies Command<CheckInvocation>;

function readCheck(given: Given<keyof typeof checkOptions>): CheckInvocation {
  const [paths, command] = [given.operands, given.command ?? []];
  if (paths.length > 0 && command.length > 0)
    return invalid('Give recordings to judge, or a command to run, not both: hotspan check -- npm test.');
  if (paths.includes('')) return invalid('Give the folder of a recording, or a command: hotspan check -- npm test.');
  const format = readFormat(given);
  if (typeof format === 'object') return format;
  const takenFor = readTakenFor(given);
  if (typeof takenFor === 'object' && takenFor !== null) return takenFor;
  if (takenFor !== null && paths.length === 0) return invalid(`--${takenFor} is for recordings: name them.`);
  const maps = readMaps(given);
  if (maps.type === 'invalid') return maps;
  if (maps.rules.length > 0 && paths.length === 0) return invalid('--map is for recordings: name them.');
  const reports: WantedReport[] = [];
  for (const typed of given.texts('report')) {
    const parsed = parseReport(typed);
    if (parsed.type === 'invalid') return parsed;
    reports.push(parsed.report);
  }
  return {
    type: 'check',
    options: {
      ...{ paths, command, reports, takenFor, maps: maps.rules, update: given.has('update') },
      budget: given.text('budget') ?? budgetFile,
      format,
    },
  };
}
