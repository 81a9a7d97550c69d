import {
  type ExtensionContext,
  ProcessExecution,
  Task,
  type TaskDefinition,
  TaskPanelKind,
  TaskRevealKind,
  TaskScope,
  Uri,
  workspace,
} from 'vscode';
import type { Target } from '../../recorder/launch/scripts/target.ts';
import { taskType } from '../../protocol/ids.ts';
import { recorderOptions } from '../ui/settings.ts';
import { commandOf, isOfTiers, recordArguments, recordingOf } from './record-arguments.ts';
import { newFolderFor } from '../results/recordings-root.ts';

/** What of a target a task needs. */
export type TaskTarget = Pick<Target, 'id' | 'kind' | 'label' | 'folder' | 'command' | 'env' | 'notes'>;

/** A task that records a target in a fresh folder: a real terminal, with the `node` that the person's own terminal finds. */
export function recordTask(
  context: ExtensionContext,
  target: TaskTarget,
  kind: 'profile' | 'tiers',
  definition?: TaskDefinition,
): Task {
  const { intervalUs, maxSize, nodePath } = recorderOptions();
  const args = recordArguments({
    cli: context.asAbsolutePath('dist/cli.cjs'),
    recording: newFolderFor(context, target, kind),
    kind,
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
    definition ?? definitionOf(target, kind),
    workspace.getWorkspaceFolder(Uri.file(target.folder)) ?? TaskScope.Workspace,
    kind === 'tiers' ? `V8 tiers of ${target.label}` : `profile ${target.label}`,
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

function definitionOf({ command, folder }: TaskTarget, kind: 'profile' | 'tiers'): TaskDefinition {
  return { type: taskType, command, cwd: folder, ...(kind === 'tiers' ? { tiers: true } : {}) };
}

/** The recording that a task of ours writes; null for all others. */
export function taskRecording(task: Task): string | null {
  if (task.definition.type !== taskType || !(task.execution instanceof ProcessExecution)) return null;
  return recordingOf(task.execution.args);
}

/** Whether a task of ours records V8's tiers. */
export function isTierTask(task: Task): boolean {
  return task.execution instanceof ProcessExecution && isOfTiers(task.execution.args);
}

/** What a task of ours has run, to be run once more; null for a process that ran already. */
export function targetOfTask({ execution }: Task): TaskTarget | null {
  if (!(execution instanceof ProcessExecution)) return null;
  const command = commandOf(execution.args);
  const folder = execution.options?.cwd;
  if (command === null || folder === undefined) return null;
  const label = command.join(' ');
  return { id: label, kind: 'script', label, folder, command, env: execution.options?.env ?? {}, notes: [] };
}
