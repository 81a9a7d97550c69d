import path from 'node:path';
import * as vscode from 'vscode';
import { commands as ids, settings } from '../../protocol/ids.ts';
import { inLog } from '../ui/failures.ts';
import { escapeNotification } from '../../words/formats/escape-markdown.ts';
import type { Services } from '../results/results.ts';
import { recorderOptions } from '../ui/settings.ts';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';

/**
 * Whether a command can run here; if not, a message says what is missing. Menus hide such commands, but a keybinding, a
 * task or another extension may still call them.
 */
export async function canRun({ log }: Services): Promise<boolean> {
  if (!vscode.workspace.isTrusted) {
    const message = 'Hotspan runs nothing in a folder that you have not trusted.';
    return refuse(log, message, 'Manage Workspace Trust', 'workbench.trust.manage');
  }
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (folders.length > 0 && folders.every(({ uri }) => uri.scheme !== 'file')) {
    const message = 'These files are not on a disk where a command could run. A profile can be opened.';
    return refuse(log, message, 'Open Profile…', ids.openProfile);
  }
  const { nodePath } = recorderOptions();
  const node =
    nodePath === '' ? await findExecutable('node', process.env) : (await isExecutable(nodePath)) ? nodePath : null;
  log.debug(`node: ${node ?? 'none'}, on ${vscode.env.remoteName ?? 'this machine'}`);
  if (node !== null) return true;
  const missing =
    nodePath === ''
      ? 'There is no node on the PATH. Install Node.js, or set the path of yours.'
      : `There is no program at ${nodePath}, where the settings say that node is. Correct the path, or leave it empty to take the node on the PATH.`;
  return refuse(log, missing, 'Open Settings', settingsWith(settings.nodePath), { query: settings.nodePath });
}

/**
 * Opens the page of a machine setting, which the user's own page lacks in a remote window; the workspace's value wins.
 */
function settingsWith(name: string): string {
  const isOfWorkspace = vscode.workspace.getConfiguration().inspect(name)?.workspaceValue !== undefined;
  if (isOfWorkspace) return 'workbench.action.openWorkspaceSettings';
  return vscode.env.remoteName === undefined ? 'workbench.action.openSettings' : 'workbench.action.openRemoteSettings';
}

async function refuse(
  log: vscode.LogOutputChannel,
  message: string,
  action: string,
  command: string,
  ...args: readonly unknown[]
): Promise<false> {
  const offer = async (): Promise<void> => {
    const choice = await vscode.window.showErrorMessage(escapeNotification(message), action);
    if (choice === action) await vscode.commands.executeCommand(command, ...args);
  };
  inLog(offer(), log);
  return false;
}

/** Absolute path of a program on a `PATH`; null where there is none. */
export async function findExecutable(name: string, { PATH, PATHEXT }: SearchPath): Promise<string | null> {
  const extensions = process.platform === 'win32' ? (PATHEXT ?? '.EXE;.CMD').split(';') : [''];
  const folders = (PATH ?? '').split(path.delimiter).filter((folder) => folder !== '');
  for (const candidate of folders.flatMap((folder) =>
    extensions.map((extension) => path.join(folder, name + extension)),
  )) {
    if (await isExecutable(candidate)) return candidate;
  }
  return null;
}

interface SearchPath {
  readonly PATH?: string | undefined;
  /** Endings of programs on Windows. */
  readonly PATHEXT?: string | undefined;
}

async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return true;
  } catch {
    return false; // The file is not there, or we may not run it.
  }
}
