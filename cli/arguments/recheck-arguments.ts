import { allValid, type Command, type Given, invalid, isInvalid, type Option, type OptionsOf } from './command.ts';
import {
  briefOption,
  checkBaselineName,
  mapOption,
  orBrief,
  parseTime,
  readMaps,
  readThreshold,
  thresholdOption,
} from './shared-options.ts';
import { shellText } from '../../words/formats/command-text.ts';

const recheckOptions = {
  base: { value: { name: 'REF', kind: 'text' }, help: 'a commit instead of the baseline' },
  baseline: { value: { name: 'NAME', kind: 'text' }, help: 'another baseline than the newest' },
  recording: {
    value: { name: 'DIR', kind: 'folder' },
    help: 'the recording that knows the command and the tests (else that of the baseline, or the newest)',
  },
  setup: {
    value: { name: 'COMMAND', kind: 'text' },
    help: 'prepares the base alone, in a shell: --setup "npm run build"',
  },
  install: {
    value: { name: 'COMMAND', kind: 'text' },
    help: 'installs the dependencies of the base where they are not yours',
  },
  'at-most': { value: { name: 'TIME', kind: 'text' }, help: 'runs nothing if it would take longer, such as 60s' },
  'dry-run': { help: 'says what would run and how long it takes, and runs nothing' },
  watch: { short: 'w', help: 'after each save, the findings that it concerns, or FUNCTION; until Ctrl+C' },
  threshold: thresholdOption,
  json: { help: 'as JSON (docs/comparison.schema.json)' },
  ...briefOption,
  ...mapOption,
} as const satisfies Record<string, Option>;

export const recheck = {
  name: 'recheck',
  summary: 'says whether a change of one function has helped',
  usage: ['recheck FUNCTION [options] [-- COMMAND …]', 'recheck --watch [FUNCTION] [options] [-- COMMAND …]'],
  about: [
    'Runs the tests in which one function is long, before and after your change in turn, 3, 5 or 8 times each, until it is clear whether it is faster or slower.',
    'FUNCTION is src/cart.ts:12, or a name. "Before" is the baseline (hotspan baseline), or else the code of the last recording.',
  ],
  options: recheckOptions,
  operands: { kind: 'file', hasCommand: true },
  exitCodes: [
    { code: '0', means: 'it is not slower' },
    { code: '1', means: 'it is slower, new, or more often' },
    { code: '2', means: 'it cannot be run' },
    { code: '3', means: 'it is too noisy to say, too long or not seen, or was stopped' },
  ],
  otherNames: ['verify', 'retest', 're-check', 'again'],
  read: readRecheck,
} as const satisfies Command;

/** All paths are as typed. */
export type WatchArguments = Extract<ReturnType<typeof readRecheck>, { readonly type: 'watch' }>['options'];

export type RecheckArguments = Extract<ReturnType<typeof readRecheck>, { readonly type: 'recheck' }>['options'];

function readRecheck(given: Given<keyof typeof recheckOptions>) {
  const [fn = null, ...others] = given.operands;
  const isWatching = given.has('watch');
  if ((fn === null && !isWatching) || fn === '' || others.length > 0)
    return invalid('Name one function, by its line or its name: "hotspan recheck src/cart.ts:12".');
  if (isWatching && given.has('dry-run'))
    return invalid('Choose one of --watch and --dry-run: what a save concerns is known after it.');
  if (given.has('base') && given.has('baseline'))
    return invalid('Choose one of --base (a commit) and --baseline (a name).');
  const atMostUs = parseTime('at-most', given.text('at-most'));
  if (isInvalid(atMostUs)) return atMostUs;
  const read = allValid({
    thresholdUs: readThreshold(given),
    maps: readMaps(given),
    format: orBrief(given.has('json') ? 'json' : 'text', given),
  });
  if (isInvalid(read)) return read;
  if (read.maps.length > 0 && !given.has('recording'))
    return invalid('--map is for a recording: name it with --recording.');
  const options = {
    ...read,
    /** Without both, the newest baseline, else the last recording. */
    ...{ base: given.text('base'), baseline: given.text('baseline') },
    /** Null: the newest of this folder. */
    recording: given.text('recording'),
    ...{ setup: given.text('setup'), install: given.text('install') },
    /** Null: no limit. */
    atMostUs,
    dryRun: given.has('dry-run'),
    /** Empty: that of the recording. */
    command: given.command ?? [],
  } as const;
  // FUNCTION is `src/cart.ts:12`, or a name; to watch, null for all findings.
  return isWatching
    ? ({ type: 'watch', options: { ...options, function: fn } } as const)
    : ({ type: 'recheck', options: { ...options, function: fn ?? '' } } as const);
}

const makeSureOptions = {
  'dry-run': { help: 'says what would run and how long it takes, and runs nothing' },
  threshold: thresholdOption,
  json: { help: 'prints the verdict as JSON (docs/report.schema.json)' },
  ...briefOption,
  quiet: { short: 'q', help: 'prints no verdict' },
} as const satisfies Record<string, Option>;

export const makeSure = {
  name: 'make-sure',
  summary: 'runs the tests of uncertain findings twice more',
  usage: ['make-sure [RECORDING] [options] [-- COMMAND …]'],
  about: [
    'A finding that was seen once, or rests on few samples, is not in the verdict. This runs the tests in which such findings were twice more, with your files as they are now (the whole command where that is not known, or there are many). What is long again in one of the runs joins the verdict, and what is not is dropped. The recording (else the newest here) keeps the answer.',
  ],
  options: makeSureOptions,
  operands: { kind: 'file', hasCommand: true },
  exitCodes: [
    { code: '0', means: 'the findings were made sure of, as far as they ran again' },
    { code: '2', means: 'it cannot be run' },
    { code: '3', means: 'it was stopped' },
  ],
  otherNames: ['sure', 'confirm', 'rerun', 'makesure'],
  read: readMakeSure,
} as const satisfies Command;

export type MakeSureArguments = OptionsOf<typeof readMakeSure>;

/** The recording is null for the newest of this folder, the command empty for that of the recording. */
function readMakeSure(given: Given<keyof typeof makeSureOptions>) {
  const [recording = null, ...others] = given.operands;
  if (recording === '' || others.length > 0) return invalid('Give one recording, or none: "hotspan make-sure".');
  const thresholdUs = readThreshold(given);
  if (isInvalid(thresholdUs)) return thresholdUs;
  const format = orBrief(given.has('json') ? 'json' : given.has('quiet') ? 'none' : 'text', given);
  if (isInvalid(format)) return format;
  const [dryRun, command] = [given.has('dry-run'), given.command ?? []];
  return { type: 'makeSure', options: { recording, dryRun, command, format, thresholdUs } } as const;
}

const baselineOptions = {
  name: { value: { name: 'NAME', kind: 'text', standard: 'main' }, help: 'what it is called' },
  recording: {
    value: { name: 'DIR', kind: 'folder' },
    help: 'the recording that knows the command (else the newest)',
  },
  list: { help: 'lists the baselines, with sizes' },
  delete: { value: { name: 'NAME', kind: 'text' }, help: 'deletes one' },
} as const satisfies Record<string, Option>;

export const baseline = {
  name: 'baseline',
  summary: 'keeps figures and sources as they are, to re-check against',
  usage: ['baseline [options] [-- COMMAND …]'],
  about: [
    'Runs the command (else that of the last recording) three times, and keeps your files as they are now with git, so that "hotspan recheck" can run both versions in turn. Your branches, index and files stay as they are.',
  ],
  options: baselineOptions,
  operands: { kind: 'command', hasCommand: true },
  exitCodes: [
    { code: '0', means: 'it is set, listed or deleted' },
    { code: '2', means: 'it cannot be' },
    { code: '3', means: 'it was stopped before it was set' },
  ],
  otherNames: ['base', 'set-baseline'],
  read: readBaseline,
} as const satisfies Command;

export type BaselineArguments = OptionsOf<typeof readBaseline>;

/** The recording is null for the newest of this folder, the command empty for that of the recording. */
function readBaseline(given: Given<keyof typeof baselineOptions>) {
  if (given.operands.length > 0)
    return invalid(`Put "--" before the command: "hotspan baseline -- ${shellText(given.operands)}".`);
  const isSet = given.command !== null || given.has('name') || given.has('recording');
  if (Number(given.has('list')) + Number(given.has('delete')) + Number(isSet) > 1)
    return invalid('Choose one of --list, --delete and a baseline to set: they are done one by one.');
  const task = given.has('list') ? 'list' : given.has('delete') ? 'delete' : 'set';
  const name = checkBaselineName(given.text('delete') ?? given.text('name') ?? 'main');
  if (isInvalid(name)) return name;
  const [recording, command] = [given.text('recording'), given.command ?? []];
  return { type: 'baseline', options: { task, name, recording, command } } as const;
}
