import { hasCode } from '../../protocol/failure.ts';
import { watch } from 'node:fs';
import { access, mkdir, readFile, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { writeWhole } from '../../recordings/private-files.ts';
import { shortHash, targetOfRecording } from '../../recordings/recording-folders.ts';
import { isList, isRecord, parseJson } from '../../protocol/json-value.ts';
import type { ShownAs } from '../../protocol/requests.ts';
import { on } from '../ui/failures.ts';

/** A kept result: the recordings that are shown together (mostly one); the first one names it. */
export interface KeptResult extends ShownAs {
  readonly recordings: readonly [string, ...string[]];
}

/**
 * The results that this workspace shows, across reloads and windows: a small file for each target, so that windows do
 * not overwrite each other. They are in the global storage, because a second window on the same folder has a workspace
 * storage of its own.
 */
export class KeptResults implements vscode.Disposable {
  /** Folder of the editor's own recordings; each target has a folder inside. */
  readonly #root: string;
  readonly #folder: string;
  /** Prefix of this workspace's files; null without a workspace, which windows do not share. */
  readonly #workspace: string | null;
  readonly #log: Pick<vscode.LogOutputChannel, 'warn'>;
  readonly #changed = new vscode.EventEmitter<void>();
  /** A window of this workspace (perhaps this one) has shown or forgotten something; one event for many changes. */
  readonly onDidChange = this.#changed.event;
  #watching: vscode.Disposable | null = null;

  constructor(context: vscode.ExtensionContext, log: Pick<vscode.LogOutputChannel, 'warn'>) {
    this.#root = recordingsRoot(context);
    this.#folder = path.join(context.globalStorageUri.fsPath, 'shown');
    // Not by its folders, which may change while it is open.
    this.#workspace = context.storageUri === undefined ? null : `${shortHash(this.#root)}-`;
    this.#log = log;
  }

  /** The result of these recordings. Runs of one target belong to it; all others are a target of their own. */
  resultOf(recordings: KeptResult['recordings'], shownAt: number): KeptResult {
    const targets = new Set(recordings.map((one) => targetOfRecording(this.#root, one)));
    const [target = null] = targets.size === 1 ? targets : [];
    return {
      target: target ?? recordings.join('\n'),
      // What is shown of several is not of one of them alone: nothing is kept beside it.
      isOurs: target !== null && recordings.length === 1,
      recordings,
      shownAt,
    };
  }

  /** Newest first. Unreadable files are left out and logged. */
  async read(): Promise<readonly KeptResult[]> {
    const names = await readdir(this.#folder).catch(noneIfMissing);
    const ours = names.filter((name) => this.#isOurs(name));
    const found = await Promise.all(ours.map(async (name) => this.#readOne(path.join(this.#folder, name))));
    return found.filter((one) => one !== null).toSorted((a, b) => b.shownAt - a.shownAt);
  }

  /** False where it could not be kept: then a reload does not show it. */
  async keep(result: KeptResult): Promise<boolean> {
    const file = this.#fileOf(result.target);
    if (file === null) return false;
    try {
      await mkdir(this.#folder, { recursive: true });
      await writeWhole(file, JSON.stringify(result));
      return true;
    } catch (error) {
      this.#log.warn(`A reload of the window will not show this result: ${String(error)}`);
      return false;
    }
  }

  async forget(target: string): Promise<void> {
    const file = this.#fileOf(target);
    if (file !== null) await rm(file, { force: true });
  }

  /** Begins to report changes. */
  async watch(): Promise<void> {
    if (this.#workspace === null || this.#watching !== null) return;
    try {
      await mkdir(this.#folder, { recursive: true });
      let timer: NodeJS.Timeout | undefined;
      const watcher = watch(this.#folder, { persistent: false }, (_, name) => {
        if (name !== null && !this.#isOurs(name)) return;
        clearTimeout(timer);
        timer = setTimeout(() => this.#changed.fire(), quietTime);
      });
      watcher.on('error', (error) => this.#log.warn(`Results of other windows are not seen: ${error.message}`));
      this.#watching = new vscode.Disposable(() => {
        clearTimeout(timer);
        watcher.close();
      });
    } catch (error) {
      this.#log.warn(`Results of other windows are not seen: ${String(error)}`);
    }
  }

  dispose(): void {
    this.#watching?.dispose();
    this.#changed.dispose();
  }

  #isOurs(name: string): boolean {
    return this.#workspace !== null && name.startsWith(this.#workspace) && name.endsWith('.json');
  }

  #fileOf(target: string): string | null {
    return this.#workspace === null ? null : path.join(this.#folder, `${this.#workspace}${shortHash(target)}.json`);
  }

  /** Null for an invalid file, and for a result whose recordings are gone, which is forgotten. */
  async #readOne(file: string): Promise<KeptResult | null> {
    const [text] = await readFile(file, 'utf8').then((one) => [one], noneIfMissing);
    if (text === undefined) return null; // Another window has just forgotten it.
    const result = parseKept(text);
    if (result === null) {
      this.#log.warn(`${file} is not a result that this version can show.`);
      return null;
    }
    try {
      for (const one of result.recordings) await access(one);
      return result;
    } catch {
      this.#log.warn(`${result.recordings.join(', ')} is no longer shown: it has been deleted.`);
      await rm(file, { force: true });
      return null;
    }
  }
}

/**
 * The folder of this workspace's recordings, the same in each of its windows. VS Code gives a second window, also one that
 * is reloaded while its extension host still ends, a storage of its own with a number at the end: `1b2c-1`.
 */
export function recordingsRoot({ storageUri, globalStorageUri }: vscode.ExtensionContext): string {
  if (storageUri === undefined) return globalStorageUri.fsPath;
  const { dir, base } = path.parse(path.dirname(storageUri.fsPath));
  return path.join(dir, base.replace(/^(-?[0-9a-f]+)-[1-9]$/, '$1'), path.basename(storageUri.fsPath));
}

/** Throws any other error: it must not look as if all results were forgotten. */
function noneIfMissing(error: unknown): readonly string[] {
  if (hasCode(error, 'ENOENT')) return [];
  throw error;
}

/** In ms; changes within it are one event. */
const quietTime = 100;

function parseKept(text: string): KeptResult | null {
  const value = parseJson(text);
  if (!isRecord(value) || !isList(value['recordings'])) return null;
  const { target, isOurs, shownAt } = { target: value['target'], isOurs: value['isOurs'], shownAt: value['shownAt'] };
  const [first, ...more] = value['recordings'].filter((one) => typeof one === 'string');
  if (typeof target !== 'string' || typeof shownAt !== 'number' || first === undefined) return null;
  return { target, isOurs: isOurs === true, shownAt, recordings: [first, ...more] };
}

export interface Screen {
  readonly known: () => readonly KeptResult[];
  /** Reads and shows a result. Gives the reason where it cannot be read. */
  readonly take: (wanted: KeptResult) => Promise<string | null>;
  readonly forget: (target: string) => Promise<void>;
}

/** Keeps this window in step with the files: follows other windows, and writes what this one does. */
export class SharedResults implements vscode.Disposable {
  readonly #kept: KeptResults;
  readonly #log: vscode.LogOutputChannel;
  readonly #screen: Screen;
  readonly #listening: vscode.Disposable;
  /** Targets with a file: another window may forget them. */
  readonly #inFiles = new Set<string>();
  /** Results that could not be read are not tried again. */
  readonly #unreadable: KeptResult[] = [];
  /** Ends when the files have been read. */
  #synced: Promise<void> | undefined;
  /** Counts calls of `clear`. */
  #clears = 0;

  constructor(kept: KeptResults, log: vscode.LogOutputChannel, screen: Screen) {
    this.#kept = kept;
    this.#log = log;
    this.#screen = screen;
    this.#listening = on(kept.onDidChange, async () => this.#sync(), log);
  }

  /** Shows the files' results, and from then on what other windows show. Later calls do nothing. */
  async restore(): Promise<void> {
    this.#synced ??= this.#kept.watch().then(async () => this.#readFiles());
    return this.#synced;
  }

  /** Writes a result to the files. A failure is logged, and only a reload notices it. */
  async keep(result: KeptResult): Promise<void> {
    if (await this.#kept.keep(result)) this.#inFiles.add(result.target);
  }

  async forget(target: string): Promise<void> {
    this.#inFiles.delete(target);
    await this.#kept.forget(target);
  }

  /** Forgets these targets and all others in the files. Results that another window adds meanwhile are ignored. */
  async clear(targets: readonly string[]): Promise<void> {
    this.#clears++;
    await Promise.all([...new Set(targets)].map(async (target) => this.#screen.forget(target)));
    const left = (await this.#kept.read()).filter((one) => !this.#knows(one));
    for (const { target } of left) await this.#kept.forget(target);
  }

  /** Does not take this unreadable result from the files again. */
  leave(result: KeptResult): void {
    this.#unreadable.push(result);
  }

  dispose(): void {
    this.#listening.dispose();
  }

  /** Follows changes of other windows, one after the other. */
  async #sync(): Promise<void> {
    // Where it failed before, that is in the log already.
    this.#synced = this.#synced?.catch(() => undefined).then(async () => this.#readFiles());
    await this.#synced;
  }

  async #readFiles(): Promise<void> {
    const clears = this.#clears;
    const files = await this.#kept.read();
    const gone = [...this.#inFiles].filter((target) => !files.some((one) => one.target === target));
    for (const target of gone) await this.#screen.forget(target);
    for (const one of files) if (!this.#knows(one) && clears === this.#clears) await this.#take(one);
  }

  #knows({ target, shownAt }: KeptResult): boolean {
    const known = [...this.#screen.known(), ...this.#unreadable];
    return known.some((one) => one.target === target && one.shownAt >= shownAt);
  }

  async #take(wanted: KeptResult): Promise<void> {
    this.#inFiles.add(wanted.target);
    const why = await this.#screen.take(wanted).catch(String);
    if (why === null) return;
    this.leave(wanted);
    this.#log.warn(`${wanted.recordings.join(', ')} is not shown again: ${why}`);
  }
}
