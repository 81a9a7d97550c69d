import { lstat, readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import type { KnownCode } from '../../engine/compare/compare-recordings.ts';
import { isMovedText, isSameCode } from '../../engine/compare/match-functions.ts';
import type { SideFunction } from '../../engine/compare/side.ts';
import { fewestTestFiles, type RunCost, timeOf } from '../../engine/compare/tests-to-run.ts';
import { isLoaded } from '../../recorder/launch/pairs/code-watch.ts';
import { ignoredAmong } from '../../recorder/launch/pairs/ignored-files.ts';
import { git, type GitResult, type Repository, repositoryOf } from '../../recorder/launch/pairs/git.ts';
import { dirtyRepositories } from '../../recorder/launch/pairs/inner-repositories.ts';
import type { SideCommand } from '../../recorder/launch/pairs/run-pairs.ts';
import { commitAsRecorded } from '../../recorder/launch/pairs/snapshot.ts';
import { openWorkFolder } from '../../recorder/launch/pairs/base.ts';
import { isOwnRecording } from '../../recorder/launch/run/own-commands.ts';
import { isAtOrBelow } from '../../protocol/path-spelling.ts';
import { commandsFor } from './head-runs.ts';
import { readManifest } from '../../recordings/recording-folders.ts';
import type { WantedBase } from './known-base.ts';
import type { Surroundings } from '../views/terminal.ts';

/** What one run of a re-check executes. */
export interface RecheckPlan extends RunCost {
  readonly commands: readonly SideCommand[];
  /** Whether these tests ran in the recording as they run now, so that both figures can be compared. */
  readonly isAsRecorded: boolean;
  /** That of the whole command; null where this is it. */
  readonly whole: RecheckPlan | null;
}

/** The fewest tests that show the function; the whole command where they are not known or cannot run by themselves. */
export async function planRecheck(
  fn: SideFunction | undefined,
  { times }: Pick<KnownCode, 'times'>,
  whole: SideCommand,
  { env }: Surroundings,
): Promise<RecheckPlan> {
  const files = fn === undefined ? [] : fewestTestFiles(fn.testFiles);
  const commands = files.length === 0 ? null : await commandsFor(files, whole, env);
  // Elsewhere figures have the time that a thread waited for a CPU: other workers ran beside it in the recording.
  const isComparable = process.platform === 'linux';
  const ofAll = { files: [], commands: [whole], us: times.whole, isAsRecorded: isComparable, whole: null };
  const isAsRecorded = isComparable && files.every((file) => times.alone.has(file));
  return commands === null ? ofAll : { files, commands, us: timeOf(files, times), isAsRecorded, whole: ofAll };
}

/** The base of a re-check without a baseline. */
export type RecordedBase =
  | {
      readonly type: 'base';
      readonly base: WantedBase;
      /** Whether only its setup makes it another program than the work tree, and than the recorded one. */
      readonly isUnchanged: boolean;
      /** Deletes what is only in this base. */
      readonly close: () => Promise<void>;
    }
  /** No file changed since the recording, but for white space, comments and Markdown, and the base has no setup. */
  | { readonly type: 'unchanged' }
  /** `reason`: what is not known of the files as they ran. */
  | { readonly type: 'unknown'; readonly reason: string };

const unknown = (reason: string): RecordedBase => ({ type: 'unknown', reason });

/**
 * The work tree as it was when the recording was made: the recording has the texts of the files that ran, and all other
 * files are as they are now. It is unknown where a file changed without a kept text, or is not in a commit: ignored by
 * git, outside of the repository, in a changed submodule. The texts run, so the recording must be the user's own.
 */
export async function recordedBase(
  recording: string,
  known: Pick<KnownCode, 'files' | 'keptText'>,
  { cwd, env }: Surroundings,
  preparation: Pick<WantedBase, 'setup' | 'install'>,
): Promise<RecordedBase> {
  const repository = await repositoryOf(cwd);
  if (repository.type === 'failed') return unknown(repository.message);
  const { endedAt = null, startedAt = null } = (await readManifest(recording)) ?? {};
  if (endedAt === null || startedAt === null || !(await isOwnRecording(recording, startedAt, env)))
    return unknown('the recording was not made here, or not to its end');
  const { texts, kept, isSame } = await changedTexts(known);
  const others = await changedOthers(repository, { kept, startedAt, endedAt });
  const moved = await movedFiles([...(others?.changed ?? []), ...(others?.made ?? [])], texts);
  const reason = await whyNotInCommit(repository, { ran: known.files, texts, others, moved });
  if (reason !== null) return unknown(reason);
  if (isSame && preparation.setup === null) return { type: 'unchanged' };
  const { folder, close } = await openWorkFolder();
  const older = new Map([...texts].map(([file, { before }]) => [file, before]));
  const commit = await commitAsRecorded(repository, { texts: older, without: moved }, folder);
  const named = { name: 'the recorded code', recordings: [recording] };
  if (commit.type === 'kept')
    return { type: 'base', base: { ...named, ...commit, ...preparation }, isUnchanged: isSame, close };
  await close();
  return unknown(commit.message);
}

/** The texts of the files that have another one now than was recorded, and all files with a recorded text. */
async function changedTexts({ files, keptText }: Pick<KnownCode, 'files' | 'keptText'>) {
  const texts = new Map<string, { readonly before: string; readonly isGone: boolean }>();
  const kept = new Set<string>();
  let isSame = true;
  for (const file of files) {
    const before = await keptText(file);
    if (before === null) continue;
    kept.add(file);
    const now = await readFile(file, 'utf8').catch(() => null);
    if (now !== before) texts.set(file, { before, isGone: now === null });
    if (now === null || !isSameCode(file, before, now)) isSame = false;
  }
  return { texts, kept, isSame };
}

type ChangedTexts = Awaited<ReturnType<typeof changedTexts>>['texts'];

interface RanFiles {
  /** Absolute paths of own files that ran. */
  readonly ran: readonly string[];
  readonly texts: ChangedTexts;
  readonly others: ChangedOthers | null;
  readonly moved: ReadonlySet<string>;
}

/** Why a commit of the work tree with the recorded texts would not be the code that ran; null where it would. */
async function whyNotInCommit(repository: Repository, { ran, texts, others, moved }: RanFiles): Promise<string | null> {
  const { root } = repository;
  const realRoot = await realpath(root);
  const isIn = (file: string): boolean => isAtOrBelow(file, root) || isAtOrBelow(file, realRoot);
  const outside = [...texts.keys()].find((file) => !isIn(file));
  if (outside !== undefined) return `${outside} changed, and is outside of the repository`;
  const ignored = await ignoredAmong(repository, ran);
  if (ignored?.[0] !== undefined) return `git ignores ${ignored[0].file}, which ran`;
  const dirty = await dirtyRepositories(root);
  if (dirty?.[0] !== undefined) return `the repository ${dirty[0]} has uncommitted changes`;
  if (others === null || ignored === null || dirty === null) return 'git cannot list the files';
  const unkept = others.changed.find((file) => !moved.has(file));
  if (unkept === undefined) return null;
  return `${path.relative(realRoot, unkept).replaceAll(path.sep, '/')} changed, and the recording has not kept its text`;
}

/** Absolute paths of files without a kept text, but for Markdown. */
interface ChangedOthers {
  /** Tracked, or of a kind that programs load: an untracked log may change. */
  readonly changed: readonly string[];
  /** Untracked files that were made since the recording began. */
  readonly made: readonly string[];
}

/** The files that changed since the recording; null where git cannot list them. */
async function changedOthers(
  { root }: Repository,
  { kept, startedAt, endedAt }: { kept: ReadonlySet<string>; startedAt: string; endedAt: string },
): Promise<ChangedOthers | null> {
  const realRoot = await realpath(root);
  const tracked = await git(root, ['ls-files', '--cached', '-z']);
  const others = await git(root, ['ls-files', '--others', '--exclude-standard', '-z']);
  const deleted = await git(root, ['ls-files', '--deleted', '-z']);
  if ([tracked, others, deleted].some(({ type }) => type === 'failed')) return null;
  const [known, gone] = [new Set(namesIn(tracked)), new Set(namesIn(deleted))];
  const [changed, made]: [string[], string[]] = [[], []];
  for (const name of new Set([...known, ...namesIn(others)])) {
    const file = path.join(realRoot, name);
    if (name.endsWith('.md') || kept.has(file) || kept.has(path.join(root, name))) continue;
    const facts = await lstat(file).catch(() => null);
    const isMade = !known.has(name) && facts !== null && facts.birthtimeMs > Date.parse(startedAt);
    // Not the time of modification, which an editor or a copy may set.
    const isChanged = facts === null ? gone.has(name) : facts.ctimeMs > Date.parse(endedAt);
    // The command may have written what is made: the code that ran is the same without it.
    if (isMade) made.push(file);
    else if (isChanged && (known.has(name) || isLoaded.test(name))) changed.push(file);
  }
  return { changed, made };
}

/** Those of the files that have about the recorded text of a file that is gone: they were not there before. */
async function movedFiles(files: readonly string[], texts: ChangedTexts): Promise<ReadonlySet<string>> {
  const gone = [...texts].filter(([, { isGone }]) => isGone);
  const moved = new Set<string>();
  for (const file of gone.length === 0 ? [] : files) {
    if (/[\t\n\r]/.test(file)) continue; // Recordings have its name without them.
    const now = await readFile(file, 'utf8').catch(() => null);
    const isMoved = gone.some(
      ([other, { before }]) =>
        path.extname(other) === path.extname(file) && now !== null && isMovedText(file, before, now),
    );
    if (isMoved) moved.add(file);
  }
  return moved;
}

function namesIn(list: GitResult): readonly string[] {
  return list.type === 'done' ? list.text.split('\0').filter((name) => name !== '') : [];
}
