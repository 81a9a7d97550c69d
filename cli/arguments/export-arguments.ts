import type { Command, Given, Invalid, Option, OptionsOf } from './command.ts';
import { invalid, isInvalid, listOf } from './command.ts';

const formats = ['pprof', 'speedscope', 'folded', 'cpuprofile'] as const;

const exportOptions = {
  format: {
    value: { name: 'FORMAT', kind: 'choice', choices: formats, standard: 'pprof' },
    help: 'for go tool pprof, Pyroscope and Parca; speedscope; flamegraph.pl; or Chrome and Firefox',
  },
  out: { short: 'o', value: { name: 'FILE', kind: 'file', standard: 'standard output' }, help: 'where it goes' },
  operation: {
    value: { name: 'N', kind: 'text' },
    help: 'only the longest operation (1, or "worst"), the second, …',
  },
  scrub: { help: 'without your folders, the command, ids in routes, and what looks like a secret' },
} as const satisfies Record<string, Option>;

export const exporting = {
  name: 'export',
  summary: 'writes a recording for another profiler',
  usage: ['export [PATH] [options]'],
  about: [
    'PATH is a recording folder, a .cpuprofile, or a project: its newest recording; without it, that of the current folder. Times are held time, with source-mapped functions; pprof also has samples, wall time, and the labels thread, test and route.',
  ],
  options: exportOptions,
  operands: { kind: 'file' },
  exitCodes: [],
  otherNames: ['convert', 'pprof', 'speedscope'],
  read: readExport,
} as const satisfies Command;

/** All paths are as typed. */
export type ExportArguments = OptionsOf<typeof readExport>;

function readExport(given: Given<keyof typeof exportOptions>) {
  const [path = '.', ...others] = given.operands;
  if (path === '' || others.length > 0) return invalid('Give one recording, or none: "hotspan export".');
  const typed = given.text('format') ?? 'pprof';
  const format = formats.find((one) => one === typed);
  if (format === undefined) return invalid(`--format is ${listOf(formats)}, not "${typed}".`);
  const out = given.text('out');
  const part = readPart(given.text('operation'));
  if (isInvalid(part)) return part;
  // `out` is null for standard output.
  return { type: 'export', options: { path, format, part, out, scrub: given.has('scrub') } } as const;
}

function readPart(typed: string | null): number | 'all' | Invalid {
  if (typed === null) return 'all';
  const place = typed === 'worst' ? 1 : Number(typed);
  return Number.isInteger(place) && place > 0
    ? place
    : invalid(`--operation is "worst", or a whole number from 1, not "${typed}".`);
}
