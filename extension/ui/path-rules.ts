import path from 'node:path';
import { isRecord } from '../../protocol/json-value.ts';
import { isFolderThere, type PathRule } from '../../protocol/path-rules.ts';
import { visible } from '../../words/formats/hidden-characters.ts';

/** A folder that is open in the editor. `path` is absolute. */
export interface OpenFolder {
  readonly name: string;
  readonly path: string;
}

export interface PathRules {
  readonly rules: readonly PathRule[];
  /** Folders of elsewhere about which the person wants no question. */
  readonly left: readonly string[];
  /** One sentence for each rule that cannot be used. */
  readonly problems: readonly string[];
}

/**
 * Reads `hotspan.pathMappings`: folders of other machines, each with a folder here, or null for none. A rule that leads out
 * of the open folders is not used.
 */
export function readPathRules(setting: unknown, folders: readonly OpenFolder[]): PathRules {
  if (!isRecord(setting))
    return {
      rules: [],
      left: [],
      problems: [refused('', 'it is no object that gives each folder there its folder here')],
    };
  const read = Object.entries(setting).map(([from, to]) => readRule(from, to, folders));
  return {
    rules: read.flatMap((one) => ('rule' in one ? [one.rule] : [])),
    left: read.flatMap((one) => ('left' in one ? [one.left] : [])),
    problems: read.flatMap((one) => ('problem' in one ? [one.problem] : [])),
  };
}

type ReadRule = { readonly rule: PathRule } | { readonly left: string } | { readonly problem: string };

function readRule(from: string, to: unknown, folders: readonly OpenFolder[]): ReadRule {
  const problem = (why: string): ReadRule => ({ problem: refused(from, why) });
  if (!isFolderThere(from)) return problem('its name is no absolute path below the root, such as "/app"');
  if (to === null) return { left: from };
  if (typeof to !== 'string' || to === '')
    return problem('its value is neither a folder, such as "${workspaceFolder}/packages/api", nor null');
  const [, name = null] = /^\$\{workspaceFolder(?::([^}]*))?\}/.exec(to) ?? [];
  const base = name === null ? folders[0] : folders.find((folder) => folder.name === name);
  if (base === undefined)
    return problem(name === null ? 'no folder is open' : `no open folder has the name "${visible(name, 100)}"`);
  const here = path.resolve(base.path, to.replace(/^\$\{workspaceFolder[^}]*\}[\\/]?/, ''));
  const isOpen = folders.some((folder) => isSameOrBelow(here, folder.path));
  return isOpen ? { rule: { from, to: here } } : problem(`${visible(here, 300)} is in no folder that is open`);
}

function refused(from: string, why: string): string {
  const rule =
    from === '' ? 'The setting hotspan.pathMappings' : `The rule "${visible(from, 300)}" of hotspan.pathMappings`;
  return `${rule} is not used: ${why}.`;
}

function isSameOrBelow(folder: string, root: string): boolean {
  const relative = path.relative(root, folder);
  return relative === '' || (!/^\.\.(?:[\\/]|$)/.test(relative) && !path.isAbsolute(relative));
}

/** A folder here as the setting has it: from the open folder on, which has another path on another machine. */
export function settingOf(here: string, folders: readonly OpenFolder[]): string {
  const folder = folders.find((one) => isSameOrBelow(here, one.path));
  if (folder === undefined) return here;
  const inside = path.relative(folder.path, here).replaceAll('\\', '/');
  const base = folders.length > 1 ? `\${workspaceFolder:${folder.name}}` : '${workspaceFolder}';
  return inside === '' ? base : `${base}/${inside}`;
}
