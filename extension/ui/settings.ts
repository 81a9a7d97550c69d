import * as vscode from 'vscode';
import { settings as ids } from '../../protocol/ids.ts';
import type { AnalysisOptions, DisplayOptions } from '../../protocol/requests.ts';
import { isRecord } from '../../protocol/json-value.ts';
import { isFolderThere, type PathRule } from '../../protocol/path-spelling.ts';
import * as settings from '../../words/editor/read-settings.ts';
import { visible } from '../../words/formats/foreign-text.ts';
import path from 'node:path';

export function analysisOptions(): AnalysisOptions {
  return { ...settings.readAnalysisOptions(read), pathRules: pathRules().rules };
}

export function pathRules(): PathRules {
  return readPathRules(given(ids.pathMappings) ?? {}, openFolders());
}

/** The open folders that are on a disk. */
export function openFolders(): readonly OpenFolder[] {
  const onDisk = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  return onDisk.map(({ name, uri }) => ({ name, path: uri.fsPath }));
}

/** The editor's threshold as an option of the command line. */
export function thresholdArgument(): string {
  return `--threshold=${settings.readAnalysisOptions(read).thresholdUs}us`;
}

export function displayOptions(): DisplayOptions {
  const display = settings.readDisplayOptions(read);
  return { ...display, codeLens: display.codeLens && given(allLenses) !== false };
}

/** VS Code's own switch of lenses. */
export const allLenses = 'editor.codeLens';

export function annotationsEnabled(): boolean {
  return settings.readSwitches(read).annotations;
}

export function recheckOnSave(): settings.Switches['recheckOnSave'] {
  return settings.readSwitches(read).recheckOnSave;
}

export function hasTestLenses(): boolean {
  return settings.readSwitches(read).testLenses;
}

export function recorderOptions(): settings.RecorderOptions {
  return settings.readRecorderOptions(read);
}

export interface SettingProblem {
  readonly id: string;
  readonly message: string;
}

/** What is wrong in the settings as they are. */
export function settingProblems(): readonly SettingProblem[] {
  const problems = pathRules().problems.map((message): SettingProblem => ({ id: ids.pathMappings, message }));
  const onWrong = (name: settings.SettingName) => problems.push({ id: ids[name], message: settings.wrongValue(name) });
  settings.readAll(settings.readerOf(given, onWrong));
  return problems;
}

const read = settings.readerOf(given);

function given(id: string): unknown {
  return vscode.workspace.getConfiguration().get(id);
}

/** Writes the setting where it is set, else in the user's settings. */
export async function writeSetting(name: string, value: unknown): Promise<void> {
  const isWorkspace = vscode.workspace.getConfiguration().inspect(name)?.workspaceValue !== undefined;
  const target = isWorkspace ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global;
  await vscode.workspace.getConfiguration().update(name, value, target);
}

export const codeLanguages = [
  'javascript',
  'javascriptreact',
  'typescript',
  'typescriptreact',
  'vue',
  'svelte',
  'astro',
  'coffeescript',
] as const;

/** A folder that is open in the editor. `path` is absolute. */
export interface OpenFolder {
  readonly name: string;
  readonly path: string;
}

export interface PathRules {
  readonly rules: readonly PathRule[];
  /** Folders of elsewhere that the person refused to map. */
  readonly left: readonly string[];
  /** One sentence for each unusable rule. */
  readonly problems: readonly string[];
}

/** Reads `hotspan.pathMappings`: folders of elsewhere, each with its open folder here, or null. */
export function readPathRules(setting: unknown, folders: readonly OpenFolder[]): PathRules {
  if (!isRecord(setting))
    return {
      rules: [],
      left: [],
      problems: [refused('', 'it is not an object that gives each folder there its folder here')],
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
  if (!isFolderThere(from)) return problem('its name is not an absolute path below the root, such as "/app"');
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

/** A folder as the setting has it: relative to an open folder, whose path differs on other machines. */
export function settingOf(here: string, folders: readonly OpenFolder[]): string {
  const folder = folders.find((one) => isSameOrBelow(here, one.path));
  if (folder === undefined) return here;
  const inside = path.relative(folder.path, here).replaceAll('\\', '/');
  const base = folders.length > 1 ? `\${workspaceFolder:${folder.name}}` : '${workspaceFolder}';
  return inside === '' ? base : `${base}/${inside}`;
}

const switchesKey = 'annotations.switches';

/** Which files have annotations: all except those that the person switched off in this workspace. */
export class ShownPaths implements vscode.Disposable {
  readonly #state: vscode.Memento;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;

  constructor(state: vscode.Memento) {
    this.#state = state;
  }

  has({ path }: vscode.Uri): boolean {
    return annotationsEnabled() && isOn(path, this.#state.get<Switches>(switchesKey, {}));
  }

  /** Switches a file or folder on or off. The workspace's own files do not change. */
  async toggle({ path }: vscode.Uri): Promise<void> {
    await this.#state.update(switchesKey, toggled(path, this.#state.get<Switches>(switchesKey, {})));
    this.#changed.fire();
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

/** Files and folders that are on or off, by absolute paths with `/`. */
type Switches = Readonly<Record<string, boolean>>;

/** The nearest switch counts: that of the file, else of the innermost folder. Without one it is on. */
export function isOn(file: string, switches: Switches): boolean {
  const around = Object.entries(switches).filter(([one]) => isInside(file, one));
  const [nearest] = around.toSorted(([a], [b]) => b.length - a.length);
  return nearest?.[1] ?? true;
}

/** Also what is inside of a folder gets the folder's state. */
export function toggled(entry: string, switches: Switches): Switches {
  const others = Object.fromEntries(Object.entries(switches).filter(([one]) => !isInside(one, entry)));
  const next = !isOn(entry, switches);
  return isOn(entry, others) === next ? others : { ...others, [entry]: next };
}

/** Whether it is the folder, or below it. */
function isInside(file: string, folder: string): boolean {
  return `${file}/`.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}
