import path from 'node:path';
import { type ExtensionContext, type Task, type TaskProvider, workspace } from 'vscode';
import type { Target } from '../../recorder/launch/scripts/target.ts';
import { recordTask } from './task.ts';
import { testTargets } from './targets.ts';

/** Tasks of type `hotspan`: those found in the workspace, and those that the person writes in `tasks.json`. */
export function createTaskProvider(context: ExtensionContext): TaskProvider {
  return {
    provideTasks: async (): Promise<Task[]> => {
      if (!workspace.isTrusted) return [];
      const found = await testTargets([]);
      const targets = found.type === 'found' ? found.targets : [];
      return targets.map((target) => recordTask(context, target, 'profile'));
    },
    resolveTask: async (task): Promise<Task | undefined> => {
      const command: unknown = task.definition['command'];
      const cwd: unknown = task.definition['cwd'];
      if (!workspace.isTrusted || !isCommand(command)) return undefined;
      const folder = typeof task.scope === 'object' ? task.scope : workspace.workspaceFolders?.[0];
      if (folder?.uri.scheme !== 'file') return undefined;
      const target = commandTarget(command, path.resolve(folder.uri.fsPath, typeof cwd === 'string' ? cwd : '.'));
      const kind = task.definition['tiers'] === true ? 'tiers' : 'profile';
      return recordTask(context, target, kind, task.definition);
    },
  };
}

function commandTarget(command: readonly string[], folder: string): Target {
  const label = command.join(' ');
  return {
    id: label,
    kind: 'script',
    runner: null,
    label,
    description: '',
    folder,
    command,
    env: {},
    notes: [],
    isOrchestrator: false,
  };
}

function isCommand(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((part) => typeof part === 'string');
}
