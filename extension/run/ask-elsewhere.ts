import { access } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { settings } from '../../protocol/ids.ts';
import { fieldsOf } from '../../protocol/json-value.ts';
import type { PathSuggestion } from '../../protocol/path-spelling.ts';
import { elsewhereQuestion, ruleText } from '../../words/editor/notifications.ts';
import { escapeNotification } from '../../words/formats/foreign-text.ts';
import { type SettingProblem, settingOf, openFolders } from '../ui/settings.ts';
import { showFailure } from '../ui/failures.ts';

/** Asks whether files of a recording are those here under other paths. The settings keep the answer, also a no. */
export async function askElsewhere(suggestion: PathSuggestion, log: vscode.LogOutputChannel): Promise<void> {
  const [first] = suggestion.rules;
  if (first === undefined) return;
  const question = escapeNotification(elsewhereQuestion(suggestion, shownFolder));
  const answers = suggestion.others.length > 0 ? ['Choose…', 'No'] : ['Yes', 'Choose…', 'No'];
  const answer = await vscode.window.showInformationMessage(question, ...answers);
  if (answer === 'Yes') await keep(suggestion.rules);
  if (answer === 'No') await keep([{ from: first.from, to: null }]);
  const to = answer === 'Choose…' ? await chooseFolder(suggestion, log) : null;
  if (to !== null) await keep([{ from: first.from, to }]);
}

type FolderRow = vscode.QuickPickItem & { readonly folder: string | null };

/** The open folder that the person chooses for that of the first rule; null for none. */
async function chooseFolder({ rules, others }: PathSuggestion, log: vscode.LogOutputChannel): Promise<string | null> {
  const [first] = rules;
  if (first === undefined) return null;
  const rows = [first.to, ...others].map((to): FolderRow => ({
    label: ruleText({ ...first, to }, shownFolder),
    folder: to,
  }));
  const other: FolderRow = { label: 'Another Folder…', folder: null };
  const row = await vscode.window.showQuickPick([...rows, other], {
    placeHolder: `Which folder here has the files of ${first.from}`,
    ignoreFocusOut: true, // The page of the profile takes the focus once it is there.
  });
  if (row === undefined || row.folder !== null) return row?.folder ?? null;
  return pickOpenFolder(log);
}

/** The open folder that the person picks; null for none. */
async function pickOpenFolder(log: vscode.LogOutputChannel): Promise<string | null> {
  const options = { canSelectFolders: true, canSelectFiles: false, openLabel: 'Use This Folder' };
  const [chosen] = (await vscode.window.showOpenDialog(options)) ?? [];
  if (chosen === undefined) return null;
  if (vscode.workspace.getWorkspaceFolder(chosen) !== undefined) return chosen.fsPath;
  showFailure(`${chosen.fsPath} is in no folder that is open: open it first.`, log);
  return null;
}

/** Asks for the folder here that has a file of elsewhere, or one around it, and keeps the rule. */
export async function chooseFolderOf(file: string, log: vscode.LogOutputChannel): Promise<void> {
  const to = await pickOpenFolder(log);
  if (to === null) return;
  const parts = file.split(/[\\/]/);
  for (let begin = 2; begin < parts.length; begin++) {
    const isThere = await access(path.join(to, ...parts.slice(begin))).then(
      () => true,
      () => false, // It is not there: then a shorter path is looked for.
    );
    if (isThere) {
      await keep([{ from: parts.slice(0, begin).join('/'), to }]);
      return;
    }
  }
  showFailure(`${to} does not have ${parts.slice(2).join('/')}: choose the folder that has it.`, log);
}

async function keep(rules: readonly { readonly from: string; readonly to: string | null }[]): Promise<void> {
  const configuration = vscode.workspace.getConfiguration();
  const known: unknown = configuration.inspect(settings.pathMappings)?.workspaceValue;
  const added = rules.map(({ from, to }) => [from, to === null ? null : settingOf(to, openFolders())] as const);
  const value = { ...fieldsOf(known), ...Object.fromEntries(added) };
  await configuration.update(settings.pathMappings, value, vscode.ConfigurationTarget.Workspace);
}

/** A folder as `packages/api`, or the name of the open folder itself. */
function shownFolder(folder: string): string {
  const open = openFolders().find((one) => one.path === folder);
  return open?.name ?? path.normalize(vscode.workspace.asRelativePath(vscode.Uri.file(folder)));
}

/** Shows the first one; the log has them all. */
export async function sayProblems(problems: readonly SettingProblem[], log: vscode.LogOutputChannel): Promise<void> {
  for (const { message } of problems) log.warn(message);
  const [first] = problems;
  if (first === undefined) return;
  const open = 'Open Settings';
  const choice = await vscode.window.showWarningMessage(escapeNotification(first.message), open);
  if (choice === open) await vscode.commands.executeCommand('workbench.action.openSettings', first.id);
}
