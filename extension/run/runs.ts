import {
  Disposable,
  type Event,
  EventEmitter,
  type ExtensionContext,
  type TaskExecution,
  commands,
  l10n,
  tasks,
} from 'vscode';
import { contextKeys, taskType } from '../../protocol/ids.ts';
import type { Target } from '../../recorder/launch/target.ts';
import type { Services } from '../services.ts';
import { recorderOptions } from '../settings.ts';
import { messageOf, showFailure } from '../show-failure.ts';
import { canRun } from './can-run.ts';
import { hasRecording, keepRecording } from './recording-folders.ts';
import { newFolderFor } from './recordings-root.ts';
import { isTarget } from './known-target.ts';
import { showResult } from './show-result.ts';
import { showRunning } from './show-running.ts';
import { recordTask, taskRecording } from './task.ts';
import { createTaskProvider } from './task-provider.ts';

/** Runs of commands under the recorder, whoever started their task. */
export interface Runs extends Disposable {
  readonly start: (target: Target) => Promise<void>;
  readonly isRunning: () => boolean;
  readonly lastTarget: () => Target | undefined;
  /** Ids of the targets that were run in this workspace, the last one first. */
  readonly remembered: () => readonly string[];
  readonly onDidChange: Event<void>;
}

const lastTargetKey = 'runs.lastTarget';
const rememberedKey = 'runs.remembered';
const mostRemembered = 50;

export function activateRuns(context: ExtensionContext, services: Services): Runs {
  const changed = new EventEmitter<void>();
  /** Going on now: the recording of each, and what ends its notification. */
  const running = new Map<TaskExecution, RunningTask>();

  const remembered = (): readonly string[] => context.workspaceState.get<readonly string[]>(rememberedKey, []);
  const update = (): void => {
    void commands.executeCommand('setContext', contextKeys.running, running.size > 0);
    changed.fire();
  };
  const began = (execution: TaskExecution): void => {
    const recording = taskRecording(execution.task);
    if (recording === null || running.has(execution)) return;
    running.set(execution, { recording, ended: showRunning(execution.task, recording) });
    update();
  };
  const ended = async (execution: TaskExecution, exitCode: number | undefined): Promise<void> => {
    const run = running.get(execution);
    if (run === undefined) return;
    running.delete(execution);
    run.ended();
    try {
      if (exitCode === 127 || !(await hasRecording(run.recording)))
        await showFailure(l10n.t('The command could not be recorded. The terminal says why.'), services.log);
      else await showResult({ services }, await keepRecording(run.recording, new Date(), recorderOptions().keep));
    } catch (error) {
      await showFailure(messageOf(error), services.log);
    } finally {
      update();
    }
  };

  const registered = Disposable.from(
    changed,
    tasks.registerTaskProvider(taskType, createTaskProvider(context)),
    tasks.onDidStartTask(({ execution }) => began(execution)),
    tasks.onDidEndTaskProcess(({ execution, exitCode }) => void ended(execution, exitCode)),
    // Comes after the event above, and alone where no process ever came into being.
    tasks.onDidEndTask(({ execution }) => void ended(execution, undefined)),
  );
  return {
    start: async (target) => {
      if (!(await canRun(services))) return;
      const others = remembered().filter((id) => id !== target.id);
      await context.workspaceState.update(rememberedKey, [target.id, ...others].slice(0, mostRemembered));
      await context.workspaceState.update(lastTargetKey, target);
      const recording = newFolderFor(context, target);
      await tasks.executeTask(recordTask(context, target, recording));
    },
    isRunning: () => running.size > 0,
    lastTarget: () => {
      const kept = context.workspaceState.get<unknown>(lastTargetKey);
      return isTarget(kept) ? kept : undefined;
    },
    remembered,
    onDidChange: changed.event,
    dispose: () => registered.dispose(),
  };
}

interface RunningTask {
  readonly recording: string;
  readonly ended: () => void;
}
