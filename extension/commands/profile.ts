import path from 'node:path';
import { type LogOutputChannel, window, Range, Uri, type Memento, type QuickPickItem } from 'vscode';
import { canRun } from '../run/can-run.ts';
import { otherWays } from '../run/show-result.ts';
import { pickTarget, testTargets, npmScripts, targetOfFile, apps } from '../run/targets.ts';
import { showFailure } from '../ui/failures.ts';
import { escapeNotification } from '../../words/formats/escape-markdown.ts';
import { type ShownTest, onlyTest } from '../../recorder/launch/targets/only-test.ts';
import { inEnvironment, setsEnvironment } from '../../recorder/launch/targets/app-targets.ts';
import type { Target } from '../../recorder/launch/target.ts';
import type { CommandHost } from './command-arguments.ts';

/**
 * Finds the tests and runs them. Asks which ones where there are several, or where `argument` is true because the
 * person wants to change the target.
 */
export async function profileTests({ services, runs }: CommandHost, argument: unknown): Promise<void> {
  if (!(await canRun(services))) return;
  const found = await testTargets(runs.remembered);
  if (found.type === 'none') return sayNoTests(found.message, services.log);
  const target = await pickTarget(found.targets, argument === true);
  if (target !== undefined) await runs.start(target);
}

async function sayNoTests(message: string, log: LogOutputChannel): Promise<void> {
  log.error(message);
  const ways = otherWays(null);
  const choice = await window.showErrorMessage(escapeNotification(message), ...ways.keys());
  if (choice !== undefined) await ways.get(choice)?.();
}

/** Runs the last target again; the tests, where there is none yet. */
export async function profileAgain(host: CommandHost): Promise<void> {
  const last = host.runs.lastTarget;
  if (last === undefined) return profileTests(host, undefined);
  return host.runs.start(last);
}

export async function profileScript({ services, runs }: CommandHost): Promise<void> {
  if (!(await canRun(services))) return;
  const found = await npmScripts(runs.remembered);
  if (found.type === 'none') return showFailure(found.message, services.log);
  const target = await pickTarget(found.targets, true);
  if (target !== undefined) await runs.start(target);
}

/**
 * Runs the tests of a test file with their runner, and any other file by itself. From the Test Explorer, runs only the
 * chosen test or suite.
 */
export async function profileFile({ services, runs }: CommandHost, argument: unknown): Promise<void> {
  if (!(await canRun(services))) return;
  const file = fileOf(argument) ?? window.activeTextEditor?.document.uri;
  if (file?.scheme !== 'file') return showFailure('Open the file that you want to profile first.', services.log);
  const found = await targetOfFile(file);
  if (found.type === 'none') return showFailure(found.message, services.log);
  const test = testOf(argument, path.basename(file.fsPath));
  return runs.start((test === null ? null : onlyTest(found.target, test)) ?? found.target);
}

/** Runs an app until it is stopped, in development or in production. Which of them is asked once. */
export async function profileApp({ context, services, runs }: CommandHost): Promise<void> {
  if (!(await canRun(services))) return;
  const choice = await pickApp(runs.remembered, context.workspaceState);
  if (choice.type === 'none') return showFailure(choice.message, services.log);
  if (choice.type === 'dismissed') return;
  const { target } = choice;
  const environment = setsEnvironment(target) ? 'production' : await environmentOfApps(context.workspaceState);
  if (environment !== undefined) await runs.start(inEnvironment(target, environment));
}

/** Runs the last target once more, to record V8's tiers; the tests, where there is none yet. */
export async function recordTiers({ services, runs }: CommandHost): Promise<void> {
  if (!(await canRun(services))) return;
  const last = runs.lastTarget;
  if (last !== undefined && last.kind !== 'process') return runs.start(last, 'tiers');
  const found = await testTargets(runs.remembered);
  if (found.type === 'none') return showFailure(found.message, services.log);
  const target = await pickTarget(found.targets, false);
  if (target !== undefined) await runs.start(target, 'tiers');
}

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
  const rows = found.targets.map((target): AppRow => {
    return { label: target.label, description: target.description, detail: target.notes.join(' '), target };
  });
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
      detail: 'Views may be compiled at each request, which looks like a hotspot and is none in production.',
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

/** The test or suite that was chosen in the Test Explorer; null for a file, and for anything else. */
function testOf(argument: unknown, fileName: string): ShownTest | null {
  const item = itemIn(argument, fileName);
  if (item === null) return null;
  const { label, parent, children } = item;
  const size = typeof children === 'object' && children !== null && 'size' in children ? children.size : 0;
  return { name: label, suites: suitesOf(parent, fileName), isSuite: typeof size === 'number' && size > 0 };
}

/** Names of the suites around an item, outermost first. */
function suitesOf(parent: unknown, fileName: string): readonly string[] {
  const item = itemIn(parent, fileName);
  return item === null ? [] : [...suitesOf(item.parent, fileName), item.label];
}

interface ItemInFile {
  readonly label: string;
  readonly parent: unknown;
  readonly children: unknown;
}

/** A test or a suite, which is an item with a place in its file; null for anything else. */
function itemIn(argument: unknown, fileName: string): ItemInFile | null {
  if (typeof argument !== 'object' || argument === null) return null;
  const { label, range, parent, children }: { readonly [key in 'label' | 'range' | 'parent' | 'children']?: unknown } =
    argument;
  if (typeof label !== 'string' || label === fileName || !(range instanceof Range)) return null;
  return { label, parent, children };
}

/**
 * The file of an argument: a uri from an editor's title, or an item of the Test Explorer. Undefined for anything else.
 */
function fileOf(argument: unknown): Uri | undefined {
  if (argument instanceof Uri) return argument;
  if (typeof argument !== 'object' || argument === null) return undefined;
  const { uri }: { readonly uri?: unknown } = argument;
  return uri instanceof Uri ? uri : undefined;
}
