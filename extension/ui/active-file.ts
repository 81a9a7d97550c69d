import { type Tab, TabInputText, TabInputTextDiff, type Uri, window } from 'vscode';

/**
 * The file that a command without an argument is about: that of the active tab. `window.activeTextEditor` is the log
 * while the Output view has the focus, and nothing until a file that just opened is loaded.
 */
export function activeFile(): Uri | undefined {
  return fileOfTab(window.tabGroups.activeTabGroup.activeTab) ?? window.activeTextEditor?.document.uri;
}

/** The file that is edited in a tab; of a diff, the changed side. */
export function fileOfTab(tab: Tab | undefined): Uri | undefined {
  if (tab?.input instanceof TabInputText) return tab.input.uri;
  return tab?.input instanceof TabInputTextDiff ? tab.input.modified : undefined;
}
