import path from 'node:path';
import * as vscode from 'vscode';
import { internalCommands, textBeforeScheme } from '../../protocol/ids.ts';
import { isOfWindows } from '../../protocol/path-spelling.ts';
import type { Location, NoLocation } from '../../protocol/places.ts';
import type { TextBefore } from '../../protocol/requests.ts';
import { escapeNotification, visible } from '../../words/formats/foreign-text.ts';
import { type ErrorLog, inLog } from './failures.ts';

/** Opens a line of source. The path comes from a profile: one outside the workspace opens only if the person confirms. */
export async function openSourceAt(location: Location | NoLocation, log: ErrorLog): Promise<void> {
  if ('why' in location) {
    inLog(vscode.window.showInformationMessage(escapeNotification(location.why)), log);
    return;
  }
  const { line, character, inside } = location;
  const uri = vscode.Uri.parse(location.uri);
  if (!inside && !isOnThisMachine(uri)) {
    inLog(vscode.window.showErrorMessage(notHere(uri)), log);
    return;
  }
  if (!inside && !(await isWanted(uri))) return;
  try {
    await showLine(uri, line, character);
  } catch (error) {
    if (await exists(uri)) inLog(vscode.window.showErrorMessage(escapeNotification(String(error))), log); // Maybe binary.
    else if (inside) inLog(vscode.window.showErrorMessage(movedAway(uri)), log);
    else inLog(offerFolder(uri), log); // The profile was made elsewhere.
  }
}

/** The file of a url of a profile, where it lies in the workspace; null for all others. */
export function workspaceFile(url: string): vscode.Uri | null {
  const { scheme, fsPath } = isOfWindows(url) ? vscode.Uri.file(url) : vscode.Uri.parse(url);
  if (scheme !== 'file') return null;
  const uri = vscode.Uri.file(path.normalize(fsPath)); // No `..` leads out of the workspace.
  return vscode.workspace.getWorkspaceFolder(uri) === undefined ? null : uri;
}

/** Texts that ran before and that no file has any more, as read-only documents. */
export class TextsBefore implements vscode.Disposable {
  readonly #texts = new Map<string, string>();
  readonly #registered = vscode.workspace.registerTextDocumentContentProvider(textBeforeScheme, {
    provideTextDocumentContent: (uri) => this.#texts.get(uri.toString()) ?? gone,
  });

  async open({ path: file, text, line }: TextBefore): Promise<void> {
    // Another text of the same file has another address: VS Code does not ask again for an open document.
    const number = [...this.#texts.values()].indexOf(text);
    const query = `text=${number === -1 ? this.#texts.size : number}`;
    const uri = vscode.Uri.from({ scheme: textBeforeScheme, path: vscode.Uri.file(file).path, query });
    this.#texts.set(uri.toString(), text);
    await showLine(uri, line, 0);
  }

  dispose(): void {
    this.#registered.dispose();
  }
}

/** The text of a document that VS Code restores after a reload. */
const gone = 'This text is no longer in memory: open it from the diff again.\n';

async function showLine(uri: vscode.Uri, line: number, character: number): Promise<void> {
  const position = new vscode.Position(line, character);
  const selection = new vscode.Range(position, position);
  await vscode.window.showTextDocument(uri, { selection, viewColumn: columnForSource(uri) });
}

/** The column that shows this file, else any source. Beside a flamegraph that is alone. */
function columnForSource(uri: vscode.Uri): vscode.ViewColumn {
  const { activeTabGroup, all } = vscode.window.tabGroups;
  const withSource = [activeTabGroup, ...all].filter(({ activeTab }) => fileOfTab(activeTab) !== undefined);
  const same = withSource.find(({ activeTab }) => fileOfTab(activeTab)?.toString() === uri.toString());
  const { input } = activeTabGroup.activeTab ?? {};
  const isPage = input instanceof vscode.TabInputWebview || input instanceof vscode.TabInputCustom;
  return (same ?? withSource[0])?.viewColumn ?? (isPage ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active);
}

function notHere({ fsPath }: vscode.Uri): string {
  return `${escapeNotification(fsPath)} cannot be opened: it is not on this machine.`;
}

function movedAway(uri: vscode.Uri): string {
  const name = escapeNotification(vscode.workspace.asRelativePath(uri));
  return `${name} is not there any more: it was moved, renamed or deleted. Profile again to see where its code is now.`;
}

async function exists(uri: vscode.Uri): Promise<boolean> {
  return vscode.workspace.fs.stat(uri).then(
    () => true,
    () => false,
  );
}

async function offerFolder(uri: vscode.Uri): Promise<void> {
  const choose = 'Choose Its Folder…';
  const ways = (vscode.workspace.workspaceFolders ?? []).length > 0 ? [choose] : [];
  if ((await vscode.window.showErrorMessage(notHere(uri), ...ways)) !== choose) return;
  await vscode.commands.executeCommand(internalCommands.chooseFolder, uri.fsPath);
}

/** Whether a path is on this machine. Even a look at a share reaches its host, and Windows sends it the user's name. */
function isOnThisMachine({ scheme, authority, path: file }: vscode.Uri): boolean {
  return scheme === 'file' && authority === '' && !/^[\\/]{2}/.test(file);
}

async function isWanted(uri: vscode.Uri): Promise<boolean> {
  const message = `The profile names a file outside this workspace: ${visible(uri.fsPath, 1000)}`;
  return (await vscode.window.showWarningMessage(message, { modal: true }, 'Open')) === 'Open';
}

/** The file of the active tab. `activeTextEditor` is the log in the Output view, and undefined while a file loads. */
export function activeFile(): vscode.Uri | undefined {
  const uri =
    fileOfTab(vscode.window.tabGroups.activeTabGroup.activeTab) ?? vscode.window.activeTextEditor?.document.uri;
  return uri?.scheme === 'output' ? undefined : uri;
}

/** The editor of the active tab, even while the Output view has the focus. */
export function activeEditor(): vscode.TextEditor | undefined {
  const { activeTab, viewColumn } = vscode.window.tabGroups.activeTabGroup;
  const file = fileOfTab(activeTab)?.toString();
  const inTab = vscode.window.visibleTextEditors.find(
    (editor) => editor.viewColumn === viewColumn && editor.document.uri.toString() === file,
  );
  return inTab ?? vscode.window.activeTextEditor;
}

/** The text file of a tab; none for a diff. */
function fileOfTab(tab: vscode.Tab | undefined): vscode.Uri | undefined {
  return tab?.input instanceof vscode.TabInputText ? tab.input.uri : undefined;
}

/** A file's path, or its address if it is not on a disk: then the server says that it cannot read it. */
export function pathOf(uri: vscode.Uri): string {
  return uri.scheme === 'file' ? uri.fsPath : uri.toString(true);
}
