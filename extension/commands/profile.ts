import { stat } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { emptyStates, nothingToRun } from '../../words/editor/ways.ts';
import { activeFile } from '../ui/open-source.ts';
import { pickTarget, testTargets, npmScripts, targetOfFile, apps, workspaceFolder } from '../run/targets.ts';
import { showFailure } from '../ui/failures.ts';
import { offer } from '../results/last-run.ts';
import { inEnvironment, setsEnvironment } from '../../recorder/launch/targets/app-targets.ts';
import { targetRows } from '../../words/editor/row-texts.ts';
import { testsRequest } from '../../protocol/requests.ts';
import { type Target, type TargetsFound, attachTarget, onlyTest } from '../../recorder/launch/target.ts';
import { type CommandHost, namesResult, resultOf } from './command-arguments.ts';
import { argumentFor, fileOf, lineOf, testOf } from './test-lenses.ts';
import { canRun } from '../run/can-run.ts';
import { processLabel } from '../../words/formats/command-text.ts';
import { setTimeout as delay } from 'node:timers/promises';
import { type PlacedProcess, listProcessesOf } from '../../recorder/launch/attach/find-inspector.ts';

/** Runs the tests. Asks which, where there are several or `argument` is true (the person changes the target). */
export async function profileTests(host: CommandHost, argument: unknown): Promise<void> {
  if (await canRun(host.services)) await runOne(host, await testTargets(host.runs.remembered), argument === true);
}

export async function profileScript(host: CommandHost): Promise<void> {
  if (await canRun(host.services)) await runOne(host, await npmScripts(host.runs.remembered), true);
}

/** Runs one of the targets. Asks which, where there are several or `always`. */
async function runOne(
  { services, runs }: CommandHost,
  found: TargetsFound,
  always: boolean,
  kind?: 'tiers',
): Promise<void> {
  if (found.type === 'none') return sayNothingToRun(found.message, services.log);
  const target = await pickTarget(found.targets, always);
  return target === undefined ? undefined : runs.start(target, kind);
}

async function sayNothingToRun(message: string, log: vscode.LogOutputChannel): Promise<void> {
  const hasFolder = (vscode.workspace.workspaceFolders ?? []).length > 0;
  offer({ ...nothingToRun(message, hasFolder), severity: 'error' }, log);
}

/** Runs the target of a row's result, else the last one, else the tests. */
export async function profileAgain(host: CommandHost, argument: unknown): Promise<void> {
  const target = targetToRun(host, argument);
  if (target === null) return undefined;
  if (target === undefined) return profileTests(host, undefined);
  return host.runs.start(target);
}

/**
 * Runs a test file with its runner, any other with Node.js; from the Test Explorer, only the chosen test. Of a folder there
 * (Vitest and Jest show them), it asks which tests.
 */
export async function profileFile(host: CommandHost, argument: unknown): Promise<void> {
  const { services, runs } = host;
  if (!(await canRun(services))) return;
  const file = fileOf(argument) ?? activeFile();
  if (file?.scheme !== 'file') {
    offer(emptyStates.noFile, services.log);
    return;
  }
  if ((await stat(file.fsPath).catch(() => null))?.isDirectory() === true) return profileTests(host, true);
  const found = await targetOfFile(file);
  if (found.type === 'none') return sayNothingToRun(found.message, services.log);
  const test = testOf(argument, path.basename(file.fsPath));
  return runs.start((test === null ? null : onlyTest(found.target, test)) ?? found.target);
}

/** Runs one test or suite, of a lens, the Test Explorer or a line number. */
export async function profileTest(host: CommandHost, argument: unknown): Promise<void> {
  const at = lineOf(argument);
  if (at === null) return profileFile(host, argument);
  const tests = (await host.services.server.ask(testsRequest, { uri: at.uri.toString() })) ?? [];
  const test = tests.findLast(({ line }) => line <= at.line);
  return profileFile(host, test === undefined ? at.uri : argumentFor(at.uri.toString(), test));
}

/** Runs an app until it is stopped, in development or in production, which is asked once. */
export async function profileApp({ context, services, runs }: CommandHost): Promise<void> {
  if (!(await canRun(services))) return;
  const choice = await pickApp(runs.remembered, context.workspaceState);
  if (choice.type === 'none') return sayNothingToRun(choice.message, services.log);
  if (choice.type === 'dismissed') return;
  const { target } = choice;
  const state = context.workspaceState;
  const known = setsEnvironment(target) ? 'production' : knownEnvironment(state);
  const environment = known ?? (await askForEnvironment(state));
  if (environment !== undefined) await runs.start(inEnvironment(target, environment));
}

/** Runs the target of a result again, to record V8's tiers; without a result the last target, else the tests. */
export async function recordTiers(host: CommandHost, argument: unknown): Promise<void> {
  const { services, runs } = host;
  if (!(await canRun(services))) return;
  const last = targetToRun(host, argument);
  if (last === null) return undefined;
  if (last !== undefined && last.kind !== 'process') return runs.start(last, 'tiers');
  return runOne(host, await testTargets(runs.remembered), false, 'tiers');
}

/** The target of the result that an argument names, else the last one. Null, with a message, where it is unknown. */
function targetToRun({ services, runs }: CommandHost, argument: unknown): Target | null | undefined {
  if (!namesResult(argument)) return runs.lastTarget;
  const result = resultOf(services.results.all, argument);
  const target = result === null ? null : (runs.targetOf(result) ?? null);
  if (target === null) showFailure(targetNotKnown, services.log);
  return target;
}

const targetNotKnown = 'How this was run is not known: run its task, or profile it again from the palette.';

type PickedApp =
  | { readonly type: 'picked'; readonly target: Target }
  | { readonly type: 'dismissed' }
  | { readonly type: 'none'; readonly message: string };

type AppRow = vscode.QuickPickItem & { readonly target?: Target };

/** Lists the apps, and a way to change the environment once it is known. */
async function pickApp(remembered: readonly string[], state: vscode.Memento): Promise<PickedApp> {
  const found = await apps(remembered);
  if (found.type === 'none') return found;
  const environment = knownEnvironment(state);
  const [only] = found.targets;
  if (found.targets.length === 1 && only !== undefined && environment === undefined)
    return { type: 'picked', target: only };
  const rows: readonly AppRow[] = targetRows(found.targets);
  const change: AppRow = { label: 'Change Environment…', description: `NODE_ENV=${environment ?? ''}` };
  const choice = await vscode.window.showQuickPick(environment === undefined ? rows : [...rows, change], {
    placeHolder: 'Which app to profile, until you stop it',
    matchOnDescription: true,
  });
  if (choice?.target !== undefined) return { type: 'picked', target: choice.target };
  if (choice === undefined || (await askForEnvironment(state)) === undefined) return { type: 'dismissed' };
  return pickApp(remembered, state);
}

type AppEnvironment = 'development' | 'production';

const environmentKey = 'runs.appEnvironment';

function knownEnvironment(state: vscode.Memento): AppEnvironment | undefined {
  const known = state.get<unknown>(environmentKey);
  return known === 'development' || known === 'production' ? known : undefined;
}

async function askForEnvironment(state: vscode.Memento): Promise<AppEnvironment | undefined> {
  const items: readonly (vscode.QuickPickItem & { readonly environment: AppEnvironment })[] = [
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
  const choice = await vscode.window.showQuickPick(items, {
    placeHolder: 'Run the app as in …',
    ignoreFocusOut: true,
  });
  if (choice !== undefined) await state.update(environmentKey, choice.environment);
  return choice?.environment;
}

type Row = vscode.QuickPickItem & { readonly address: string | null };

/** Lists the person's Node processes, and profiles the chosen one until the person stops that; the process goes on. */
export async function attachToProcess({ services, runs }: CommandHost): Promise<void> {
  if (!(await canRun(services))) return;
  const rows = (await listProcessesOf(workspaceFolder())).map(rowOf);
  const other: Row = { label: 'Another Inspector…', description: '9229, host:9229, ws://…', address: null };
  const choice = await vscode.window.showQuickPick([...rows, other], {
    title: 'The time of inlined functions may count for their callers',
    placeHolder: 'Which process to profile',
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (choice === undefined) return;
  const address =
    choice.address ?? (await vscode.window.showInputBox({ prompt: 'Address of the inspector', value: '9229' }));
  if (address === undefined || address === '') return;
  await runs.start(attachTarget(address, choice.address === null ? address : choice.label, workspaceFolder(), []));
}

/** Port 0 means any free port: then the process itself is asked for its number. */
function rowOf({ pid, command, port, ports }: PlacedProcess): Row {
  const isKnown = port !== null && port !== 0;
  return {
    label: processLabel(command),
    description: [
      `process ${pid}`,
      ...ports.map((one) => `:${one}`),
      ...(isKnown ? [`inspector at ${port}`] : []),
    ].join(', '),
    detail: command,
    address: isKnown ? String(port) : `pid:${pid}`,
  };
}

/** Command of the JavaScript debugger. It starts a proxy for the session's inspector, and gives its address. */
const requestProxy = 'extension.js-debug.requestCDPProxy';

/** Profiles the program that is being debugged, until the person stops that. */
export async function profileDebugSession({ services, runs }: CommandHost): Promise<void> {
  if (!(await canRun(services))) return;
  const session = vscode.debug.activeDebugSession;
  if (session === undefined) {
    offer(emptyStates.noDebugging, services.log);
    return;
  }
  const address = await proxyAddress();
  if (address === null) {
    showFailure(
      `${session.name} is not a session of the JavaScript debugger. Choose that of your Node.js program under Call Stack, then try again.`,
      services.log,
    );
    return;
  }
  const note = 'A debugger is attached, which makes each await slower: for true figures, profile without it.';
  return runs.start(attachTarget(address, session.name, workspaceFolder(), [note]));
}

/**
 * Address of the debugger's proxy; null after some tries. The first active session is that of the launch, which never
 * answers; the program's own follows a moment later.
 */
async function proxyAddress(): Promise<string | null> {
  for (let tries = 0; tries < 8; tries += 1) {
    const answer = vscode.commands.executeCommand(requestProxy, vscode.debug.activeDebugSession?.id);
    const address = addressOf(await Promise.race([answer, delay(1000)]));
    if (address !== null) return address;
  }
  return null;
}

function addressOf(answer: unknown): string | null {
  if (typeof answer !== 'object' || answer === null) return null;
  const { host, port, path }: { readonly host?: unknown; readonly port?: unknown; readonly path?: unknown } = answer;
  if (typeof host !== 'string' || typeof port !== 'number') return null;
  const name = host.includes(':') ? `[${host}]` : host;
  return `ws://${name}:${port}${typeof path === 'string' ? path : ''}`;
}
