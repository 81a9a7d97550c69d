import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import { contextKeys, taskType } from '../../protocol/ids.ts';
import type { Target } from '../../recorder/launch/target.ts';
import { inLog, on, showFailure } from '../ui/failures.ts';
import type { Services } from '../results/results.ts';
import { analysisOptions } from '../ui/settings.ts';
import type { EndedRun } from './ended-run.ts';
import { shortHash } from '../../recordings/recording-folders.ts';
import type { AppServer } from '../../recordings/app-servers.ts';
import type { KeptResult } from '../results/kept-results.ts';
import type { RunningTask } from './task.ts';
import { folderIdOf, isSameTask, recordTask, targetOfTask, taskRecording, createTaskProvider } from './task.ts';
import { alreadyRunning, shownMessage } from '../../words/editor/notifications.ts';
import * as v from 'valibot';

const lastKey = 'runs.lastTarget';
const idsKey = 'runs.remembered';
const allKey = 'runs.targets';
const MAX_IDS = 50;
/** As many as results on screen. */
const MAX_TARGETS = 8;

const texts = v.array(v.string());

const target: v.GenericSchema<unknown, Target> = v.object({
  id: v.string(),
  kind: v.picklist(['tests', 'fileTests', 'script', 'file', 'app', 'process']),
  runner: v.nullable(v.picklist(['node:test', 'mocha', 'jest', 'vitest'])),
  label: v.string(),
  description: v.string(),
  folder: v.string(),
  command: texts,
  script: v.exactOptional(v.string()),
  env: v.custom<Target['env']>(isEnvironment),
  notes: texts,
  isOrchestrator: v.boolean(),
});

/** Limit of the wait for a terminal's last output, and how often it is checked, in ms. */
const MAX_END_MS = 10_000;
const lookEveryMs = 40;

/** A run that has ended, when its result is on screen, or what became of it is said. */
export interface ShownRun extends EndedRun {
  /** Path of its recording now; null where it has none. */
  readonly kept: string | null;
}

/** Runs of commands under the recorder, from commands, tasks or other extensions. */
export class Runs implements vscode.Disposable {
  readonly #context: vscode.ExtensionContext;
  readonly #services: Services;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  readonly #tiersRecorded = new vscode.EventEmitter<string>();
  /** V8's tiers were recorded, in this folder. */
  readonly onDidRecordTiers = this.#tiersRecorded.event;
  readonly #shown = new vscode.EventEmitter<ShownRun>();
  readonly onDidShow = this.#shown.event;
  readonly #running = new Map<vscode.TaskExecution, RunningTask>();
  /** Tasks that `startTask` was asked for and VS Code does not run yet. */
  readonly #starting = new Set<vscode.Task>();
  readonly #listening: vscode.Disposable;

  constructor(context: vscode.ExtensionContext, services: Services) {
    this.#context = context;
    this.#services = services;
    const { log } = services;
    this.#listening = vscode.Disposable.from(
      vscode.tasks.registerTaskProvider(taskType, createTaskProvider(context)),
      vscode.tasks.onDidStartTask(({ execution }) => this.#began(execution)),
      on(
        vscode.tasks.onDidStartTaskProcess,
        async ({ execution, processId }) => this.#awaitEnd(execution, processId),
        log,
      ),
      on(vscode.tasks.onDidEndTaskProcess, async ({ execution, exitCode }) => this.#ended(execution, exitCode), log),
      // This comes after the event above. It comes alone where no process was started.
      on(vscode.tasks.onDidEndTask, async ({ execution }) => this.#ended(execution, undefined), log),
    );
  }

  get isRunning(): boolean {
    return this.#running.size > 0;
  }

  /** The newest first. */
  get running(): readonly RunningTask[] {
    return [...this.#running.values()].toReversed();
  }

  /** Undefined where this version cannot run it. */
  get lastTarget(): Target | undefined {
    const kept = this.#state.get<unknown>(lastKey);
    return isTarget(kept) ? kept : undefined;
  }

  /** The target of a result that was run in this workspace. */
  targetOf({ target }: Pick<KeptResult, 'target'>): Target | undefined {
    return this.#targets.find((one) => shortHash(folderIdOf(one)) === target);
  }

  /** Ids of the targets that were run in this workspace, latest first. */
  get remembered(): readonly string[] {
    return this.#state.get<readonly string[]>(idsKey, []);
  }

  /** Runs the target in a terminal, if that is possible and it does not run already. */
  async start(target: Target, kind: 'profile' | 'tiers' = 'profile'): Promise<void> {
    await this.startTask(target, recordTask(this.#context, target, kind));
  }

  /** As `start`, with a task that was made by `recordTask` before. False where it does not start, which is said, or starts already. */
  async startTask(target: Target, task: vscode.Task): Promise<boolean> {
    // The second click of a double click.
    if ([...this.#starting].some((one) => isSameTask(one, task))) return false;
    this.#starting.add(task);
    try {
      if (!(await this.#canRun())) return false;
      await this.#remember(target);
      await this.#untilOver(task);
      // VS Code would ask which of its runs to terminate.
      const isRunning = [...this.#running.keys()].some((run) => isSameTask(run.task, task));
      if (isRunning) this.#sayRunning(task);
      else await vscode.tasks.executeTask(task);
      return !isRunning;
    } finally {
      this.#starting.delete(task);
    }
  }

  get #state(): vscode.Memento {
    return this.#context.workspaceState;
  }

  get #targets(): readonly Target[] {
    return this.#state.get<readonly unknown[]>(allKey, []).filter(isTarget);
  }

  async #remember(target: Target): Promise<void> {
    const others = this.remembered.filter((id) => id !== target.id);
    await this.#state.update(idsKey, [target.id, ...others].slice(0, MAX_IDS));
    const isOther = ({ id, folder }: Target): boolean => id !== target.id || folder !== target.folder;
    await this.#state.update(allKey, [target, ...this.#targets.filter(isOther)].slice(0, MAX_TARGETS));
    await this.#state.update(lastKey, target);
  }

  async #canRun(): Promise<boolean> {
    const { canRun } = await import('./can-run.ts');
    return canRun(this.#services);
  }

  /** Waits until VS Code has seen the end of a run whose result is shown already: else it asks which to terminate. */
  async #untilOver(task: vscode.Task): Promise<void> {
    const isSeen = ({ task: other }: vscode.TaskExecution): boolean =>
      taskRecording(other) !== null && isSameTask(other, task);
    const isOpen = (): boolean => vscode.tasks.taskExecutions.some((one) => !this.#running.has(one) && isSeen(one));
    for (let waitedMs = 0; isOpen() && waitedMs < MAX_END_MS; waitedMs += lookEveryMs) await delay(lookEveryMs);
  }

  #sayRunning({ name }: vscode.Task): void {
    inLog(vscode.window.showWarningMessage(alreadyRunning(name)), this.#services.log);
  }

  /** Runs go on without the extension. */
  dispose(): void {
    this.#listening.dispose();
    for (const { over } of this.#running.values()) over.abort();
    this.#running.clear();
    this.#changed.dispose();
    this.#tiersRecorded.dispose();
    this.#shown.dispose();
  }

  #began(execution: vscode.TaskExecution): void {
    const recording = taskRecording(execution.task);
    if (recording === null || this.#running.has(execution)) return;
    const isRecorded = [...this.#running.values()].some((run) => run.recording === recording);
    if (isRecorded) {
      // A task that is started twice writes to one place. The command line refuses, too: the first run must not suffer.
      execution.terminate();
      this.#sayRunning(execution.task);
      return;
    }
    const now: { servers: readonly AppServer[] } = { servers: [] };
    const over = new AbortController();
    const run: RunningTask = { task: execution.task, recording, over, servers: () => now.servers };
    this.#running.set(execution, run);
    const showing = this.#showRunning(run, (servers) => {
      now.servers = servers;
      this.#update();
    });
    inLog(showing, this.#services.log);
    this.#services.server.prepare({ recording, options: analysisOptions() });
    this.#services.lastRun.clear();
    this.#update();
    inLog(this.#endUnlessRunnable(execution), this.#services.log);
  }

  async #showRunning(run: RunningTask, onServers: (servers: readonly AppServer[]) => void): Promise<void> {
    const { showRunning } = await import('./show-running.ts');
    await showRunning(run, this.#services.log, onServers);
  }

  /** VS Code starts tasks of `tasks.json` without asking us, and reports no end if their program is missing. */
  async #endUnlessRunnable(execution: vscode.TaskExecution): Promise<void> {
    if (await this.#canRun()) return;
    execution.terminate();
    const run = this.#running.get(execution);
    if (run === undefined) return;
    run.over.abort();
    this.#running.delete(execution);
    this.#update();
    this.#shown.fire({ ...run, exitCode: undefined, kept: null });
  }

  async #awaitEnd(execution: vscode.TaskExecution, processId: number): Promise<void> {
    const run = this.#running.get(execution);
    if (run === undefined) return;
    const { earlyEnd } = await import('./ended-run.ts');
    const exitCode = await earlyEnd(processId, run.recording, run.over.signal);
    if (exitCode !== null) await this.#ended(execution, exitCode);
  }

  async #ended(execution: vscode.TaskExecution, exitCode: number | undefined): Promise<void> {
    const run = this.#running.get(execution);
    if (run === undefined) return;
    this.#running.delete(execution);
    run.over.abort();
    // This comes first, because the code below reads the whole recording.
    this.#update();
    try {
      await this.#show({ task: execution.task, recording: run.recording, exitCode });
    } catch (error) {
      showFailure(shownMessage(error), this.#services.log);
    }
  }

  async #show(run: EndedRun): Promise<void> {
    const { showEndedRun } = await import('./ended-run.ts');
    const now: { kept: string | null } = { kept: null };
    const showing = showEndedRun(run, this.#context, this.#services, (recording) => (now.kept = recording));
    const tiers = await showing.finally(() => this.#shown.fire({ ...run, ...now }));
    if (tiers?.type === 'recorded') this.#tiersRecorded.fire(tiers.recording);
    else if (tiers?.type === 'wanted') await this.#recordTiers(run.task);
  }

  async #recordTiers(profiled: vscode.Task): Promise<void> {
    const target = targetOfTask(profiled);
    if (target !== null) await vscode.tasks.executeTask(recordTask(this.#context, target, 'tiers'));
  }

  #update(): void {
    const set = (key: string, value: boolean): void =>
      inLog(vscode.commands.executeCommand('setContext', key, value), this.#services.log);
    set(contextKeys.running, this.isRunning);
    set(
      contextKeys.serving,
      this.running.some(({ servers }) => servers().some(({ url }) => url !== null)),
    );
    this.#changed.fire();
  }
}

/** Whether a kept value is a target that this version can run. */
export function isTarget(value: unknown): value is Target {
  return v.is(target, value);
}

function isEnvironment(value: unknown): boolean {
  return v.is(v.object({}), value) && !Array.isArray(value) && v.is(texts, Object.values(value));
}
