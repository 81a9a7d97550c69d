import path from 'node:path';
import { isFolderThere, type PathRule } from '../../protocol/path-rules.ts';
import { type Given, type Invalid, invalid, type Option } from './command.ts';

/** For commands that read recordings, which may be of another machine. */
export const mapOption = {
  map: {
    value: { name: 'FROM=TO', kind: 'text', isRepeated: true },
    help: 'files that were recorded in the folder FROM of another machine are in the folder TO here',
  },
} as const satisfies Record<string, Option>;

export type Maps = { readonly type: 'maps'; readonly rules: readonly PathRule[] } | Invalid;

/** The rules that are given, each with the folder here as typed. */
export function readMaps(given: Given<keyof typeof mapOption>): Maps {
  const texts = given.texts('map');
  const rules = texts.map((text) => ({
    from: text.slice(0, text.lastIndexOf('=')),
    to: text.slice(text.lastIndexOf('=') + 1),
  }));
  const wrong = texts.find(
    (text, index) => !text.includes('=') || rules[index]?.to === '' || !isFolderThere(rules[index]?.from),
  );
  if (wrong === undefined) return { type: 'maps', rules };
  return invalid(
    `"--map ${wrong}" names no two folders: write --map /app=packages/api, the absolute folder of the recording first.`,
  );
}

/** The rules with absolute folders here. */
export function pathRulesOf(maps: readonly PathRule[], currentFolder: string): readonly PathRule[] {
  return maps.map(({ from, to }) => ({ from, to: folderFrom(to, currentFolder) }));
}

/**
 * A folder as typed, as an absolute path. A path with a drive of Windows is absolute on any system, because a profile
 * may come from such a machine.
 */
export function folderFrom(typed: string, currentFolder: string): string {
  return /^([a-z]:[\\/]|\\\\)/i.test(typed) ? typed : path.resolve(currentFolder, typed);
}
