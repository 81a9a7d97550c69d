import type { Refusal } from '../engine/compare/compare-recordings.ts';

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
