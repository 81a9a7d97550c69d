import * as vscode from 'vscode';

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
export function fileOfTab(tab: vscode.Tab | undefined): vscode.Uri | undefined {
  return tab?.input instanceof vscode.TabInputText ? tab.input.uri : undefined;
}

/** A file's path, or its address if it is not on a disk: then the server says that it cannot read it. */
export function pathOf(uri: vscode.Uri): string {
  return uri.scheme === 'file' ? uri.fsPath : uri.toString(true);
}
