import { Position, Range, TabInputCustom, TabInputWebview, Uri, ViewColumn, window } from 'vscode';
import { visible } from '../../words/formats/hidden-characters.ts';
import { type ErrorLog, inLog } from './failures.ts';
import type { Location } from '../../protocol/requests.ts';
import { escapeNotification } from '../../words/formats/escape-markdown.ts';

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
    await window.showTextDocument(uri, { selection: new Range(position, position), viewColumn: columnForSource() });
  } catch {
    // The profile was made elsewhere, or the file has gone since.
    showMissing(uri, log);
  }
}

function showMissing(uri: Uri, log: ErrorLog): void {
  const message = `${escapeNotification(uri.fsPath)} cannot be opened: it is not on this machine.`;
  inLog(window.showErrorMessage(message), log);
}

/**
 * Whether a path is on this machine. Even the question whether a file exists reaches the host of a share, and Windows
 * tells that host who asks.
 */
function isOfThisMachine({ scheme, authority, path }: Uri): boolean {
  return scheme === 'file' && authority === '' && !/^[\\/]{2}/.test(path);
}

/**
 * The column in which source is open already. Where only a flamegraph is open, it keeps its place and the source opens
 * beside it.
 */
function columnForSource(): ViewColumn {
  const column = window.activeTextEditor?.viewColumn ?? window.visibleTextEditors[0]?.viewColumn;
  const input = window.tabGroups.activeTabGroup.activeTab?.input;
  const isPage = input instanceof TabInputWebview || input instanceof TabInputCustom;
  return column ?? (isPage ? ViewColumn.Beside : ViewColumn.Active);
}

async function isWanted(uri: Uri): Promise<boolean> {
  const message = `The profile names a file outside this workspace: ${visible(uri.fsPath, 1000)}`;
  return (await window.showWarningMessage(message, { modal: true }, 'Open')) === 'Open';
}
