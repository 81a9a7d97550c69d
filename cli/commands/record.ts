import path from 'node:path';
import { record, type RecordOptions } from '../../recorder/launch/run/record.ts';
import { commandTextIn } from '../../words/formats/command-text.ts';
import { plural, duration } from '../../words/formats/figures.ts';
import type { Found } from './analyze.ts';
import type { RecordArguments } from '../arguments/record-arguments.ts';
import { isTemporary } from '../../recordings/default-folder.ts';
import { type Output, plainText, type Surroundings } from '../views/terminal.ts';
import { tierNotes } from '../../recorder/launch/run/command-line.ts';
import type { LoadFigures, RecordedLoad } from '../../protocol/recording.ts';

/** How `hotspan record` itself has to end. */
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
  const say = (sentence: string): void => err.write(`hotspan: ${plainText(sentence)}\n`);
  const notes = [...options.notes, ...(options.kind === 'tiers' ? tierNotes(options.command) : [])];
  if (options.announce) say(`records ${commandTextIn(cwd, options.command)}`);
  if (!options.quiet || options.announce) for (const note of notes) say(note);
  const run: RecordOptions = {
    ...{ command: options.command, kind: options.kind, cwd, env },
    intervalUs: options.intervalUs,
    mostBytes: options.mostBytes,
    ...(options.out === undefined ? {} : { out: path.resolve(cwd, options.out) }),
    recorderFile,
    hotspanVersion: version,
    notes,
  };
  const finish = async (directory: string): Promise<Found | null> => {
    const tell = options.quiet ? () => {} : say;
    if (options.keepBytes !== null) await prune(directory, options.keepBytes, tell);
    return tellAfter(options.quiet, directory, err, cwd, say);
  };
  if (options.load !== null) return recordLoaded(run, options.load, say, options.quiet, finish);
  const outcome = await record({ ...run, onStarted: () => prepareToTell(options.quiet) });
  if (outcome.type !== 'ended') {
    say(outcome.message);
    return outcome.type === 'deleted'
      ? endOf(outcome)
      : { type: 'code', code: outcome.type === 'notStarted' ? 127 : 2 };
  }
  if (outcome.unfinished !== null) say(outcome.unfinished);
  if (options.out === undefined && isTemporary(outcome.directory)) say(temporaryText(outcome.directory));
  const found = await finish(outcome.directory);
  const isWhole = outcome.signal === null && options.kind === 'profile';
  if (found !== null && isWhole) await sayEmpty(found, run, outcome, say);
  return endOf(outcome);
}

function temporaryText(directory: string): string {
  return `The recording is in ${directory}: neither your cache folder nor this project can be written to. --out names another folder.`;
}

/** Ends as the command did. */
function endOf({
  exitCode,
  signal,
}: {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
}): Ending {
  return signal === null ? { type: 'code', code: exitCode ?? 0 } : { type: 'signal', signal };
}

/**
 * Loads what is needed at the end while the command starts: later, this thread has to see how long the command waits for
 * a processor. A failure is told where it is used.
 */
function prepareToTell(quiet: boolean): void {
  const load = async (): Promise<void> => {
    if (quiet) await import('./losses.ts');
    else await (await import('./analyze.ts')).loadParser();
  };
  setTimeout(() => void load().catch(() => {}), 5);
}

/** Says what was lost, or lists what blocked. With `--quiet` what reads recordings is not needed. */
async function tellAfter(
  quiet: boolean,
  directory: string,
  err: Output,
  cwd: string,
  say: (sentence: string) => void,
): Promise<Found | null> {
  if (quiet) return (await import('./losses.ts')).sayLosses(directory, say);
  return (await import('./analyze.ts')).listHotspots(directory, err, cwd, say);
}

/** Says why a run may show nothing of the person's code, and what to profile instead. */
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

/** Records a server under load. The server ends because we stop it, which is no failure. */
async function recordLoaded(
  run: RecordOptions,
  load: NonNullable<RecordArguments['load']>,
  say: (sentence: string) => void,
  quiet: boolean,
  show: (directory: string) => Promise<unknown>,
): Promise<Ending> {
  // It is loaded on demand, because it brings an HTTP client that is larger than all the rest.
  const [{ recordUnderLoad }, { applyLoad }] = await Promise.all([
    import('../../recorder/launch/load/record-under-load.ts'),
    import('../../recorder/launch/load/load.ts'),
  ]);
  const tell = quiet ? () => {} : say;
  const result = await recordUnderLoad(run, { ...load, patience: readyPatience, apply: applyLoad, say: tell });
  if (result.type === 'interrupted') return { type: 'signal', signal: result.signal };
  const fail = (message: string): Ending => {
    say(message);
    return { type: 'code', code: 2 };
  };
  if (result.type === 'failed') return fail(result.message);
  const { outcome, load: sent, message } = result;
  if (outcome.type !== 'ended') return fail(outcome.message);
  if (outcome.unfinished !== null) say(outcome.unfinished);
  await show(outcome.directory);
  if (sent === null) return fail(message ?? 'The load was not sent: the command was stopped before.');
  for (const sentence of loadSentences(sent)) tell(sentence);
  return { type: 'code', code: 0 };
}

/** How long a server may take to answer for the first time, in ms. */
const readyPatience = 60_000;

async function prune(directory: string, mostBytes: number, say: (sentence: string) => void): Promise<void> {
  const [{ pruneRecordings }, { sizeText }] = await Promise.all([
    import('../../recordings/delete-recordings.ts'),
    import('../../recordings/list-recordings.ts'),
  ]);
  const { deleted, left } = await pruneRecordings(path.dirname(directory), mostBytes, directory);
  const bytes = deleted.reduce((sum, one) => sum + one.bytes, 0);
  if (deleted.length > 0) say(`${plural(deleted.length, 'old recording')} deleted (${sizeText(bytes)}), by --keep.`);
  for (const message of left) say(message);
}

/**
 * Sentences such as `Load, without → with the recorder: 1 240 → 1 131 req/s, p99 18 → 21 ms.`, and what went wrong with
 * requests.
 */
export function loadSentences({ url, method, connections, baseline, recorded }: RecordedLoad): readonly string[] {
  const pair = (figure: (figures: LoadFigures) => string): string => `${figure(baseline)} → ${figure(recorded)}`;
  const figures = [
    `${pair((one) => grouped(one.requestsPerSecond))} req/s`,
    ...(['p50', 'p99'] as const).map((name) => `${name} ${pair((one) => duration(one.latencyUs[name]))}`),
  ];
  const sent = `${grouped(recorded.requests)} × ${method} ${url} over ${plural(connections, 'connection')}`;
  return [
    `Load without → with the recorder: ${figures.join(', ')} (${sent}).`,
    ...troubles(baseline, 'without the recorder'),
    ...troubles(recorded, 'with it'),
  ];
}

function troubles({ requests, errors, timeouts, non2xx }: LoadFigures, when: string): readonly string[] {
  const parts = [
    ...(non2xx > 0 ? [`${non2xx} of ${requests} answers had another status than 2xx`] : []),
    ...(errors > 0 ? [`${plural(errors, 'request')} failed, ${timeouts} of them by time-out`] : []),
  ];
  return parts.length === 0 ? [] : [`${parts.join(', and ')} ${when}: the figures are of a program that refuses work.`];
}

/** A number such as `1 240`, with one decimal below 100. */
function grouped(value: number): string {
  return value < 100 ? String(value) : String(Math.round(value)).replaceAll(/\B(?=(\d{3})+$)/g, ' ');
}
