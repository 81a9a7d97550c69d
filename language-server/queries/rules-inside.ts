import { isInside } from '../../engine/read/files/file-path.ts';
import { withoutDots } from '../../protocol/machine-path.ts';
import type { PathRule } from '../../protocol/path-rules.ts';

/** The rules that lead into one of the folders. Others do not count, whoever wrote them. */
export function rulesInside(rules: readonly PathRule[] = [], folders: readonly string[]): readonly PathRule[] {
  return rules
    .map(({ from, to }) => ({ from, to: withoutDots(to) }))
    .filter(({ to }) => folders.includes(to) || isInside(to, folders));
}
