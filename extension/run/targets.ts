import path from 'node:path';
import * as vscode from 'vscode';
import { activeFile } from '../ui/open-source.ts';
import { orderTargets, type Target, type TargetFound, type TargetsFound } from '../../recorder/launch/target.ts';
import { fileReaders } from '../../recorder/launch/packages/readers.ts';
import { targetRows } from '../../words/editor/row-texts.ts';

const noFolder = (): { readonly type: 'none'; readonly message: string } => {
  return { type: 'none', message: 'No folder is open. Open the folder of your package, or open a profile.' };
};

/** The tests of all folders, sorted for a quick pick; those of the open file first. */
export async function testTargets(remembered: readonly string[]): Promise<TargetsFound> {
  const file = activeFile();
  const ofFile = file === undefined ? null : await fileTests(file);
  const { findTargets } = await import('../../recorder/launch/targets/find-targets.ts');
  const found = await inEachFolder(findTargets);
  if (found.type === 'none' && ofFile?.type !== 'found') return found;
  const all = [...(ofFile?.type === 'found' ? [ofFile.target] : []), ...(found.type === 'found' ? found.targets : [])];
  return {
    type: 'found',
    targets: orderTargets(all, { activeFile: file?.scheme === 'file' ? file.fsPath : null, remembered }),
  };
}

export async function npmScripts(remembered: readonly string[]): Promise<TargetsFound> {
  const { scriptTargets } = await import('../../recorder/launch/targets/script-targets.ts');
  return ordered(scriptTargets, remembered);
}

export async function apps(remembered: readonly string[]): Promise<TargetsFound> {
  const { appTargets } = await import('../../recorder/launch/targets/app-targets.ts');
  return ordered(appTargets, remembered);
}

async function ordered(find: Find, remembered: readonly string[]): Promise<TargetsFound> {
  const found = await inEachFolder(find);
  const file = activeFile();
  return found.type === 'none'
    ? found
    : { type: 'found', targets: orderTargets(found.targets, { activeFile: file?.fsPath ?? null, remembered }) };
}

/** The tests of a test file, else the file itself; without an open folder around it only that. */
export async function targetOfFile(file: vscode.Uri): Promise<TargetFound> {
  const folder = vscode.workspace.getWorkspaceFolder(file)?.uri.fsPath;
  const { fileTarget, testsOrFile } = await import('../../recorder/launch/targets/file-targets.ts');
  const readers = fileReaders(process.env);
  return folder === undefined
    ? fileTarget(file.fsPath, path.dirname(file.fsPath), readers)
    : testsOrFile(file.fsPath, folder, readers);
}

/** Null where the file is not a source file on disk. */
async function fileTests(file: vscode.Uri): Promise<TargetFound | null> {
  const folder = vscode.workspace.getWorkspaceFolder(file);
  if (file.scheme !== 'file' || folder === undefined || !/\.[cm]?[jt]sx?$/.test(file.path)) return null;
  const { targetForFile } = await import('../../recorder/launch/targets/file-targets.ts');
  return targetForFile(file.fsPath, folder.uri.fsPath, fileReaders(process.env));
}

type Find = (folder: string, readers: ReturnType<typeof fileReaders>) => Promise<TargetsFound>;

async function inEachFolder(find: Find): Promise<TargetsFound> {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  const found = await Promise.all(folders.map(async ({ uri }) => find(uri.fsPath, fileReaders(process.env))));
  const targets = found.flatMap((one, index) =>
    one.type === 'found'
      ? one.targets.map((target) => withFolder(target, folders.length > 1 ? folders[index] : undefined))
      : [],
  );
  return targets.length > 0 ? { type: 'found', targets } : (found[0] ?? noFolder());
}

/** Adds the folder's name: targets of several folders would look the same. */
function withFolder(target: Target, folder: vscode.WorkspaceFolder | undefined): Target {
  if (folder === undefined) return target;
  const id = `${folder.name}/${target.id}`;
  return { ...target, id, description: [folder.name, target.description].filter((part) => part !== '').join(' · ') };
}

export function workspaceFolder(): string {
  const file = activeFile();
  const folder = file === undefined ? undefined : vscode.workspace.getWorkspaceFolder(file);
  return (folder ?? vscode.workspace.workspaceFolders?.[0])?.uri.fsPath ?? process.cwd();
}

export async function pickTarget(targets: readonly Target[], always: boolean): Promise<Target | undefined> {
  if (targets.length === 1 && !always) return targets[0];
  const choice = await vscode.window.showQuickPick(targetRows(targets), {
    placeHolder: 'What to profile',
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return choice?.target;
}
