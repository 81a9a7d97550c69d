import path from 'node:path';
import { record, type RecordOptions } from '../../recorder/launch/run/record.ts';
import { commandTextIn } from '../../words/formats/command-text.ts';
import { plural, duration } from '../../words/formats/figures.ts';
import type { Found } from './analyze.ts';
import type { RecordArguments } from '../arguments/record-arguments.ts';
import { isTemporary } from '../../recordings/default-folder.ts';
import { type Output, refuse, type Surroundings } from '../views/terminal.ts';
import { tierNotes } from '../../recorder/launch/run/command-line.ts';
import type { LoadFigures, RecordedLoad } from '../../protocol/recording.ts';

/** How `hotspan record` itself ends. */
export type Ending =
  | { readonly type: 'code'; readonly code: number }
  | { readonly type: 'signal'; readonly signal: NodeJS.Signals };

/** Runs the command, then lists on `err` what blocked: the command's output is on stdout. */
export async function recordCommand(
  options: RecordArguments,
  err: Output,
  surroundings: Surroundings,
): Promise<Ending> {
  const { cwd, env, recorderFile, version } = surroundings;
  const { say } = err;
  const notes = [...options.notes, ...(options.kind === 'tiers' ? tierNotes(options.command) : [])];
  if (options.announce) say(`records ${commandTextIn(cwd, options.command)}`);
  if (!options.quiet || options.announce) for (const note of notes) say(note);
  const run: RecordOptions = {
    ...{ command: options.command, kind: options.kind, cwd, env },
    intervalUs: options.intervalUs,
    mostBytes: options.mostBytes,
    ...(options.out === null ? {} : { out: path.resolve(cwd, options.out) }),
    recorderFile,
    hotspanVersion: version,
    notes,
  };
  const sayUnlessQuiet = options.quiet ? () => {} : say;
  const finish = async (directory: string): Promise<Found | null> => {
    if (options.keepBytes !== null) await prune(directory, options.keepBytes, sayUnlessQuiet);
    // With `--quiet`, what reads recordings is not needed.
    if (!options.quiet) return (await import('./analyze.ts')).listHotspots(directory, err, cwd);
    return (await import('./losses.ts')).sayLosses(directory, say);
  };
  if (options.load !== null) return recordLoaded(run, options.load, err, sayUnlessQuiet, finish);
  const outcome = await record({ ...run, onStarted: () => loadAhead(options.quiet) });
  if (outcome.type !== 'ended') {
    say(outcome.message);
    return outcome.type === 'deleted'
      ? endOf(outcome)
      : { type: 'code', code: outcome.type === 'notStarted' ? 127 : 2 };
  }
  if (outcome.unfinished !== null) say(outcome.unfinished);
  if (options.out === null && isTemporary(outcome.directory)) say(temporaryText(outcome.directory));
  const found = await finish(outcome.directory);
  const isWhole = outcome.signal === null && options.kind === 'profile';
  if (found !== null && isWhole) await sayEmpty(found, run, outcome, say);
  return endOf(outcome);
}

interface CommandEnd {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
}

function temporaryText(directory: string): string {
  return `The recording is in ${directory}: neither your cache folder nor this project can be written to. --out names another folder.`;
}

function endOf({ exitCode, signal }: CommandEnd): Ending {
  return signal === null ? { type: 'code', code: exitCode ?? 0 } : { type: 'signal', signal };
}

/**
 * Loads what is needed at the end while the command starts: later, this thread measures how long the command waits for a
 * CPU. A failure is reported when the module is used.
 */
function loadAhead(quiet: boolean): void {
  const load = async (): Promise<void> => {
    if (quiet) await import('./losses.ts');
    else await (await import('./analyze.ts')).loadParser();
  };
  setTimeout(() => void load().catch(() => {}), 5);
}

/** Says why a run may show no own code, and what to profile instead. */
async function sayEmpty(
  { isUnseen, isQuick }: Found,
  { command, cwd, env }: RecordOptions,
  { directory, exitCode }: { readonly directory: string; readonly exitCode: number | null },
  say: (sentence: string) => void,
): Promise<void> {
  const [{ hasTests }, { startsTests }, { fileReaders }] = await Promise.all([
    import('../../recordings/recording-folders.ts'),
    import('../../recorder/launch/npm-scripts/script-text.ts'),
    import('../../recorder/launch/packages/readers.ts'),
  ]);
  const isSuspect = isUnseen || isQuick || exitCode !== 0;
  const ways = 'a file (hotspan record -- node FILE) or another npm script (hotspan record -- npm run NAME)';
  if (isSuspect && (await startsTests(command, cwd, fileReaders(env))) && !(await hasTests(directory)))
    say(`No test was seen to run: its output says why. You can profile ${ways}.`);
  else if (isUnseen) say(`You can profile ${ways} that runs your code.`);
}

/** Records a server under load, and stops it then, which is not a failure. */
async function recordLoaded(
  run: RecordOptions,
  load: NonNullable<RecordArguments['load']>,
  err: Output,
  sayUnlessQuiet: (sentence: string) => void,
  show: (directory: string) => Promise<unknown>,
): Promise<Ending> {
  // Loaded on demand: the HTTP client is larger than all the rest.
  const [{ recordUnderLoad }, { sendLoad }] = await Promise.all([
    import('../../recorder/launch/load/record-under-load.ts'),
    import('../../recorder/launch/load/load.ts'),
  ]);
  const result = await recordUnderLoad(run, {
    ...load,
    patience: READY_PATIENCE_MS,
    send: sendLoad,
    say: sayUnlessQuiet,
  });
  if (result.type === 'interrupted') return { type: 'signal', signal: result.signal };
  const fail = (message: string): Ending => ({ type: 'code', code: refuse(err, message) });
  if (result.type === 'failed') return fail(result.message);
  const { outcome, load: sent, message } = result;
  if (outcome.type !== 'ended') return fail(outcome.message);
  if (outcome.unfinished !== null) err.say(outcome.unfinished);
  await show(outcome.directory);
  if (sent === null) return fail(message ?? 'The load was not sent: the command was stopped before.');
  for (const sentence of loadSentences(sent)) sayUnlessQuiet(sentence);
  return { type: 'code', code: 0 };
}

/** How long a server may take to answer for the first time. */
const READY_PATIENCE_MS = 60_000;

async function prune(directory: string, mostBytes: number, say: (sentence: string) => void): Promise<void> {
  const [{ pruneRecordings }, { sizeText }] = await Promise.all([
    import('../../recordings/delete-recordings.ts'),
    import('../../recordings/recording-folders.ts'),
  ]);
  const { deleted, left } = await pruneRecordings(path.dirname(directory), mostBytes, directory);
  const bytes = deleted.reduce((sum, one) => sum + one.bytes, 0);
  if (deleted.length > 0) say(`${plural(deleted.length, 'old recording')} deleted (${sizeText(bytes)}), by --keep.`);
  for (const message of left) say(message);
}

/** `Load without → with the recorder: 1 240 → 1 131 req/s, p50 2 ms → 2 ms, p99 18 ms → 21 ms (…).`, and what went wrong with requests. */
export function loadSentences({ requests, connections, baseline, recorded }: RecordedLoad): readonly string[] {
  const pair = (figure: (figures: LoadFigures) => string): string =>
    baseline === null ? figure(recorded) : `${figure(baseline)} → ${figure(recorded)}`;
  const figures = [
    `${pair((one) => grouped(one.requestsPerSecond))} req/s`,
    ...(['p50', 'p99'] as const).map((name) => `${name} ${pair((one) => duration(one.latencyUs[name]))}`),
  ];
  const [only] = requests;
  const what = requests.length === 1 ? `${only?.method} ${only?.url}` : plural(requests.length, 'request');
  const sent = `${grouped(recorded.requests)} × ${what} over ${plural(connections, 'connection')}`;
  const runs = baseline === null ? 'Load with the recorder' : 'Load without → with the recorder';
  return [
    `${runs}: ${figures.join(', ')} (${sent}).`,
    ...(baseline === null ? [] : troubles(baseline, 'without the recorder')),
    ...troubles(recorded, 'with it'),
  ];
}

function troubles({ requests, errors, timeouts, non2xx }: LoadFigures, when: string): readonly string[] {
  const parts = [
    ...(non2xx > 0 ? [`${non2xx} of ${requests} answers had another status than 2xx`] : []),
    ...(errors > 0 ? [`${plural(errors, 'request')} failed, ${timeouts} of them by time-out`] : []),
  ];
  return parts.length === 0
    ? []
    : [`${parts.join(', and ')} ${when}: the figures show a program that refuses requests.`];
}

/** `1 240`; below 100 unrounded. */
function grouped(value: number): string {
  return value < 100 ? String(value) : String(Math.round(value)).replaceAll(/\B(?=(\d{3})+$)/g, ' ');
}
