import path from 'node:path';
import { record, type RecordOptions } from '../../recorder/launch/run/record.ts';
import { commandTextIn } from '../../words/formats/command-text.ts';
import { plural } from '../../words/formats/figures.ts';
import type { Found } from './analyze.ts';
import type { RecordArguments } from '../arguments/record-arguments.ts';
import { isTemporary } from '../../recordings/default-folder.ts';
import type { Ending, Output, Session } from '../views/terminal.ts';
import { tierNotes } from '../../recorder/launch/run/command-line.ts';
import type { ReadingThread } from './reading-thread.ts';

/** Runs the command, then lists on `err` what blocked: the command's output is on stdout. */
export async function recordCommand({ options, terminal, surroundings }: Session<RecordArguments>): Promise<Ending> {
  const { err } = terminal;
  const { cwd, env, recorderFile, version } = surroundings;
  const { say } = err;
  const ahead = new ReadingAhead(recorderFile, cwd, !options.quiet);
  const notes = [...options.notes, ...(options.kind === 'tiers' ? tierNotes(options.command) : [])];
  if (options.announce) say(`records ${commandTextIn(cwd, options.command)}`);
  if (!options.quiet || options.announce) for (const note of notes) say(note);
  const { command, kind, intervalUs, mostBytes } = options;
  const run: RecordOptions = {
    ...{ command, kind, cwd, env, intervalUs, mostBytes, recorderFile, hotspanVersion: version, notes },
    ...(options.out === null ? {} : { out: path.resolve(cwd, options.out) }),
  };
  const sayUnlessQuiet = options.quiet ? () => {} : say;
  const finish = async (directory: string): Promise<Found | null> => {
    if (options.keepBytes !== null) await prune(directory, options.keepBytes, sayUnlessQuiet);
    // With `--quiet`, what reads recordings is not needed.
    if (options.quiet) return (await import('./losses.ts')).sayLosses(directory, say);
    return ahead.list(directory, err);
  };
  if (options.load !== null) {
    const { recordLoaded } = await import('./send-load.ts');
    return recordLoaded(run, options.load, { err, say: sayUnlessQuiet, show: finish });
  }
  const outcome = await record({ ...run, onStarted: () => loadAhead(options.quiet), onCalm: ahead.look });
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

/** Has a thread once the run is long enough for one: short runs start sooner without its code. */
class ReadingAhead {
  #thread: ReadingThread | null = null;
  readonly #folder: string;
  readonly #cwd: string;
  readonly #hasTable: boolean;

  /** `hasTable`: otherwise nothing is read ahead. */
  constructor(recorderFile: string, cwd: string, hasTable: boolean) {
    this.#folder = path.dirname(recorderFile);
    this.#cwd = cwd;
    this.#hasTable = hasTable;
  }

  readonly look = (directory: string): void => {
    if (this.#hasTable && process.uptime() > SHORT_RUN_S) void this.#look(directory);
  };

  /** Prints the table, in this thread if that one cannot. */
  async list(directory: string, err: Output): Promise<Found> {
    const listed = await this.#thread?.list(directory, err);
    return listed ?? (await import('./analyze.ts')).listHotspots(directory, err, this.#cwd);
  }

  async #look(directory: string): Promise<void> {
    const { ReadingThread } = await import('./reading-thread.ts');
    this.#thread ??= new ReadingThread(this.#folder, this.#cwd);
    this.#thread.look(directory);
  }
}

/** Shorter runs have little to read, and a thread takes 50 ms to start. */
const SHORT_RUN_S = 4;

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
    say(`No test was reported: the output says what ran. You can profile ${ways}.`);
  else if (isUnseen) say(`You can profile ${ways} that runs your code.`);
}

async function prune(directory: string, mostBytes: number, say: (sentence: string) => void): Promise<void> {
  const [{ pruneComparisons, pruneRecordings }, { sizeText }] = await Promise.all([
    import('../../recordings/delete-recordings.ts'),
    import('../../recordings/recording-folders.ts'),
  ]);
  const { deleted, left } = await pruneRecordings(path.dirname(directory), mostBytes, directory);
  const bytes = deleted.reduce((sum, one) => sum + one.bytes, 0);
  if (deleted.length > 0) say(`${plural(deleted.length, 'old recording')} deleted (${sizeText(bytes)}), by --keep.`);
  for (const message of [...left, ...(await pruneComparisons(path.dirname(directory), mostBytes, ''))]) say(message);
}
