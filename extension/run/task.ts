import {
  type ExtensionContext,
  ProcessExecution,
  Task,
  type TaskDefinition,
  TaskPanelKind,
  TaskRevealKind,
  TaskScope,
  Uri,
  l10n,
  workspace,
} from 'vscode';
import type { Target } from '../../recorder/launch/target.ts';
import { taskType } from '../../protocol/ids.ts';
import { recorderOptions } from '../settings.ts';
import { recordArguments, recordingOf } from './record-arguments.ts';

/** A task that records a target: a real terminal, with the `node` that the person's own terminal finds. */
export function recordTask(
  context: ExtensionContext,
  target: Target,
  recording: string,
  definition?: TaskDefinition,
): Task {
  const { intervalUs, maxSize, nodePath } = recorderOptions();
  const args = recordArguments({
    cli: context.asAbsolutePath('dist/cli.cjs'),
    recording,
    intervalUs,
    maxSize,
    ...(target.kind === 'process'
      ? { command: null, address: target.command.at(-1) ?? '' }
      : { command: target.command }),
    notes: target.notes,
  });
  const execution = new ProcessExecution(nodePath === '' ? 'node' : nodePath, [...args], {
    cwd: target.folder,
    env: { ...target.env },
  });
  const task = new Task(
    definition ?? { type: taskType, command: target.command, cwd: target.folder },
    workspace.getWorkspaceFolder(Uri.file(target.folder)) ?? TaskScope.Workspace,
    l10n.t('profile {0}', target.label),
    'Hotspan',
    execution,
    [],
  );
  task.detail = target.notes.join(' ');
  task.presentationOptions = {
    reveal: TaskRevealKind.Always,
    panel: TaskPanelKind.Dedicated,
    showReuseMessage: false,
    clear: true,
  };
  return task;
}

/** The recording that a task of ours writes; null for all others. */
export function taskRecording(task: Task): string | null {
  if (task.definition.type !== taskType || !(task.execution instanceof ProcessExecution)) return null;
  return recordingOf(task.execution.args);
}
