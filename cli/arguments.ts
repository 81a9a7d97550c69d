import { parseArgs, type ParseArgsConfig } from 'node:util';
import { defaultThresholdUs } from '../protocol/duration-class.ts';
import { defaultIntervalUs, defaultLimitMb } from '../protocol/recording.ts';
import { type Microseconds, milliseconds } from '../protocol/units.ts';
import { parseInterval } from '../recorder/launch/interval.ts';
import { type LoadOptions, parseAddress, parseLoad } from '../recorder/launch/load-options.ts';

export type Invocation =
  | { readonly type: 'help'; readonly topic: HelpTopic }
  | { readonly type: 'version' }
  | { readonly type: 'record'; readonly options: RecordArguments }
  | { readonly type: 'analyze'; readonly options: AnalyzeArguments }
  /** `folder` as typed; undefined: the default ones. */
  | { readonly type: 'recordings'; readonly folder: string | undefined }
  | { readonly type: 'histogram'; readonly options: HistogramArguments }
  /** `message` is one sentence that says what to do instead. */
  | { readonly type: 'invalid'; readonly message: string };

export type HelpTopic = 'hotspan' | 'record' | 'analyze' | 'histogram' | 'recordings';

export interface RecordArguments {
  readonly command: readonly string[];
  /** As typed. */
  readonly out?: string;
  readonly intervalUs: Microseconds;
  /** Of this recording; null: no limit. */
  readonly mostBytes: number | null;
  /** Of all recordings in the default folder: the oldest go; null: they stay. */
  readonly keepBytes: number | null;
  readonly quiet: boolean;
  /** Sentences for the person about this run. */
  readonly notes: readonly string[];
  /** The command is a server: it gets these requests once `ready` answers, and is stopped then. */
  readonly load: { readonly ready: URL; readonly load: LoadOptions } | null;
}

export interface AnalyzeArguments {
  /** At least one, as typed. */
  readonly paths: readonly string[];
  readonly format: 'table' | 'markdown' | 'json';
  readonly thresholdUs: Microseconds;
  readonly all: boolean;
  /** As typed. */
  readonly root?: string;
  readonly sourceMaps: boolean;
  readonly failOverUs: Microseconds | null;
}

export interface HistogramArguments {
  /** As typed, both. */
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
    default:
      return invalid(
        `There is no command "${command}": use "hotspan record" or "hotspan analyze", or see "hotspan --help".`,
      );
  }
}

function parseRecord(words: readonly string[]): Invocation {
  const split = words.indexOf('--');
  const own = split < 0 ? words : words.slice(0, split);
  const parsed = parse('record', withValueOfLoad(own), {
    out: { type: 'string', short: 'o' },
    interval: { type: 'string' },
    quiet: { type: 'boolean', short: 'q' },
    note: { type: 'string', multiple: true },
    'max-size': { type: 'string' },
    keep: { type: 'string' },
    'after-ready': { type: 'string' },
    load: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  });
  if (parsed.type === 'invalid') return parsed;
  const { values, positionals } = parsed;
  if (values['help'] === true) return { type: 'help', topic: 'record' };
  if (positionals.length > 0)
    return invalid(`Put "--" before the command: hotspan record -- ${positionals.join(' ')}.`);
  const command = split < 0 ? [] : words.slice(split + 1);
  if (command.length === 0 || command[0] === '')
    return invalid('Say what to record, after "--": hotspan record -- npm test.');
  const interval = typeof values['interval'] === 'string' ? parseInterval(values['interval']) : standardInterval;
  if (interval.type === 'invalid') return interval;
  const { out } = values;
  if (out === '') return invalid('--out needs the name of a folder.');
  const size = parseMegabytes('max-size', values['max-size']);
  if (size.type === 'invalid') return size;
  const keep = parseMegabytes('keep', values['keep']);
  if (keep.type === 'invalid') return keep;
  if (keep.bytes !== null && out !== undefined)
    return invalid('--keep is for recordings in the default folder: leave out --out, or delete old ones yourself.');
  const load = parseLoadOptions(values['after-ready'], values['load']);
  if (load.type === 'invalid') return load;
  return {
    type: 'record',
    options: {
      command,
      ...(typeof out === 'string' ? { out } : {}),
      intervalUs: interval.intervalUs,
      mostBytes: values['max-size'] === undefined ? defaultLimitMb * 1e6 : size.bytes,
      keepBytes: keep.bytes,
      quiet: values['quiet'] === true,
      notes: Array.isArray(values['note']) ? values['note'].map(String) : [],
      load: load.load,
    },
  };
}

/** Its value begins with a dash, which Node takes for another option unless it stands behind a `=`. */
function withValueOfLoad(words: readonly string[]): readonly string[] {
  const at = words.indexOf('--load');
  const value = words[at + 1];
  return at < 0 || value === undefined ? words : [...words.slice(0, at), `--load=${value}`, ...words.slice(at + 2)];
}

function parseLoadOptions(
  address: unknown,
  load: unknown,
): { readonly type: 'load'; readonly load: RecordArguments['load'] } | Invalid {
  if (typeof address !== 'string' && typeof load !== 'string') return { type: 'load', load: null };
  if (typeof address !== 'string')
    return invalid('--load needs --after-ready URL: which address says that it can begin.');
  if (typeof load !== 'string')
    return invalid('--after-ready needs --load: what is sent then, as in --load "-c 10 -a 1000 /path".');
  const ready = parseAddress(address);
  if (ready === null) return invalid(`--after-ready is an address such as http://localhost:3000, not "${address}".`);
  const parsed = parseLoad(load, ready);
  return parsed.type === 'invalid' ? parsed : { type: 'load', load: { ready, load: parsed.load } };
}

const standardInterval = { type: 'interval', intervalUs: defaultIntervalUs } as const;

type Size = { readonly type: 'size'; readonly bytes: number | null } | Invalid;

/** Null where the option is not there, or is 0. */
function parseMegabytes(option: string, text: unknown): Size {
  if (typeof text !== 'string') return { type: 'size', bytes: null };
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value < 0)
    return invalid(`--${option} is a number of MB, 0 for no limit, not "${text}".`);
  return { type: 'size', bytes: value === 0 ? null : value * 1e6 };
}

function parseAnalyze(words: readonly string[]): Invocation {
  const parsed = parse('analyze', words, {
    json: { type: 'boolean' },
    markdown: { type: 'boolean' },
    threshold: { type: 'string' },
    all: { type: 'boolean' },
    root: { type: 'string' },
    'no-source-maps': { type: 'boolean' },
    'fail-over': { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  });
  if (parsed.type === 'invalid') return parsed;
  const { values, positionals: paths } = parsed;
  if (values['help'] === true) return { type: 'help', topic: 'analyze' };
  if (paths.length === 0)
    return invalid('Say what to analyze: a recording folder, a .cpuprofile file, or a folder of them.');
  if (values['json'] === true && values['markdown'] === true) return invalid('Choose one of --json and --markdown.');
  const threshold = parseLimit('threshold', values['threshold']);
  if (threshold.type === 'invalid') return threshold;
  const failOver = parseLimit('fail-over', values['fail-over']);
  if (failOver.type === 'invalid') return failOver;
  const { root } = values;
  return {
    type: 'analyze',
    options: {
      paths,
      format: values['json'] === true ? 'json' : values['markdown'] === true ? 'markdown' : 'table',
      // What is not over the threshold is in no figure: a lower limit would never be exceeded.
      thresholdUs: lesser(threshold.us ?? defaultThresholdUs, failOver.us),
      all: values['all'] === true,
      ...(typeof root === 'string' ? { root } : {}),
      sourceMaps: values['no-source-maps'] !== true,
      failOverUs: failOver.us,
    },
  };
}

function parseRecordings(words: readonly string[]): Invocation {
  const parsed = parse('recordings', words, { help: { type: 'boolean', short: 'h' } });
  if (parsed.type === 'invalid') return parsed;
  const { values, positionals } = parsed;
  if (values['help'] === true) return { type: 'help', topic: 'recordings' };
  return positionals.length > 1
    ? invalid('Give one folder of recordings, or none: hotspan recordings.')
    : { type: 'recordings', folder: positionals[0] };
}

function parseHistogram(words: readonly string[]): Invocation {
  const parsed = parse('histogram', words, { help: { type: 'boolean', short: 'h' } });
  if (parsed.type === 'invalid') return parsed;
  const { values, positionals } = parsed;
  if (values['help'] === true) return { type: 'help', topic: 'histogram' };
  const [log, recording, ...others] = positionals;
  return log === undefined || recording === undefined || others.length > 0
    ? invalid('Give the log of production and a recording: hotspan histogram turns.log RECORDING.')
    : { type: 'histogram', options: { log, recording } };
}

function lesser(a: Microseconds, b: Microseconds | null): Microseconds {
  return b !== null && b < a ? b : a;
}

type Limit = { readonly type: 'limit'; readonly us: Microseconds | null } | Invalid;

/** Milliseconds above 0, not necessarily whole; null where the option is not there. */
function parseLimit(option: string, text: unknown): Limit {
  if (typeof text !== 'string') return { type: 'limit', us: null };
  const value = Number(text);
  const isUsable = text.trim() !== '' && Number.isFinite(value) && value > 0;
  return isUsable
    ? { type: 'limit', us: milliseconds(value) }
    : invalid(`--${option} is a number of milliseconds above 0, not "${text}".`);
}

type Invalid = Extract<Invocation, { readonly type: 'invalid' }>;
type Values = Readonly<Record<string, unknown>>;
type Parsed = { readonly type: 'parsed'; readonly values: Values; readonly positionals: readonly string[] } | Invalid;

function parse(command: string, words: readonly string[], options: NonNullable<ParseArgsConfig['options']>): Parsed {
  try {
    const { values, positionals } = parseArgs({ args: [...words], options, allowPositionals: true });
    return { type: 'parsed', values, positionals };
  } catch (error) {
    // Node's first sentence names the option: "Unknown option '--tiers'. To specify a positional argument …".
    const [reason = ''] = error instanceof Error ? error.message.split(/\.?\s*\n|\.\s/) : [];
    return invalid(`${reason}: see "hotspan ${command} --help".`);
  }
}

function invalid(message: string): Invalid {
  return { type: 'invalid', message };
}
