import path from 'node:path';
import {
  commands,
  Position,
  Range,
  TabInputCustom,
  TabInputWebview,
  Uri,
  ViewColumn,
  window,
  workspace,
  type Disposable,
} from 'vscode';
import { visible } from '../../words/formats/hidden-characters.ts';
import { type ErrorLog, inLog } from './failures.ts';
import { internalCommands, textBeforeScheme } from '../../protocol/ids.ts';
import { fileOfTab } from './active-file.ts';
import type { Location } from '../../protocol/places.ts';
import { escapeNotification } from '../../words/formats/escape-markdown.ts';
import type { TextBefore } from '../../protocol/requests.ts';

/**
 * Opens a line of source. The path comes from a profile, so one outside the workspace is opened only when the person
 * confirms.
 */
export async function openSourceAt(location: Location | null, log: ErrorLog): Promise<void> {
  if (location === null) {
    inLog(window.showInformationMessage('This is code of Node.js itself: there is no file to open.'), log);
    return;
  }
  const uri = Uri.parse(location.uri);
  if (!location.inside && !isOfThisMachine(uri)) {
    showMissing(uri, log);
    return;
  }
  if (!location.inside && !(await isWanted(uri))) return;
  const position = new Position(location.line, location.character);
  try {
    await window.showTextDocument(uri, { selection: new Range(position, position), viewColumn: columnForSource(uri) });
  } catch {
    // The profile was made elsewhere, or the file has gone since.
    inLog(offerFolder(uri), log);
  }
}

/** The file of a url of a profile, where it lies in the workspace; null for all others. */
export function workspaceFile(url: string): Uri | null {
  const { scheme, authority, fsPath } = Uri.parse(url);
  if (scheme !== 'file' || authority !== '') return null;
  const uri = Uri.file(path.normalize(fsPath)); // No `..` leads out of the workspace.
  return workspace.getWorkspaceFolder(uri) === undefined ? null : uri;
}

function showMissing(uri: Uri, log: ErrorLog): void {
  const message = `${escapeNotification(uri.fsPath)} cannot be opened: it is not on this machine.`;
  inLog(window.showErrorMessage(message), log);
}

/** Says that a file is not here, with the way to the folder that has it here. */
async function offerFolder(uri: Uri): Promise<void> {
  const message = `${escapeNotification(uri.fsPath)} cannot be opened: it is not on this machine.`;
  const choose = 'Choose Its Folder…';
  const ways = (workspace.workspaceFolders ?? []).length > 0 ? [choose] : [];
  if ((await window.showErrorMessage(message, ...ways)) !== choose) return;
  await commands.executeCommand(internalCommands.chooseFolder, uri.fsPath);
}

/**
 * Whether a path is on this machine. Even the question whether a file exists reaches the host of a share, and Windows
 * tells that host who asks.
 */
function isOfThisMachine({ scheme, authority, path }: Uri): boolean {
  return scheme === 'file' && authority === '' && !/^[\\/]{2}/.test(path);
}

/**
 * The column in which this file is to be seen, else one in which source is open. Where only a flamegraph is open, it
 * keeps its place and the source opens beside it.
 */
export function columnForSource(uri: Uri): ViewColumn {
  const { activeTabGroup, all } = window.tabGroups;
  const withSource = [activeTabGroup, ...all].filter(({ activeTab }) => fileOfTab(activeTab) !== undefined);
  const same = withSource.find(({ activeTab }) => fileOfTab(activeTab)?.toString() === uri.toString());
  const { input } = activeTabGroup.activeTab ?? {};
  const isPage = input instanceof TabInputWebview || input instanceof TabInputCustom;
  return (same ?? withSource[0])?.viewColumn ?? (isPage ? ViewColumn.Beside : ViewColumn.Active);
}

async function isWanted(uri: Uri): Promise<boolean> {
  const message = `The profile names a file outside this workspace: ${visible(uri.fsPath, 1000)}`;
  return (await window.showWarningMessage(message, { modal: true }, 'Open')) === 'Open';
}

/** Texts that ran before and that no file has any more, as documents that cannot be edited. */
export class TextsBefore implements Disposable {
  /** By address. */
  readonly #texts = new Map<string, string>();
  readonly #registered: Disposable;

  constructor() {
    const provideTextDocumentContent = (uri: Uri): string => this.#texts.get(uri.toString()) ?? gone;
    this.#registered = workspace.registerTextDocumentContentProvider(textBeforeScheme, { provideTextDocumentContent });
  }

  async open({ path, text, line }: TextBefore): Promise<void> {
    // Another text of the same file has another address: an open document is not asked for again.
    const number = [...this.#texts.values()].indexOf(text);
    const query = `text=${number === -1 ? this.#texts.size : number}`;
    const uri = Uri.from({ scheme: textBeforeScheme, path: Uri.file(path).path, query });
    this.#texts.set(uri.toString(), text);
    const position = new Position(line, 0);
    await window.showTextDocument(uri, { selection: new Range(position, position), viewColumn: columnForSource(uri) });
  }

  dispose(): void {
    this.#registered.dispose();
  }
}

/** What a document says that VS Code has kept across a reload. */
const gone = 'This text is no longer in memory: open it from the diff again.\n';
