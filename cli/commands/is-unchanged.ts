import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { isSameCode } from '../../engine/compare/match-functions.ts';
import type { Comparison } from '../../protocol/comparison.ts';
import type { Microseconds } from '../../protocol/units.ts';
import { git, type KeptCommit, type Repository, withObjects } from '../../recorder/launch/pairs/git.ts';
import { differingFiles } from '../../recorder/launch/pairs/snapshot.ts';
import { pathBelow } from '../../protocol/path-spelling.ts';
import { eventsFile, recordingFile } from '../../protocol/recording.ts';
import { comparisonMarkdown, nothingToJudgeText } from '../../words/formats/change-texts.ts';
import type { ComparisonShown } from '../arguments/compare-arguments.ts';
import { rechecked } from '../../agents/compared.ts';
import { jsonText } from '../views/report-text.ts';
import { type Output, plainText } from '../views/terminal.ts';

/**
 * In what the work tree differs from a commit, Markdown and Hotspan's own files aside. `nothing`: at most in white space
 * and comments. `code`: in JavaScript and TypeScript. `more`: in other files (data, packages, settings), or that is not
 * known.
 */
export async function differenceFrom(base: KeptCommit, repository: Repository): Promise<'nothing' | 'code' | 'more'> {
  const found = await differingFiles(base, repository);
  if (found === null) return 'more';
  const names = [...found.differing, ...withoutRecordings(found.untracked)];
  let difference: 'nothing' | 'code' = 'nothing';
  for (const file of names.filter((name) => !aside.test(name))) {
    if (isCode.test(file) && (await isSameIn(base, repository, file))) continue;
    if (!isCode.test(file) || isSetting.test(file)) return 'more';
    difference = 'code';
  }
  return difference;
}

async function isSameIn({ commit, objects }: KeptCommit, { root }: Repository, file: string): Promise<boolean> {
  const before = await git(root, ['cat-file', 'blob', `${commit}:${file}`], withObjects(objects));
  const isFile = (await stat(path.join(root, file)).catch(() => null))?.isFile() === true; // A pipe would never end.
  const now = isFile ? await readFile(path.join(root, file), 'utf8').catch(() => null) : null;
  return before.type !== 'failed' && now !== null && isSameCode(file, before.text, now.trimEnd());
}

/** No program reads these. */
const aside = /\.md$|(?:^|\/)hotspan\.budget\.json$/;
const isCode = /\.[cm]?[jt]sx?$/;
/** Code that runs unseen and changes how all other code is built or run. */
const isSetting = /(?:^|\/)\.|\.config\.|(?:^|\/)[^/]*rc\.[^/]+$/;

/** Without profiles and recordings. A recording has two files of these names side by side. */
function withoutRecordings(files: readonly string[]): readonly string[] {
  const all = new Set(files);
  const folders = files.flatMap((file) => {
    const folder = path.posix.dirname(file);
    return path.posix.basename(file) === recordingFile && all.has(`${folder}/${eventsFile}`) ? [folder] : [];
  });
  const isProfile = (file: string): boolean => file.endsWith('.cpuprofile');
  return files.filter((file) => !isProfile(file) && !folders.some((folder) => pathBelow(file, folder) !== null));
}

/** Whether the work tree differs from a commit at most in white space, comments and Markdown. */
export async function isUnchangedSince(base: KeptCommit, repository: Repository): Promise<boolean> {
  return (await differenceFrom(base, repository)) === 'nothing';
}

/** Name of the head. */
export const workTree = 'your work tree';

/** Prints the answer if no code differs from the base: nothing was run. Gives the exit code. */
export function sayUnchanged(
  baseName: string,
  { thresholdUs, format }: { readonly thresholdUs: Microseconds; readonly format: ComparisonShown['format'] | 'text' },
  out: Output,
): 0 {
  const sentence = nothingToJudgeText(baseName);
  const comparison: Comparison = {
    ...{ version: 1, kind: 'comparison', order: 'interleaved', thresholdUs },
    ...{ base: { name: baseName, runs: [] }, head: { name: workTree, runs: [] } },
    machine: { medianRatio: null, flagged: 0, of: 0, shifted: false },
    ...{ functions: [], warnings: [sentence] },
  };
  if (format === 'brief') out.write(jsonText(rechecked(comparison, undefined, 'the code')));
  else if (format === 'json') out.write(jsonText(comparison));
  else out.write(format === 'markdown' ? comparisonMarkdown(comparison) : `${plainText(sentence)}\n`);
  return 0;
}
