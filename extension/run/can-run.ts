import path from 'node:path';
import * as vscode from 'vscode';
import { commands as ids, settings } from '../../protocol/ids.ts';
import { inLog } from '../ui/failures.ts';
import { escapeNotification } from '../../words/formats/foreign-text.ts';
import type { Services } from '../results/results.ts';
import { recorderOptions } from '../ui/settings.ts';
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';

/**
 * Whether a command can run here; if not, a message says what is missing. Menus hide such commands, but a keybinding, a
 * task or another extension may still call them.
 */
export async function canRun({ log }: Pick<Services, 'log'>): Promise<boolean> {
  const missing = await whyNotRun(log);
  if (missing !== null) inLog(offerWay(missing), log);
  return missing === null;
}

/** What is missing to run a command here, and the person's way to get it. */
interface Missing {
  readonly message: string;
  readonly action: string;
  /** The command of the action, and its arguments. */
  readonly command: readonly [string, ...unknown[]];
}

/** Null where commands can run. */
export async function whyNotRun(log: vscode.LogOutputChannel): Promise<Missing | null> {
  if (!vscode.workspace.isTrusted) {
    const message = 'Hotspan runs nothing in a folder that you have not trusted.';
    return { message, action: 'Manage Workspace Trust', command: ['workbench.trust.manage'] };
  }
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (folders.length > 0 && folders.every(({ uri }) => uri.scheme !== 'file')) {
    const message = 'These files are not on a disk where a command could run. A profile can be opened.';
    return { message, action: 'Open Profile…', command: [ids.openProfile] };
  }
  const { nodePath } = recorderOptions();
  const isProgram = path.isAbsolute(nodePath) && (await isExecutable(nodePath));
  const node = nodePath === '' ? await findExecutable('node', process.env) : isProgram ? nodePath : null;
  log.debug(`node: ${node ?? 'none'}, on ${vscode.env.remoteName ?? 'this machine'}`);
  if (node !== null) return null;
  const message =
    nodePath === ''
      ? 'There is no node on the PATH. Install Node.js, or set the path of yours.'
      : `There is no program at ${nodePath}, where the settings say that node is. Correct the path, or leave it empty to take the node on the PATH.`;
  const command = [settingsWith(settings.nodePath), { query: settings.nodePath }] as const;
  return { message, action: 'Open Settings', command };
}

/**
 * Opens the page of a machine setting, which the user's own page lacks in a remote window; the workspace's value wins.
 */
function settingsWith(name: string): string {
  const isOfWorkspace = vscode.workspace.getConfiguration().inspect(name)?.workspaceValue !== undefined;
  if (isOfWorkspace) return 'workbench.action.openWorkspaceSettings';
  return vscode.env.remoteName === undefined ? 'workbench.action.openSettings' : 'workbench.action.openRemoteSettings';
}

async function offerWay({ message, action, command: [id, ...args] }: Missing): Promise<void> {
  const choice = await vscode.window.showErrorMessage(escapeNotification(message), action);
  if (choice === action) await vscode.commands.executeCommand(id, ...args);
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
    return (await stat(file)).isFile(); // One may enter a folder, which is the same right.
  } catch {
    return false; // The file is not there, or we may not run it.
  }
}
