import { longestPattern, type PatternRefused } from '../../engine/read/functions/find-workspace.ts';
import type { OddRuns, SeveralRuns } from '../../engine/read/isolates/several-runs.ts';
import type { UnreportedTests } from '../../engine/read/isolates/unreported-tests.ts';
import type { UnseenProgram } from '../../engine/judge/hotspots/doubt-warnings.ts';
import { plural } from '../formats/figures.ts';
import type { Texts } from './text-table.ts';

/** About the runs, the tests and the program that the files are of. */
export const programTexts: Texts<SeveralRuns | OddRuns | UnreportedTests | UnseenProgram | PatternRefused> = {
  severalRuns({ runs, first, last }) {
    return `These profiles are of ${runs} runs or machines${first === last ? '' : ` (${first} to ${last})`}: what they count is added up. Give one run's files to see it alone.`;
  },
  severalClocks({ logs }) {
    return `${logs} V8 logs have no clock in common: the times of each are counted from its own beginning, so what ran at once is not known. Record with "hotspan record --tiers" to have it.`;
  },
  otherCode({ file, first, other }) {
    return `${first} and ${other} are no runs of the same code: ${file} differs. Figures of functions that changed are of no version. "hotspan compare ${first} --head ${other}" says what changed.`;
  },
  otherNodes({ versions }) {
    return `The runs are of different versions of Node.js (${versions.join(', ')}), so their ranges say less of your code than of Node.js.`;
  },
  concurrentTests({ files }) {
    return `Tests of ${plural(files, 'file')} ran at the same time (concurrent): operations meanwhile name no test.`;
  },
  silentRunner({ runner }) {
    return `${runner} ran, but did not tell which test ran when: operations name no test. Either none ran, or it is of a version, or was started in a way, that Hotspan does not know.`;
  },
  cacheReplayed({ tool }) {
    return `${tool} ran, but nothing of your code did: it replayed its cache. Record again with ${withoutCache[tool]}.`;
  },
  nothingSeen({ file, exitCode }) {
    return `Nothing of ${file ?? 'your own code'} was seen${exitCode === 0 ? `: it took less than a millisecond, was left out of the run, or ran ${unrecordable}` : `, and the command failed (exit code ${exitCode}): what it printed says why`}.`;
  },
  patternRefused({ pattern, reason }) {
    return `The pattern for tests "${pattern.slice(0, longestPattern)}" ${patternFaults[reason]}: correct it in the settings.`;
  },
};

const withoutCache: Readonly<Record<Extract<UnseenProgram, { type: 'cacheReplayed' }>['tool'], string>> = {
  nx: '--skip-nx-cache',
  turbo: '--force, outside of Linux --force --env-mode=loose',
};

/** Where programs run that `hotspan record` does not reach. To be put at the end of a sentence. */
export const unrecordable =
  'where Hotspan cannot record (Deno, Bun, Node.js before 20, node --permission, a script that sets NODE_OPTIONS anew)';

const patternFaults: Readonly<Record<PatternRefused['reason'], string>> = {
  tooLong: `is longer than ${longestPattern} characters`,
  slow: 'repeats a group that itself repeats or has alternatives, which can take for ever',
  noPattern: 'is no regular expression',
};
