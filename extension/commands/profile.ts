import path from 'node:path';
import { type LogOutputChannel, window, type Memento, type QuickPickItem, workspace } from 'vscode';
import { canRun } from '../run/can-run.ts';
import { emptyStates, nothingToRun } from '../../words/editor/ways.ts';
import { activeFile } from '../ui/active-file.ts';
import { offer } from '../ui/offer.ts';
import { pickTarget, testTargets, npmScripts, targetOfFile, apps } from '../run/targets.ts';
import { inLog, showFailure } from '../ui/failures.ts';
import { onlyTest } from '../../recorder/launch/targets/only-test.ts';
import { inEnvironment, setsEnvironment } from '../../recorder/launch/targets/app-targets.ts';
import { targetRows } from '../../words/editor/row-texts.ts';
import { testsRequest } from '../../protocol/requests.ts';
import type { Target } from '../../recorder/launch/target.ts';
import type { CommandHost } from './command-arguments.ts';
import { resultOf } from './pick-result.ts';
import { argumentFor, fileOf, lineOf, testOf } from './test-items.ts';

/**
 * Finds the tests and runs them. Asks which ones where there are several, or where `argument` is true because the
 * person wants to change the target.
 */
export async function profileTests({ services, runs }: CommandHost, argument: unknown): Promise<void> {
  if (!(await canRun(services))) return;
  const found = await testTargets(runs.remembered);
  if (found.type === 'none') return sayNothingToRun(found.message, services.log);
  const target = await pickTarget(found.targets, argument === true);
  if (target !== undefined) await runs.start(target);
}

/** Says why there is nothing to run, with what else can be profiled. */
async function sayNothingToRun(message: string, log: LogOutputChannel): Promise<void> {
  const hasFolder = (workspace.workspaceFolders ?? []).length > 0;
  await offer({ ...nothingToRun(message, hasFolder), severity: 'error' }, log);
}

/** Runs the target of a row's result again, else the last one; the tests, where there is none yet. */
export async function profileAgain(host: CommandHost, argument: unknown): Promise<void> {
  const target = targetToRun(host, argument);
  if (target === null) return undefined;
  if (target === undefined) return profileTests(host, undefined);
  return host.runs.start(target);
}

export async function profileScript({ services, runs }: CommandHost): Promise<void> {
  if (!(await canRun(services))) return;
  const found = await npmScripts(runs.remembered);
  if (found.type === 'none') return sayNothingToRun(found.message, services.log);
  const target = await pickTarget(found.targets, true);
  if (target !== undefined) await runs.start(target);
}

/**
 * Runs the tests of a test file with their runner, and any other file by itself. From the Test Explorer, runs only the
 * chosen test or suite.
 */
export async function profileFile({ services, runs }: CommandHost, argument: unknown): Promise<void> {
  if (!(await canRun(services))) return;
  const file = fileOf(argument) ?? activeFile();
  if (file?.scheme !== 'file') return offer(emptyStates.noFile, services.log);
  const found = await targetOfFile(file);
  if (found.type === 'none') return sayNothingToRun(found.message, services.log);
  const test = testOf(argument, path.basename(file.fsPath));
  return runs.start((test === null ? null : onlyTest(found.target, test)) ?? found.target);
}

/** Runs one test or suite: that of a lens, of the Test Explorer, or of a line number in the editor. */
export async function profileTest(host: CommandHost, argument: unknown): Promise<void> {
  const at = lineOf(argument);
  if (at === null) return profileFile(host, argument);
  const tests = (await host.services.server.ask(testsRequest, { uri: at.uri.toString() })) ?? [];
  const test = tests.findLast(({ line }) => line <= at.line);
  return profileFile(host, test === undefined ? at.uri : argumentFor(at.uri.toString(), test));
}

/** Runs an app until it is stopped, in development or in production. Which of them is asked once. */
export async function profileApp({ context, services, runs }: CommandHost): Promise<void> {
  if (!(await canRun(services))) return;
  const choice = await pickApp(runs.remembered, context.workspaceState);
  if (choice.type === 'none') return sayNothingToRun(choice.message, services.log);
  if (choice.type === 'dismissed') return;
  const { target } = choice;
  const environment = setsEnvironment(target) ? 'production' : await environmentOfApps(context.workspaceState);
  if (environment !== undefined) await runs.start(inEnvironment(target, environment));
}

/**
 * Runs the target of a result once more, to record V8's tiers; the last target, where none is meant, and the tests,
 * where there is none yet.
 */
export async function recordTiers(host: CommandHost, argument: unknown): Promise<void> {
  const { services, runs } = host;
  if (!(await canRun(services))) return;
  const last = targetToRun(host, argument);
  if (last === null) return undefined;
  if (last !== undefined && last.kind !== 'process') return runs.start(last, 'tiers');
  const found = await testTargets(runs.remembered);
  if (found.type === 'none') return sayNothingToRun(found.message, services.log);
  const target = await pickTarget(found.targets, false);
  if (target !== undefined) await runs.start(target, 'tiers');
}

/**
 * The target of the result that an argument names; the last one, where none is named or it was not run here. Null where
 * the target of a result is not known any more: then the person is told, because nothing else may be run in its place.
 */
function targetToRun({ services, runs }: CommandHost, argument: unknown): Target | null | undefined {
  const result = resultOf(services.results.all, argument);
  if (result === null || !result.isOurs) return runs.lastTarget;
  const target = runs.targetOf(result) ?? null;
  if (target === null) inLog(showFailure(targetNotKnown, services.log), services.log);
  return target;
}

const targetNotKnown = 'How this was run is not known any more: run its task, or profile it again from the palette.';

type PickedApp =
  | { readonly type: 'picked'; readonly target: Target }
  | { readonly type: 'dismissed' }
  | { readonly type: 'none'; readonly message: string };

type AppRow = QuickPickItem & { readonly target?: Target };

/** Lists the apps. Once the environment is known, it can be changed here. */
async function pickApp(remembered: readonly string[], state: Memento): Promise<PickedApp> {
  const found = await apps(remembered);
  if (found.type === 'none') return found;
  const environment = knownEnvironment(state);
  const [only] = found.targets;
  if (found.targets.length === 1 && only !== undefined && environment === undefined)
    return { type: 'picked', target: only };
  const rows: readonly AppRow[] = targetRows(found.targets);
  const change: AppRow = { label: 'Change Environment…', description: `NODE_ENV=${environment ?? ''}` };
  const choice = await window.showQuickPick(environment === undefined ? rows : [...rows, change], {
    placeHolder: 'Which app to profile, until you stop it',
    matchOnDescription: true,
  });
  if (choice?.target !== undefined) return { type: 'picked', target: choice.target };
  if (choice === undefined || (await askForEnvironment(state)) === undefined) return { type: 'dismissed' };
  return pickApp(remembered, state);
}

type AppEnvironment = 'development' | 'production';

const environmentKey = 'runs.appEnvironment';

/** The environment that the person chose in this workspace before. */
function knownEnvironment(state: Memento): AppEnvironment | undefined {
  const known = state.get<unknown>(environmentKey);
  return known === 'development' || known === 'production' ? known : undefined;
}

/** The environment that the person chose before, else asks for it; undefined where they choose none. */
async function environmentOfApps(state: Memento): Promise<AppEnvironment | undefined> {
  return knownEnvironment(state) ?? askForEnvironment(state);
}

/** Asks, and remembers the answer in this workspace. */
async function askForEnvironment(state: Memento): Promise<AppEnvironment | undefined> {
  const items: readonly (QuickPickItem & { readonly environment: AppEnvironment })[] = [
    {
      label: 'Production',
      description: 'NODE_ENV=production',
      detail: 'As your users have it: template and module caches are on.',
      environment: 'production',
    },
    {
      label: 'Development',
      description: 'NODE_ENV=development',
      detail: 'Views may be compiled at each request: slow here, not in production.',
      environment: 'development',
    },
  ];
  const choice = await window.showQuickPick(items, {
    placeHolder: 'Run the app as in …',
    ignoreFocusOut: true,
  });
  if (choice !== undefined) await state.update(environmentKey, choice.environment);
  return choice?.environment;
}
