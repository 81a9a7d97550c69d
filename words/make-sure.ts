import type { RunCost } from '../engine/compare/tests-to-run.ts';
import type { FurtherRuns, Surety } from '../engine/compare/runs/make-sure.ts';
import { duration, plural } from './formats/figures.ts';

/** How often the tests of uncertain findings run again. */
export const furtherRunCount = 2;

/** What it costs to be sure: `2 × about 9 s, 3 test files`. */
export function furtherRunsText({ files, us }: FurtherRuns): string {
  const what = files === null ? 'the whole command' : plural(files.length, 'test file');
  return `${furtherRunCount} × about ${duration(us)}, ${what}`;
}

/** A re-check makes at least so many runs: three of each side. */
export const MIN_RUNS = 6;

/** What a re-check costs: `6 × about 4 s, string.test.ts`. `us`: of one run; null where that is not known. */
export function planText({ files, us }: RunCost): string {
  const names = files.map((file) => file.slice(file.lastIndexOf('/') + 1));
  const what = files.length === 0 ? 'the whole command' : names.join(', ');
  return us === null ? `${MIN_RUNS} runs, ${what}` : `${MIN_RUNS} × about ${duration(us)}, ${what}`;
}

/** The row of the view that starts the further runs. It says what they cost. */
export function makeSureRow(further: FurtherRuns): { readonly text: string; readonly description: string } {
  return { text: `Make sure of ${plural(further.findings.length, 'finding')}`, description: furtherRunsText(further) };
}

/** What the terminal says of uncertain findings: how to be sure, and what that costs. */
export function makeSureHint(further: FurtherRuns): string {
  return `To be sure of ${plural(further.findings.length, 'uncertain finding')}: hotspan make-sure (${furtherRunsText(further)}).`;
}

/** `12 uncertain findings: 3 seen again, 9 not.` */
export function suretyText({ seenAgain: { runs, findings }, changedFiles }: Surety): string {
  const again = findings.filter(({ seenIn }) => seenIn * 2 >= runs).length;
  const counts = `${again} seen again, ${findings.length - again} not`;
  const said = findings.length === 0 ? [] : [`${plural(findings.length, 'uncertain finding')}: ${counts}.`];
  const [file, ...others] = changedFiles;
  const more = others.length === 0 ? '' : ` and ${plural(others.length, 'other file')}`;
  const changed = `${file ?? ''}${more} changed since the recording: profile again to know about what is there.`;
  return [...said, ...(file === undefined ? [] : [changed])].join(' ');
}
