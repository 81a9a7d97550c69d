import path from 'node:path';
import * as vscode from 'vscode';
import { requestFiles, type RequestedRoute, requestedRoutes } from '../../recorder/launch/load/known-requests.ts';
import { defaultRecordingsFolders } from '../../recordings/default-folder.ts';
import { requestStop } from '../../recordings/recording-folders.ts';
import { escapeNotification, visible } from '../../words/formats/foreign-text.ts';
import { inLog, showFailure } from '../ui/failures.ts';
import type { Services } from '../results/results.ts';
import { alone, runInNotification } from '../run/command-line.ts';
import { type RunningTask, targetOfTask } from '../run/task.ts';
import type { CommandHost } from './command-arguments.ts';

/** Opens a running app in the browser; in a remote window VS Code forwards its port. */
export async function openApp({ runs }: CommandHost, argument: unknown): Promise<void> {
  const run = await pickRun(runs.running.filter(isServing), argument);
  const url = run?.servers().find((server) => server.url !== null)?.url ?? null;
  if (url !== null) await vscode.env.openExternal(vscode.Uri.parse(url));
}

/** Sends requests to a running app. */
export async function sendLoadTo({ context, services, runs }: CommandHost, argument: unknown): Promise<void> {
  const run = await pickRun(runs.running.filter(isServing), argument);
  if (run !== null) await sendLoad(context, services, run);
}

export async function stopAndShow({ runs }: CommandHost, argument: unknown): Promise<void> {
  const run = await pickRun(runs.running, argument);
  if (run !== null) await requestStop(run.recording);
}

function isServing({ servers }: RunningTask): boolean {
  return servers().some(({ url }) => url !== null);
}

/**
 * The run of the recording that the argument of a link names, null where it has ended. Else the only one, or the one that
 * the person picks.
 */
export async function pickRun(runs: readonly RunningTask[], argument: unknown): Promise<RunningTask | null> {
  if (typeof argument === 'string') return runs.find(({ recording }) => recording === argument) ?? null;
  if (runs.length < 2) return runs[0] ?? null;
  const rows = runs.map((run) => ({ label: visible(run.task.name, 300), run }));
  return (await vscode.window.showQuickPick(rows))?.run ?? null;
}

/** What is sent: words for `hotspan load`. */
interface Choice extends vscode.QuickPickItem {
  readonly args: readonly string[];
}

/**
 * Sends the requests that the person picks to the server of a run, and says how they were answered. The last choice of a
 * target comes first.
 */
async function sendLoad(
  context: vscode.ExtensionContext,
  services: Pick<Services, 'log' | 'measuring'>,
  run: RunningTask,
): Promise<void> {
  const { folder = '', id = '' } = targetOfTask(run.task) ?? {};
  const { log } = services;
  const state = context.workspaceState;
  const last = state.get<Readonly<Record<string, string>>>(lastLoads, {});
  const key = `${folder} ${id}`;
  const choice = await pickRequests(await choicesIn(folder, run), last[key]);
  if (choice === null) return;
  await state.update(lastLoads, { ...last, [key]: choice.label });
  const said: string[] = [];
  const cli = {
    cli: context.asAbsolutePath('dist/cli.cjs'),
    cwd: folder,
    args: ['load', run.recording, ...choice.args],
  };
  const title = `Send Load: ${visible(choice.label, 100)}`;
  const result = await alone(services, title, async () =>
    runInNotification(title, cli, services, async (text) => {
      if (!isProgress.test(text)) said.push(text);
    }),
  );
  if (result === null || result.isCancelled) return;
  if (result.exitCode !== 0) {
    showFailure(result.said, log);
    return;
  }
  inLog(offerToStop(run, said.join(' ')), log);
}

/** The key of the last choices, by target. */
const lastLoads = 'lastLoads';

const isProgress = /^(?:Load|Warm-up) \d+ %/;

async function offerToStop({ recording }: RunningTask, text: string): Promise<void> {
  const button = await vscode.window.showInformationMessage(escapeNotification(text), 'Stop and Show');
  if (button !== undefined) await requestStop(recording);
}

/** Files with requests below a folder, what its apps were asked for before, and the first page of the server. */
async function choicesIn(folder: string, { recording }: RunningTask): Promise<readonly Choice[]> {
  const ofFiles = (await requestFiles(folder)).slice(0, MAX_FILES).map((file): Choice => {
    const detail = 'Its requests in turn, for 10 s over 10 connections, after a warm-up of 2 s.';
    return { label: visible(path.relative(folder, file), 200), detail, args: ['--load-file', file] };
  });
  // Its target's recordings, and those of the terminal.
  const folders = [path.dirname(recording), ...defaultRecordingsFolders(folder)];
  const routes = (await requestedRoutes(folders)).slice(0, MAX_ROUTES).map(choiceOf);
  const first = routes.some(({ label }) => label === 'GET /') ? [] : [requestOf('/')];
  return [...ofFiles, ...routes, ...first];
}

/** A request that the app has got before. */
function choiceOf({ method, path: route }: RequestedRoute): Choice {
  return {
    label: `${method} ${route}`,
    detail: 'Requested before. Sent without a body, for 10 s over 10 connections.',
    args: [`--load=-c 10 -d 10 -m ${method} ${route}`],
  };
}

const MAX_ROUTES = 50;

const MAX_FILES = 50;

/** A path, or autocannon's words. */
function requestOf(words: string): Choice {
  const isPath = words.startsWith('/');
  return {
    label: isPath ? `GET ${words}` : words,
    detail: isPath ? 'For 10 s over 10 connections.' : 'In autocannon’s words.',
    alwaysShow: true,
    args: [`--load=${isPath ? `-c 10 -d 10 ${words}` : words}`],
  };
}

/** Null where nothing is chosen. A path can be typed. */
async function pickRequests(choices: readonly Choice[], last: string | undefined): Promise<Choice | null> {
  const known = last !== undefined && /^(?:GET \/|-)/.test(last) ? requestOf(last.replace(/^GET /, '')) : null;
  const isLast = ({ label }: Choice): boolean => label === last;
  const all = known === null || choices.some(isLast) ? choices : [...choices, known];
  const rows = [...all.filter(isLast), ...all.filter((one) => !isLast(one))];
  const list = vscode.window.createQuickPick<Choice>();
  list.items = rows;
  list.placeholder = 'Send which requests? A path or autocannon’s words can be typed: /orders, -c 20 -a 5000 /orders';
  try {
    return await new Promise((resolve) => {
      list.onDidChangeValue((typed) => {
        list.items = /^[/-]/.test(typed.trim()) ? [requestOf(typed.trim()), ...rows] : rows;
      });
      list.onDidAccept(() => resolve(list.selectedItems[0] ?? null));
      list.onDidHide(() => resolve(null));
      list.show();
    });
  } finally {
    list.dispose();
  }
}
