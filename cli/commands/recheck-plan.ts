import { lstat, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { KnownCode } from '../../engine/compare/compare-recordings.ts';
import { isSameCode } from '../../engine/compare/match-functions.ts';
import type { SideFunction } from '../../engine/compare/side.ts';
import { fewestTestFiles, type RunCost, timeOf } from '../../engine/compare/tests-to-run.ts';
import { parseManifest } from '../../protocol/formats/parse-manifest.ts';
import { recordingFile } from '../../protocol/recording.ts';
import { git, repositoryOf } from '../../recorder/launch/pairs/git.ts';
import type { SideCommand } from '../../recorder/launch/pairs/run-pairs.ts';
import { commitAsRecorded } from '../../recorder/launch/pairs/snapshot.ts';
import { openWorkFolder } from '../../recorder/launch/pairs/base.ts';
import { commandsFor } from './head-runs.ts';
import type { WantedBase } from './paired-runs.ts';
import type { Surroundings } from '../views/terminal.ts';

/** What one run of a re-check executes. */
export interface RecheckPlan extends RunCost {
  readonly commands: readonly SideCommand[];
  /** Whether these tests ran in the recording as they run now, so that both figures can be compared. */
  readonly isAsRecorded: boolean;
}

/** The fewest tests that show the function; the whole command where they are not known or cannot run by themselves. */
export async function planRecheck(
  fn: SideFunction | undefined,
  { times }: Pick<KnownCode, 'times'>,
  command: readonly string[],
  { cwd, env }: Surroundings,
): Promise<RecheckPlan> {
  const files = fn === undefined ? [] : fewestTestFiles(fn.testFiles);
  const commands = files.length === 0 ? null : await commandsFor(files, path.parse(cwd).root, cwd, env);
  return commands === null
    ? { files: [], commands: [{ command, cwd, env: {} }], us: times.whole, isAsRecorded: true }
    : { files, commands, us: timeOf(files, times), isAsRecorded: files.every((file) => times.alone.has(file)) };
}

/** The base of a re-check without a baseline. */
export type RecordedBase =
  | {
      readonly type: 'base';
      readonly base: WantedBase;
      /** Deletes what is only in this base. */
      readonly close: () => Promise<void>;
    }
  /** No file changed since the recording, but for white space, comments and Markdown. */
  | { readonly type: 'unchanged' }
  /** `reason`: what is not known of the files as they ran. */
  | { readonly type: 'unknown'; readonly reason: string };

/**
 * The work tree as it was when the recording was made: the recording has the texts of the files that ran, and all other
 * files are as they are now. A file that changed since then and whose text was not kept makes it unknown.
 */
export async function recordedBase(
  recording: string,
  { keptText }: Pick<KnownCode, 'keptText'>,
  { cwd }: Surroundings,
  preparation: Pick<WantedBase, 'setup' | 'install'>,
): Promise<RecordedBase> {
  const repository = await repositoryOf(cwd);
  if (repository.type === 'failed') return { type: 'unknown', reason: repository.message };
  const manifest = parseManifest(await readFile(path.join(recording, recordingFile), 'utf8').catch(() => ''));
  const ended = Date.parse(manifest?.endedAt ?? '');
  if (Number.isNaN(ended)) return { type: 'unknown', reason: 'The recording does not say when it ended.' };
  const texts = new Map<string, string>();
  let isUnchanged = true;
  for (const file of await changedAfter(ended, repository.root)) {
    const text = await keptText(file);
    if (text === null)
      return {
        type: 'unknown',
        reason: `${path.relative(cwd, file)} changed, and the recording has not kept its text.`,
      };
    const now = await readFile(file, 'utf8').catch(() => null);
    if (now !== text) texts.set(file, text);
    if (now === null || !isSameCode(file, text, now)) isUnchanged = false;
  }
  if (isUnchanged) return { type: 'unchanged' };
  const { folder, close } = await openWorkFolder();
  const kept = await commitAsRecorded(repository, texts, folder);
  if (kept.type === 'failed') {
    await close();
    return { type: 'unknown', reason: kept.message };
  }
  const { commit, objects } = kept;
  return { type: 'base', base: { name: 'the recorded code', commit, objects, ...preparation }, close };
}

/** Absolute paths of the files that git tracks, or does not ignore, and that were written after a time in ms. Not Markdown. */
async function changedAfter(time: number, root: string): Promise<readonly string[]> {
  const listed = await git(root, ['ls-files', '--cached', '--others', '--exclude-standard', '-z']);
  const files =
    listed.type === 'done' ? listed.text.split('\0').filter((file) => file !== '' && !file.endsWith('.md')) : [];
  const changed: string[] = [];
  for (const file of new Set(files)) {
    const at = path.join(root, file);
    const facts = await lstat(at).catch(() => null);
    // Not the time of modification, which an editor or a copy may set.
    if (facts === null || facts.ctimeMs > time) changed.push(at);
  }
  return changed;
}
