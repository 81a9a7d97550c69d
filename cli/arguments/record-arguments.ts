import { defaultIntervalUs, defaultLimitMb } from '../../protocol/recording.ts';
import type { Microseconds } from '../../protocol/units.ts';
import { type LoadOptions, parseAddress, parseLoad } from '../../recorder/launch/load/load-options.ts';
import { type Invalid, invalid, parse, type Values } from './parse-options.ts';
import { parseInterval } from '../../recorder/launch/run/command-line.ts';

export interface RecordArguments {
  readonly command: readonly string[];
  readonly kind: 'profile' | 'tiers';
  /** Folder as typed. */
  readonly out?: string;
  readonly intervalUs: Microseconds;
  /** Limit of this recording in bytes; null for none. */
  readonly mostBytes: number | null;
  /** Limit of all recordings in the default folder in bytes: the oldest are deleted. Null: all stay. */
  readonly keepBytes: number | null;
  readonly quiet: boolean;
  /** Sentences for the person about this run. */
  readonly notes: readonly string[];
  /** Present where the command is a server: it gets these requests once `ready` answers, and is then stopped. */
  readonly load: { readonly ready: URL; readonly load: LoadOptions } | null;
}

/** A process that runs already. */
export interface AttachArguments extends Pick<RecordArguments, 'out' | 'intervalUs' | 'mostBytes' | 'quiet' | 'notes'> {
  /** Address as typed. */
  readonly address: string;
}

export type RecordInvocation =
  | { readonly type: 'attach'; readonly options: AttachArguments }
  | { readonly type: 'record'; readonly options: RecordArguments }
  | { readonly type: 'help'; readonly topic: 'record' }
  | Invalid;

/** `words` are those after `record`. */
export function parseRecord(words: readonly string[]): RecordInvocation {
  const split = words.indexOf('--');
  const own = split < 0 ? words : words.slice(0, split);
  const parsed = parse('record', withValueOfLoad(own), recordOptions);
  if (parsed.type === 'invalid') return parsed;
  const { values, positionals } = parsed;
  if (values['help'] === true) return { type: 'help', topic: 'record' };
  if (positionals.length > 0)
    return invalid(`Put "--" before the command: hotspan record -- ${positionals.join(' ')}.`);
  const command = split < 0 ? [] : words.slice(split + 1);
  if (values['attach'] !== undefined) return parseAttach(values['attach'], command, values);
  if (command.length === 0 || command[0] === '')
    return invalid('Say what to record, after "--": hotspan record -- npm test.');
  const interval = typeof values['interval'] === 'string' ? parseInterval(values['interval']) : standardInterval;
  if (interval.type === 'invalid') return interval;
  const { out } = values;
  if (out === '') return invalid('--out needs the name of a folder.');
  const sizes = parseSizes(values);
  if (sizes.type === 'invalid') return sizes;
  const load = parseLoadOptions(values['after-ready'], values['load']);
  if (load.type === 'invalid') return load;
  return {
    type: 'record',
    options: {
      command,
      kind: values['tiers'] === true ? 'tiers' : 'profile',
      ...(typeof out === 'string' ? { out } : {}),
      intervalUs: interval.intervalUs,
      mostBytes: sizes.mostBytes,
      keepBytes: sizes.keepBytes,
      quiet: values['quiet'] === true,
      notes: notesOf(values),
      load: load.load,
    },
  };
}

function parseAttach(address: unknown, command: readonly string[], values: Values): RecordInvocation {
  if (command.length > 0) return invalid('--attach records a process that runs already: leave the command out.');
  const other = ['load', 'after-ready', 'keep', 'tiers'].find((name) => values[name] !== undefined);
  if (other !== undefined) return invalid(`--attach and --${other} do not go together.`);
  const interval = typeof values['interval'] === 'string' ? parseInterval(values['interval']) : standardInterval;
  if (interval.type === 'invalid') return interval;
  const sizes = parseSizes(values);
  if (sizes.type === 'invalid') return sizes;
  return {
    type: 'attach',
    options: {
      address: String(address),
      ...(typeof values['out'] === 'string' ? { out: values['out'] } : {}),
      intervalUs: interval.intervalUs,
      mostBytes: sizes.mostBytes,
      quiet: values['quiet'] === true,
      notes: notesOf(values),
    },
  };
}

function notesOf(values: Values): readonly string[] {
  return Array.isArray(values['note']) ? values['note'].map(String) : [];
}

const recordOptions = {
  out: { type: 'string', short: 'o' },
  interval: { type: 'string' },
  quiet: { type: 'boolean', short: 'q' },
  note: { type: 'string', multiple: true },
  'max-size': { type: 'string' },
  keep: { type: 'string' },
  tiers: { type: 'boolean' },
  attach: { type: 'string' },
  'after-ready': { type: 'string' },
  load: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Joins the value of `--load` by `=`: it begins with a dash, which Node would take for another option. */
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

type Sizes = { readonly type: 'sizes'; readonly mostBytes: number | null; readonly keepBytes: number | null } | Invalid;

function parseSizes(values: Values): Sizes {
  const most = parseMegabytes('max-size', values['max-size'] ?? String(defaultLimitMb));
  if (most.type === 'invalid') return most;
  const keep = parseMegabytes('keep', values['keep'] ?? '0');
  if (keep.type === 'invalid') return keep;
  return keep.bytes !== null && values['out'] !== undefined
    ? invalid('--keep is for recordings in the default folder: leave out --out, or delete old ones yourself.')
    : { type: 'sizes', mostBytes: most.bytes, keepBytes: keep.bytes };
}

type Size = { readonly type: 'size'; readonly bytes: number | null } | Invalid;

/** A size in megabytes; 0 is null, which means no limit. */
function parseMegabytes(option: string, text: unknown): Size {
  const value = Number(text);
  if (typeof text !== 'string' || text.trim() === '' || !Number.isFinite(value) || value < 0)
    return invalid(`--${option} is a number of MB, 0 for no limit, not "${String(text)}".`);
  return { type: 'size', bytes: value === 0 ? null : value * 1e6 };
}
