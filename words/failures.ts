import type { AnalyzeFailure } from '../engine/read/isolates/load-isolates.ts';
import { fileKindText } from './warnings/file-warnings.ts';
import { unrecordable } from './warnings/program-warnings.ts';
import { warningText } from './warnings/warning-text.ts';
import type { Refusal } from '../engine/compare/read-runs.ts';

/** Why nothing could be analyzed, and what to do. */
export function describeFailure(failure: AnalyzeFailure): string {
  switch (failure.type) {
    case 'cancelled':
      return 'The analysis was cancelled.';
    case 'notFound':
      if (isAddress.test(failure.path)) return `${failure.path} is not on a disk: save it on one, and open it there.`;
      return `${failure.path} is not there, may not be read, or is not a plain file: ${whatToGive}`;
    case 'unknownVersion':
      return warningText(failure);
    case 'noProfiles':
      return `${failure.path} holds no CPU profile: ${failure.instead === null ? whatToGive : `${failure.instead.file} ${fileKindText(failure.instead.kind)}.`}`;
    case 'nothingRecorded':
      return `${failure.path} holds no CPU profile${failure.loss === null ? nothingRan : `. ${warningText(failure.loss)}`}`;
    case 'allDamaged':
      return damagedText(failure.reasons.map(warningText));
  }
}

const whatToGive = 'give a recording folder, or .cpuprofile files, or a folder of such files.';

/** An address such as `vscode-vfs://github/…` or `memfs:/…`; the drive of Windows has one letter. */
const isAddress = /^[a-z][\w+.-]+:\//i;

const nothingRan = `: no Node.js program ran before it ended, or it ran ${unrecordable}: record it again, or what starts one elsewhere.`;

function damagedText([first = 'Nothing can be read.', ...others]: readonly string[]): string {
  if (others.length === 0) return first;
  return `${first} The other ${others.length === 1 ? 'file' : `${others.length} files`} cannot be read either.`;
}

/** Why two recordings cannot be compared, and what to do instead. */
export function refusalText({ differs, first, other }: Refusal): string {
  switch (differs) {
    case 'kind':
      return `${other.path} holds V8's tiers and no times: give recordings of "hotspan record" without --tiers.`;
    case 'node':
      return `${first.path} ran on Node.js ${first.value}, ${other.path} on ${other.value}: record both on one version, else every figure differs.`;
    case 'command':
      return `${first.path} and ${other.path} are of different commands (${first.value} and ${other.value}): record the same command on both sides.`;
  }
}
