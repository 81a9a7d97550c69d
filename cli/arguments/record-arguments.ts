import { defaultIntervalUs, defaultLimitMb } from '../../protocol/recording.ts';
import type { Command, Given, Invalid, Option, OptionsOf } from './command.ts';
import { allValid, invalid, isInvalid } from './command.ts';
import { loadOptions, readLoad } from './load-arguments.ts';
import { parseInterval } from './shared-options.ts';

const recordOptions = {
  out: {
    short: 'o',
    value: { name: 'DIR', kind: 'folder', standard: 'in your cache folder' },
    help: 'where the recording goes',
  },
  interval: {
    value: { name: 'TIME', kind: 'text', standard: '1ms' },
    help: 'time between two samples, from 50us to 10ms; a plain number is microseconds',
  },
  'max-size': {
    value: { name: 'MB', kind: 'text', standard: String(defaultLimitMb) },
    help: 'at so many MB recording stops, and the command goes on; 0: no limit',
  },
  keep: {
    value: { name: 'MB', kind: 'text' },
    help: 'afterwards the oldest recordings in the default folder go, until all have so many MB',
  },
  tiers: {
    help: "how far V8 has optimized each function, and exact lines, instead of a profile: V8's own log of it",
  },
  quiet: { short: 'q', help: 'prints nothing but what was lost' },
  announce: { help: 'says first what is run, and the notes, also with --quiet' },
  note: {
    value: { name: 'TEXT', kind: 'text', isRepeated: true },
    help: 'said before the command starts, and kept in the recording',
  },
  attach: {
    heading: 'A process that runs already, until Ctrl+C:',
    value: { name: 'ADDRESS', kind: 'text' },
    help: 'its inspector (9229, host:9229, ws://…), or pid:123, which is asked to open one',
  },
  ...loadOptions,
} as const satisfies Record<string, Option>;

type RecordGiven = Given<keyof typeof recordOptions>;

export const record = {
  name: 'record',
  summary: 'runs a command and shows what blocked',
  usage: ['record [options] -- COMMAND …', 'record [options] --attach ADDRESS'],
  about: [
    'Runs the command, with its own input, output and environment, and records every Node.js process of it. At the end the functions that blocked the event loop are listed on stderr. "--" may be left out: the first word that is not an option begins the command.',
  ],
  options: recordOptions,
  operands: { kind: 'command', hasCommand: true, beginsCommand: true },
  exitCodes: [
    { code: 'as COMMAND', means: 'the command has ended, by itself or by a signal' },
    { code: '127', means: 'the command cannot be started' },
  ],
  otherNames: ['profile', 'run', 'exec', 'start', 'test', 'trace', 'attach', 'rec'],
  read: readRecord,
} as const satisfies Command;

export type RecordArguments = Exclude<OptionsOf<typeof readRecord>, AttachArguments>;

function readRecord(given: RecordGiven) {
  const command = given.command ?? [];
  const address = given.text('attach');
  if (address !== null) return readAttach(address, command, given);
  if (command.length === 0 || command[0] === '') return invalid('Say what to record: "hotspan record -- npm test".');
  const shared = readShared(given);
  if (isInvalid(shared)) return shared;
  const keepBytes = parseMegabytes('keep', given.text('keep') ?? '0');
  if (isInvalid(keepBytes)) return keepBytes;
  if (keepBytes !== null && shared.out !== null)
    return invalid('--keep is for recordings in the default folder: leave out --out, or delete old ones yourself.');
  const load = readLoad(given, given.has('allow-remote'));
  if (isInvalid(load)) return load;
  const kind = given.has('tiers') ? 'tiers' : 'profile';
  return { type: 'record', options: { ...shared, command, kind, keepBytes, load } } as const;
}

/** Records a running process. The address is as typed. */
export type AttachArguments = OptionsOf<typeof readAttach>;

function readAttach(address: string, command: readonly string[], given: RecordGiven) {
  if (command.length > 0) return invalid('--attach records a process that runs already: leave the command out.');
  const other = (['load', 'load-file', 'after-ready', 'keep', 'tiers'] as const).find((name) => given.has(name));
  if (other !== undefined) return invalid(`--attach and --${other} do not go together: leave one of them out.`);
  const shared = readShared(given);
  return isInvalid(shared) ? shared : ({ type: 'attach', options: { address, ...shared } } as const);
}

/** The options of both a command and a running process. */
function readShared(given: RecordGiven) {
  return allValid({
    /** As typed. */
    out: given.text('out'),
    intervalUs: parseInterval(given.text('interval') ?? String(defaultIntervalUs)),
    mostBytes: parseMegabytes('max-size', given.text('max-size') ?? String(defaultLimitMb)),
    quiet: given.has('quiet'),
    /** Print the command and the notes first, even if `quiet`. */
    announce: given.has('announce'),
    notes: given.texts('note'),
  });
}

/** Megabytes in bytes; null for 0, which means no limit. */
function parseMegabytes(option: string, text: string): number | Invalid | null {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value < 0)
    return invalid(`--${option} is a number of MB, 0 for no limit, not "${text}".`);
  return value === 0 ? null : value * 1e6;
}
