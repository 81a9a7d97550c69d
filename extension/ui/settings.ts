import * as vscode from 'vscode';
import { settings } from '../../protocol/ids.ts';
import type { AnalysisOptions, DisplayOptions, Metric } from '../../protocol/requests.ts';
import { type Microseconds, milliseconds } from '../../protocol/units.ts';
import { isRecord } from '../../protocol/json-value.ts';
import { isFolderThere, type PathRule } from '../../protocol/path-spelling.ts';
import { visible } from '../../words/formats/foreign-text.ts';
import path from 'node:path';

export function analysisOptions(): AnalysisOptions {
  return {
    thresholdUs: thresholdUs(),
    testPatterns: read<readonly string[]>(settings.testPatterns, []),
    pathRules: pathRules().rules,
  };
}

export function pathRules(): PathRules {
  return readPathRules(read<unknown>(settings.pathMappings, {}), openFolders());
}

/** The open folders that are on a disk. */
export function openFolders(): readonly OpenFolder[] {
  const onDisk = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  return onDisk.map(({ name, uri }) => ({ name, path: uri.fsPath }));
}

/** The editor's threshold as an option of the command line. */
export function thresholdArgument(): string {
  return `--threshold=${thresholdUs()}us`;
}

export function displayOptions(): DisplayOptions {
  return {
    metric: read<Metric>(settings.metric, 'worst'),
    codeLens: read(settings.codeLens, true),
    loading: read(settings.loading, false),
    diagnosticsUs: diagnosticsUs(),
  };
}

/** Null, the default, and 0 mean no diagnostics. */
function diagnosticsUs(): Microseconds | null {
  const ms = read<unknown>(settings.diagnosticsThreshold, null);
  return typeof ms === 'number' && ms > 0 ? milliseconds(ms) : null;
}

export function annotationsEnabled(): boolean {
  return read(settings.annotations, true);
}

/** `finding`: after a save, findings whose code it changed; `file`: all hot functions of the file whose code it changed. */
export function recheckOnSave(): 'off' | 'finding' | 'file' {
  return read<'off' | 'finding' | 'file'>(settings.recheckOnSave, 'off');
}

export function hasTestLenses(): boolean {
  return read(settings.testLenses, false);
}

export interface RecorderOptions {
  readonly intervalUs: number;
  readonly nodePath: string;
  /** Number of recordings kept of each target. */
  readonly keep: number;
  /** Limit of one recording, in MB; 0: no limit. */
  readonly maxSize: number;
  /** Limit of all recordings of the workspace together, in MB; 0: no limit. */
  readonly totalSize: number;
  /** True where each profile is followed by a run that records V8's tiers. */
  readonly alwaysTiers: boolean;
}

export function recorderOptions(): RecorderOptions {
  return {
    intervalUs: read(settings.interval, 1000),
    nodePath: read(settings.nodePath, ''),
    keep: read(settings.recordingsKeep, 2),
    maxSize: read(settings.recordingsMaxSize, 2000),
    totalSize: read(settings.recordingsTotalSize, 5000),
    alwaysTiers: read<string>(settings.tiersRecord, 'onDemand') === 'always',
  };
}

/** Writes the setting where it is set, else in the user's settings. */
export async function writeSetting(name: string, value: unknown): Promise<void> {
  const isWorkspace = vscode.workspace.getConfiguration().inspect(name)?.workspaceValue !== undefined;
  const target = isWorkspace ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global;
  await vscode.workspace.getConfiguration().update(name, value, target);
}

function thresholdUs(): Microseconds {
  return milliseconds(read(settings.threshold, 10));
}

function read<Value>(name: string, fallback: Value): Value {
  return vscode.workspace.getConfiguration().get<Value>(name, fallback);
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

/** A folder as the setting has it: relative to an open folder, whose path differs on other machines. */
export function settingOf(here: string, folders: readonly OpenFolder[]): string {
  const folder = folders.find((one) => isSameOrBelow(here, one.path));
  if (folder === undefined) return here;
  const inside = path.relative(folder.path, here).replaceAll('\\', '/');
  const base = folders.length > 1 ? `\${workspaceFolder:${folder.name}}` : '${workspaceFolder}';
  return inside === '' ? base : `${base}/${inside}`;
}

const excludedKey = 'annotations.excluded';

/** Which files have annotations: all except those that the person switched off in this workspace. */
export class ShownPaths implements vscode.Disposable {
  readonly #state: vscode.Memento;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;

  constructor(state: vscode.Memento) {
    this.#state = state;
  }

  has({ path }: vscode.Uri): boolean {
    return annotationsEnabled() && !isExcluded(path, this.#state.get<readonly string[]>(excludedKey, []));
  }

  /** Switches a file or folder on or off. The workspace's own files do not change. */
  async toggle({ path }: vscode.Uri): Promise<void> {
    await this.#state.update(excludedKey, toggled(path, this.#state.get<readonly string[]>(excludedKey, [])));
    this.#changed.fire();
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

/** Whether the list has the file or a folder above it. Paths are written with `/`. */
export function isExcluded(file: string, excluded: readonly string[]): boolean {
  return excluded.some(
    (entry) => entry === '' || entry === '.' || file === entry || file.startsWith(`${withoutSlash(entry)}/`),
  );
}

export function toggled(entry: string, excluded: readonly string[]): readonly string[] {
  const others = excluded.filter((other) => withoutSlash(other) !== withoutSlash(entry));
  return others.length < excluded.length ? others : [...excluded, entry];
}

function withoutSlash(entry: string): string {
  return entry.endsWith('/') ? entry.slice(0, -1) : entry;
}
