import type { OperationsShown } from '../../engine/report/report.ts';
import { type Microseconds, microseconds } from '../../protocol/units.ts';
import { type Invalid, type Values, invalid, parse } from './parse-options.ts';
import { type CheckInvocation, parseCheck } from './check-arguments.ts';
import { type CompareInvocation, parseCompare } from './compare-arguments.ts';
import { type BaselineInvocation, parseBaseline, parseRecheck, type RecheckInvocation } from './recheck-arguments.ts';
import { type AttachArguments, parseRecord, type RecordArguments } from './record-arguments.ts';
import { defaultThresholdUs } from '../../protocol/figures.ts';

export type Invocation =
  | { readonly type: 'help'; readonly topic: HelpTopic }
  | { readonly type: 'version' }
  | { readonly type: 'record'; readonly options: RecordArguments }
  | { readonly type: 'attach'; readonly options: AttachArguments }
  | { readonly type: 'analyze'; readonly options: AnalyzeArguments }
  /** `folder` is as typed; undefined means the default folders. */
  | { readonly type: 'recordings'; readonly folder: string | undefined }
  | { readonly type: 'histogram'; readonly options: HistogramArguments }
  | CompareInvocation
  | RecheckInvocation
  | CheckInvocation
  | BaselineInvocation
  | Invalid;

export type HelpTopic =
  | 'hotspan'
  | 'record'
  | 'analyze'
  | 'compare'
  | 'recheck'
  | 'baseline'
  | 'check'
  | 'histogram'
  | 'recordings';

export interface AnalyzeArguments {
  /** Paths as typed; at least one. */
  readonly paths: readonly string[];
  readonly format: 'table' | 'markdown' | 'json';
  readonly thresholdUs: Microseconds;
  readonly all: boolean;
  /** Which operations the JSON contains. */
  readonly operations: OperationsShown;
  /** Root as typed. */
  readonly root?: string;
  readonly sourceMaps: boolean;
  readonly failOverUs: Microseconds | null;
}

export interface HistogramArguments {
  /** Both paths are as typed. */
  readonly log: string;
  readonly recording: string;
}

/** `words` are the arguments after `hotspan`. */
export function parseArguments(words: readonly string[]): Invocation {
  const [command, ...rest] = words;
  switch (command) {
    case undefined:
    case 'help':
    case '-h':
    case '--help':
      return { type: 'help', topic: 'hotspan' };
    case '-v':
    case '--version':
      return { type: 'version' };
    case 'record':
      return parseRecord(rest);
    case 'analyze':
      return parseAnalyze(rest);
    case 'recordings':
      return parseRecordings(rest);
    case 'histogram':
      return parseHistogram(rest);
    case 'compare':
      return parseCompare(rest);
    case 'recheck':
      return parseRecheck(rest);
    case 'check':
      return parseCheck(rest);
    case 'baseline':
      return parseBaseline(rest);
    default:
      return invalid(
        `There is no command "${command}": use "hotspan record" or "hotspan analyze", or see "hotspan --help".`,
      );
  }
}

function parseAnalyze(words: readonly string[]): Invocation {
  const parsed = parse('analyze', words, {
    json: { type: 'boolean' },
    markdown: { type: 'boolean' },
    threshold: { type: 'string' },
    all: { type: 'boolean' },
    operations: { type: 'string' },
    root: { type: 'string' },
    'no-source-maps': { type: 'boolean' },
    'fail-over': { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  });
  if (parsed.type === 'invalid') return parsed;
  const { values, positionals: paths } = parsed;
  if (values['help'] === true) return { type: 'help', topic: 'analyze' };
  if (paths.length === 0 || paths.includes(''))
    return invalid('Say what to analyze: a recording folder, a .cpuprofile file, or a folder of them.');
  if (values['json'] === true && values['markdown'] === true) return invalid('Choose one of --json and --markdown.');
  const threshold = parseLimit('threshold', values['threshold']);
  if (threshold.type === 'invalid') return threshold;
  const failOver = parseLimit('fail-over', values['fail-over']);
  if (failOver.type === 'invalid') return failOver;
  const shown = parseOperations(values);
  if (shown.type === 'invalid') return shown;
  const { root } = values;
  if (root === '') return invalid('--root is empty: give the folder of your code.');
  return {
    type: 'analyze',
    options: {
      paths,
      format: values['json'] === true ? 'json' : values['markdown'] === true ? 'markdown' : 'table',
      // Figures contain only what is over the threshold, so a lower limit would never be exceeded.
      thresholdUs: lesser(threshold.us ?? defaultThresholdUs, failOver.us),
      all: values['all'] === true,
      operations: shown.operations,
      ...(typeof root === 'string' ? { root } : {}),
      sourceMaps: values['no-source-maps'] !== true,
      failOverUs: failOver.us,
    },
  };
}

type Shown = { readonly type: 'shown'; readonly operations: OperationsShown } | Invalid;

function parseOperations({ operations, json }: Values): Shown {
  if (operations === undefined) return { type: 'shown', operations: 'long' };
  if (json !== true) return invalid('--operations is for --json: add that, or leave it out.');
  return operations === 'long' || operations === 'all'
    ? { type: 'shown', operations }
    : invalid('--operations is "long", or "all" for the shorter ones, too.');
}

function parseRecordings(words: readonly string[]): Invocation {
  const parsed = parse('recordings', words, { help: { type: 'boolean', short: 'h' } });
  if (parsed.type === 'invalid') return parsed;
  const { values, positionals } = parsed;
  if (values['help'] === true) return { type: 'help', topic: 'recordings' };
  return positionals.length > 1 || positionals[0] === ''
    ? invalid('Give one folder of recordings, or none: hotspan recordings.')
    : { type: 'recordings', folder: positionals[0] };
}

function parseHistogram(words: readonly string[]): Invocation {
  const parsed = parse('histogram', words, { help: { type: 'boolean', short: 'h' } });
  if (parsed.type === 'invalid') return parsed;
  const { values, positionals } = parsed;
  if (values['help'] === true) return { type: 'help', topic: 'histogram' };
  const [log, recording, ...others] = positionals;
  const isNamed = log !== undefined && log !== '' && recording !== undefined && recording !== '';
  return !isNamed || others.length > 0
    ? invalid('Give the log of production and a recording: hotspan histogram turns.log RECORDING.')
    : { type: 'histogram', options: { log, recording } };
}

function lesser(a: Microseconds, b: Microseconds | null): Microseconds {
  return b !== null && b < a ? b : a;
}

type Limit = { readonly type: 'limit'; readonly us: Microseconds | null } | Invalid;

/** A limit in milliseconds above 0, to the microsecond; null where the option is not given. */
function parseLimit(option: string, text: unknown): Limit {
  if (typeof text !== 'string') return { type: 'limit', us: null };
  const value = Number(text);
  const isUsable = /^(\d+\.?\d*|\.\d+)$/.test(text) && value > 0 && value <= longestLimit;
  return isUsable
    ? { type: 'limit', us: microseconds(Math.max(1, Math.round(value * 1000))) }
    : invalid(`--${option} is a number of milliseconds above 0, not "${text}".`);
}

/** Largest limit in ms: eleven days. */
const longestLimit = 1e9;
