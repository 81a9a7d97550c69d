import type { LoadShape } from '../../protocol/recording.ts';
import { parseAddress, parseLoad } from '../../recorder/launch/load/load-options.ts';
import { MAX_CONNECTIONS, MAX_DURATION_S, type PlannedRequest } from '../../recorder/launch/load/request-plan.ts';
import type { Command, Given, Invalid, Option, OptionsOf } from './command.ts';
import { allValid, invalid, isInvalid } from './command.ts';

/** The command is a server, which gets requests. */
export const sentOptions = {
  load: {
    heading: 'The command is a server, which gets requests and is stopped then:',
    value: { name: 'REQUESTS', kind: 'text', hasDashes: true },
    help: 'the requests, in autocannon\'s words: -c connections (10), -R requests a second, -a amount (1000) or -d seconds, -m METHOD, -H "Name: value", -b BODY, and a path: --load "-c 20 -a 5000 /orders"',
  },
  'load-file': {
    value: { name: 'FILE', kind: 'file' },
    help: 'the requests of a .http or .rest file, or GET requests by the examples of an OpenAPI 3 file (docs/load.md)',
  },
  env: {
    value: { name: 'NAME', kind: 'text' },
    help: 'the environment in http-client.env.json, for --load-file',
  },
  connections: { value: { name: 'N', kind: 'text', standard: '10' }, help: 'connections, for --load-file' },
  rate: {
    value: { name: 'N', kind: 'text' },
    help: 'requests a second over all connections, for --load-file; otherwise each connection goes on after an answer',
  },
  duration: { value: { name: 'TIME', kind: 'text', standard: '10s' }, help: 'how long to send, for --load-file' },
  amount: { value: { name: 'N', kind: 'text' }, help: 'how many requests to send instead, for --load-file' },
  'warm-up': {
    value: { name: 'TIME', kind: 'text' },
    help: 'how long to send the same before, which is in no figure of the load (2s; with --load 0s)',
  },
  'after-ready': {
    value: { name: 'URL', kind: 'text' },
    help: 'when this answers, the requests begin (otherwise at the address in them)',
  },
} as const satisfies Record<string, Option>;

export const loadOptions = {
  ...sentOptions,
  'allow-remote': { help: 'sends requests to another machine than this one' },
} as const satisfies Record<string, Option>;

/** `hotspan load`: what the options of a recording say, for a program that is recorded already. */
export const load = {
  name: 'load',
  summary: 'sends requests to a server that is being recorded',
  usage: ['load [RECORDING] --load REQUESTS | --load-file FILE [options]'],
  about: [
    'Sends requests to the server of a running recording, the newest of this folder or the one that is named, at the address where it listens. The recording keeps how many were answered and how fast; "hotspan record" sends a load and stops the server then.',
  ],
  options: { ...loadOptions, load: { value: loadOptions.load.value, help: loadOptions.load.help } },
  operands: { kind: 'folder' },
  exitCodes: [
    { code: '0', means: 'the requests were sent' },
    { code: '2', means: 'nothing listens, or no request was answered' },
    { code: '3', means: 'it was stopped' },
  ],
  otherNames: ['send', 'stress', 'autocannon'],
  read: readSending,
} as const satisfies Command;

export type SendingArguments = OptionsOf<typeof readSending>;

/** The recording is null for the newest running one of this folder, `load` where nothing is said to be sent. */
function readSending(given: Given<keyof typeof loadOptions>) {
  const [recording = null, ...others] = given.operands;
  if (recording === '' || others.length > 0)
    return invalid('Give one recording, or none: "hotspan load --load /orders".');
  const sent = readLoad(given, given.has('allow-remote'));
  return isInvalid(sent) ? sent : ({ type: 'load', options: { recording, load: sent } } as const);
}

export type LoadGiven = Given<keyof typeof sentOptions>;

/** Requests for a server that the command starts. */
export interface LoadArguments extends LoadShape {
  /** This address answers as soon as the program can take the load; null: where the requests go. */
  readonly ready: URL | null;
  readonly from:
    /** A url that begins with `/` belongs to the server. */
    | { readonly type: 'words'; readonly words: string; readonly requests: readonly PlannedRequest[] }
    /** The path is as typed. */
    | { readonly type: 'file'; readonly file: string; readonly environment: string | null };
  readonly allowRemote: boolean;
}

/** Null where no requests are to be sent. */
export function readLoad(given: LoadGiven, allowRemote = false): LoadArguments | Invalid | null {
  const [words, file, address] = [given.text('load'), given.text('load-file'), given.text('after-ready')];
  if (words !== null && file !== null) return invalid('Choose one of --load and --load-file.');
  if (words === null && file === null) return readWithoutRequests(given, allowRemote);
  const ready = address === null ? null : parseAddress(address);
  if (address !== null && ready === null)
    return invalid(`--after-ready is an address such as http://localhost:3000, not "${address}".`);
  const warmUpS = readSeconds('warm-up', given.text('warm-up'), file === null ? 0 : 2, 0);
  if (isInvalid(warmUpS)) return warmUpS;
  const shared = { ready, allowRemote };
  if (file !== null) {
    const shape = readShape(given);
    const from = { type: 'file', file, environment: given.text('env') } as const;
    return isInvalid(shape) ? shape : { ...shared, ...shape, warmUpS, from };
  }
  const other = forFiles.find((name) => given.has(name));
  if (other !== undefined) return invalid(`--${other} is for --load-file: write it into --load in autocannon's words.`);
  const parsed = parseLoad(words ?? '', ready);
  if (parsed.type === 'invalid') return parsed;
  const { requests, ...shape } = parsed.load;
  return { ...shared, ...shape, warmUpS, from: { type: 'words', words: words ?? '', requests } };
}

const forFiles = ['env', 'connections', 'rate', 'duration', 'amount'] as const;

function readWithoutRequests(given: LoadGiven, allowRemote: boolean): Invalid | null {
  const named = ([...forFiles, 'warm-up', 'after-ready'] as const).find((name) => given.has(name));
  const other = named ?? (allowRemote ? 'allow-remote' : undefined);
  return other === undefined
    ? null
    : invalid(`--${other} needs the requests: --load "-c 10 -a 1000 /path", or --load-file requests.http.`);
}

function readShape(given: LoadGiven): Omit<LoadShape, 'warmUpS'> | Invalid {
  if (given.has('amount') && given.has('duration')) return invalid('Choose one of --amount and --duration.');
  const read = allValid({
    connections: readCount('connections', given.text('connections') ?? '10', MAX_CONNECTIONS),
    rate: readCount('rate', given.text('rate')),
    amount: readCount('amount', given.text('amount')),
    durationS: readSeconds('duration', given.text('duration'), 10, 1),
  });
  if (isInvalid(read)) return read;
  return { ...read, connections: read.connections ?? 1, durationS: read.amount === null ? read.durationS : null };
}

function readCount(option: string, text: string | null, most = 99_999_999): number | Invalid | null {
  if (text === null) return null;
  if (/^[1-9]\d{0,7}$/.test(text) && Number(text) <= most) return Number(text);
  return invalid(`--${option} is a whole number from 1 to ${most}, not "${text}".`);
}

/** Whole seconds, at least `least`; a bare number is in seconds. */
function readSeconds(option: string, text: string | null, usual: number, least: number): number | Invalid {
  if (text === null) return usual;
  const [, digits, unit = 's'] = /^(\d{1,5}) ?(s|m)?$/.exec(text) ?? [];
  const seconds = Number(digits) * (unit === 'm' ? 60 : 1);
  if (seconds > MAX_DURATION_S) return invalid(`--${option} is at most ${MAX_DURATION_S}s, not "${text}".`);
  return seconds >= least ? seconds : invalid(`--${option} is in whole seconds, such as 10s or 2m, not "${text}".`);
}
