import { type KnownCode, knownCodeIn } from '../../engine/compare/compare-recordings.ts';
import { type FunctionQuery, hasCodeOf, type MeantFunction } from '../../engine/compare/find-function.ts';
import { failed, type Failure } from '../../protocol/failure.ts';
import { diskWorld } from '../../recordings/disk-world.ts';
import { olderRecordings } from '../../recordings/newest-of-project.ts';
import { plural } from '../../words/formats/figures.ts';
import type { RecheckArguments } from '../arguments/recheck-arguments.ts';
import { type Output, showProgress, type Surroundings } from '../views/terminal.ts';
import { whyNot } from './compare.ts';
import { shownCommand } from './find-recording.ts';
import { type Known, whatIsKnown } from './known-base.ts';
import { functionIn, queryOf, readingOptions, typedName, withChangedFiles } from './named-function.ts';

interface Read {
  readonly type: 'read';
  readonly known: Known;
  readonly code: KnownCode;
  /** The function there; a failure where what was typed is the name of none, or of several. */
  readonly named: ReturnType<typeof functionIn>;
  /** Whether the function or its file ran there. */
  readonly hasRun: boolean;
}

/**
 * The function that was typed, as recordings know it. Where the user has not named one, it is the newest in which the
 * function ran: the newest of all may be of another command. Without one, only a command that the user gave is run.
 */
export async function askedFunction(
  options: RecheckArguments,
  surroundings: Surroundings,
  err: Output,
): Promise<({ readonly type: 'asked' } & Pick<Read, 'known' | 'code'> & MeantFunction) | Failure> {
  const { cwd } = surroundings;
  const query = await queryOf(options.function, cwd);
  if (query.type === 'failed') return query;
  const readIn = async (recording: string | null): Promise<Read | Failure> =>
    readKnown(query, { ...options, recording }, surroundings);
  const first = await readIn(options.recording);
  if (first.type === 'failed') return first;
  const [newest = ''] = first.known.recordings;
  const isOther = first.known.isNewest && !first.hasRun;
  const others = isOther ? (await olderRecordings(cwd, newest)).slice(0, MAX_OLDER) : [];
  const older = await firstThatRan(others, readIn, err);
  const { known, code, named } = older ?? first;
  if (named.type === 'failed') return named;
  const name = typedName(named.query, options.function, named.fn);
  const notSeen = `${name} was not seen in`;
  if (older !== null)
    err.say(
      `${notSeen} the newest recording (${commandOf(first)}). The newest that ran it is taken: ${commandOf(older)}.`,
    );
  else if (isOther) return failed(nowhereText(name, commandOf(first), others.length));
  else if (named.fn === undefined && code.functions.length > 0)
    err.say(`${notSeen} ${newest}: the whole command is run.`);
  return { ...named, type: 'asked', known, code };
}

function commandOf({ known: { recordings, command } }: Read): string {
  return `${recordings[0] ?? ''}, of "${shownCommand(command)}"`;
}

function nowhereText(name: string, newest: string, older: number): string {
  const also = older === 0 ? '' : ` and ${plural(older, 'older one')}`;
  return `Nothing of ${name} or its file was seen in the newest recording (${newest})${also}: record what runs it (hotspan record -- npm test), or give the command after "--".`;
}

/** Limit of older recordings that are read. */
const MAX_OLDER = 8;

async function readKnown(
  query: FunctionQuery,
  options: RecheckArguments,
  surroundings: Surroundings,
): Promise<Read | Failure> {
  const known = await whatIsKnown(options, surroundings);
  if (known.type === 'failed') return known;
  const runs = known.recordings.map((one) => [one]);
  const code = await knownCodeIn(runs, diskWorld, readingOptions(options, surroundings));
  if (code.type !== 'read') return failed(whyNot(code));
  const wanted = await withChangedFiles(query, code, surroundings.cwd);
  const named = functionIn(code.functions, wanted, options.function, options.thresholdUs);
  const isFound = named.type === 'found' && named.fn !== undefined;
  return { type: 'read', known, code, named, hasRun: isFound || hasCodeOf(wanted, code.functions) };
}

/** The first of the recordings that can be used and in which it ran; null without one. */
async function firstThatRan(
  recordings: readonly string[],
  readIn: (recording: string) => Promise<Read | Failure>,
  err: Output,
): Promise<Read | null> {
  for (const [index, recording] of recordings.entries()) {
    showProgress(err, `Reading older recordings, ${index + 1} of ${recordings.length} …`);
    const read = await readIn(recording);
    showProgress(err, '');
    if (read.type === 'read' && read.hasRun) return read;
  }
  return null;
}
