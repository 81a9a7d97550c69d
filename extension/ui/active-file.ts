import * as vscode from 'vscode';

/**
 * The file of the active tab. `window.activeTextEditor` is the log while the Output view has the focus, and undefined
 * until a new file is loaded.
 */
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
export function fileOfTab(tab: vscode.Tab | undefined): vscode.Uri | undefined {
  return tab?.input instanceof vscode.TabInputText ? tab.input.uri : undefined;
}

/** A file's path, or its address if it is not on a disk: then the server says that it cannot read it. */
export function pathOf(uri: vscode.Uri): string {
  return uri.scheme === 'file' ? uri.fsPath : uri.toString(true);
}
