import type { AppServer } from '../../recordings/app-servers.ts';
import * as vscode from 'vscode';
import type { Target } from '../../recorder/launch/target.ts';
import { taskType } from '../../protocol/ids.ts';
import { recorderOptions } from '../ui/settings.ts';
import { newRecordingFolder } from '../../recordings/recording-folders.ts';
import { recordingsRoot } from '../results/kept-results.ts';
import path from 'node:path';

/** A task that runs under the recorder. */
export interface RunningTask {
  readonly task: vscode.Task;
  readonly recording: string;
  /** Aborted at its end. */
  readonly over: AbortController;
  /** Where it listens, the server to send requests to first. */
  readonly servers: () => readonly AppServer[];
}

/** The part of a target that a task needs. */
export type TaskTarget = Pick<Target, 'id' | 'kind' | 'label' | 'folder' | 'command' | 'env' | 'notes'>;

/** A task that records a target in a new folder, in a terminal, with the `node` that the terminal finds. */
export function recordTask(
  context: vscode.ExtensionContext,
  target: TaskTarget,
  kind: 'profile' | 'tiers',
  definition?: vscode.TaskDefinition,
): vscode.Task {
  const { intervalUs, maxSize, nodePath } = recorderOptions();
  const { command, folder, notes } = target;
  // Tiers have folders of their own, so that they do not replace the profile.
  const id = kind === 'tiers' ? [folder, 'tiers', ...command].join(' ') : folderIdOf(target);
  const args = recordArguments({
    cli: context.asAbsolutePath('dist/cli.cjs'),
    recording: newRecordingFolder(recordingsRoot(context), id, new Date()),
    kind,
    intervalUs,
    maxSize,
    ...(target.kind === 'process' ? { command: null, address: command.at(-1) ?? '' } : { command }),
    notes,
  });
  const tiers = kind === 'tiers' ? { tiers: true } : {};
  const options = { cwd: folder, env: { ...target.env } };
  const execution = new vscode.ProcessExecution(nodePath === '' ? 'node' : nodePath, [...args], options);
  const task = new vscode.Task(
    definition ?? { type: taskType, command, cwd: folder, ...tiers },
    vscode.workspace.getWorkspaceFolder(vscode.Uri.file(folder)) ?? vscode.TaskScope.Workspace,
    kind === 'tiers' ? `V8 tiers of ${target.label}` : `profile ${target.label}`,
    'Hotspan',
    execution,
    [],
  );
  task.detail = notes.join(' ');
  task.presentationOptions = {
    echo: false, // Our own command line is long. It says what the person asked for instead.
    reveal: vscode.TaskRevealKind.Always,
    panel: vscode.TaskPanelKind.Dedicated,
    showReuseMessage: false,
    clear: true,
  };
  return task;
}

/** VS Code compares tasks by their definition, not by where they record. */
export function isSameTask(a: vscode.Task, b: vscode.Task): boolean {
  const [one, other] = [a, b].map(({ definition }) =>
    JSON.stringify([definition['command'], definition['cwd'], definition['tiers'] === true]),
  );
  return one === other;
}

/** The recording that a Hotspan task writes; null for all other tasks. */
export function taskRecording(task: vscode.Task): string | null {
  if (task.definition.type !== taskType || !(task.execution instanceof vscode.ProcessExecution)) return null;
  return recordingOf(task.execution.args);
}

export function isTierTask(task: vscode.Task): boolean {
  return task.execution instanceof vscode.ProcessExecution && isOfTiers(task.execution.args);
}

/** What a Hotspan task runs; null where it attaches to a running process. */
export function targetOfTask({ execution }: vscode.Task): TaskTarget | null {
  if (!(execution instanceof vscode.ProcessExecution)) return null;
  const command = commandOf(execution.args);
  const folder = execution.options?.cwd;
  if (command === null || folder === undefined) return null;
  return commandTarget(command, folder, execution.options?.env ?? {});
}

/** Provides the tests of the workspace, and resolves `hotspan` tasks of `tasks.json`. */
export function createTaskProvider(context: vscode.ExtensionContext): vscode.TaskProvider {
  return {
    provideTasks: async (): Promise<vscode.Task[]> => {
      if (!vscode.workspace.isTrusted) return [];
      const { testTargets } = await import('./targets.ts');
      const found = await testTargets([]);
      const targets = found.type === 'found' ? found.targets : [];
      return targets.map((target) => recordTask(context, target, 'profile'));
    },
    resolveTask: async (task): Promise<vscode.Task | undefined> => {
      const command: unknown = task.definition['command'];
      const cwd: unknown = task.definition['cwd'];
      if (!vscode.workspace.isTrusted || !isCommand(command)) return undefined;
      const folder = typeof task.scope === 'object' ? task.scope : vscode.workspace.workspaceFolders?.[0];
      if (folder?.uri.scheme !== 'file') return undefined;
      const { fsPath } = folder.uri;
      // VS Code replaces variables in its own tasks only.
      const here = (text: string): string => text.replaceAll('${workspaceFolder}', () => fsPath);
      const target = commandTarget(
        command.map(here),
        path.resolve(fsPath, typeof cwd === 'string' ? here(cwd) : '.'),
        {},
      );
      const kind = task.definition['tiers'] === true ? 'tiers' : 'profile';
      return recordTask(context, target, kind, task.definition);
    },
  };
}

function commandTarget(command: readonly string[], folder: string, env: TaskTarget['env']): TaskTarget {
  const label = command.join(' ');
  return { id: label, kind: 'script', label, folder, command, env, notes: [] };
}

function isCommand(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((part) => typeof part === 'string');
}

/** Names the folder of a target's profiles: two folders may have targets with one id. */
export function folderIdOf({ folder, id }: Pick<Target, 'folder' | 'id'>): string {
  return `${folder} ${id}`;
}

/** The task's command line: `node cli.cjs record --out FOLDER … -- COMMAND`. */
interface RecordRun {
  readonly cli: string;
  readonly recording: string;
  /** A running process can only be profiled. */
  readonly kind: 'profile' | 'tiers';
  /** Time between two samples, in µs. */
  readonly intervalUs: number;
  /** Limit of the recording, in MB; 0: no limit. */
  readonly maxSize: number;
  /** Null for a running process, which has an `address` instead. */
  readonly command: readonly string[] | null;
  readonly address?: string;
  /** Sentences for the person, which the terminal shows first. */
  readonly notes: readonly string[];
}

export function recordArguments(run: RecordRun): readonly string[] {
  const { cli, recording, kind, intervalUs, maxSize, command, address, notes } = run;
  const said = notes.map((note) => `--note=${note}`);
  const what = command === null ? ['--attach', address ?? ''] : ['--', ...command];
  const limits = ['--interval', String(intervalUs), '--max-size', String(maxSize)];
  const tiers = kind === 'tiers' && command !== null ? ['--tiers'] : [];
  return [cli, 'record', '--quiet', '--announce', '--out', recording, ...tiers, ...limits, ...said, ...what];
}

/** The recording of a task with these arguments; null for other tasks. */
export function recordingOf(args: readonly string[]): string | null {
  const own = ownWords(args);
  const at = own.indexOf('--out');
  return at === -1 ? null : (own[at + 1] ?? null);
}

export function isOfTiers(args: readonly string[]): boolean {
  return ownWords(args).includes('--tiers');
}

/** The command that these arguments run; null for a running process. */
export function commandOf(args: readonly string[]): readonly string[] | null {
  const end = args.indexOf('--');
  return end === -1 || end === args.length - 1 ? null : args.slice(end + 1);
}

function ownWords(args: readonly string[]): readonly string[] {
  const end = args.indexOf('--');
  return end === -1 ? args : args.slice(0, end);
}
