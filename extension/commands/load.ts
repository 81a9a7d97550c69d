import * as vscode from 'vscode';
import { requestStop } from '../../recordings/recording-folders.ts';
import { visible } from '../../words/formats/hidden-characters.ts';
import { sendLoad } from '../run/send-load.ts';
import type { RunningTask } from '../run/task.ts';
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

/** The run of the recording that the argument names, or the only one; else the one that the person picks, or null. */
async function pickRun(runs: readonly RunningTask[], argument: unknown): Promise<RunningTask | null> {
  const meant = runs.find(({ recording }) => recording === argument);
  if (meant !== undefined || runs.length < 2) return meant ?? runs[0] ?? null;
  const rows = runs.map((run) => ({ label: visible(run.task.name, 300), run }));
  return (await vscode.window.showQuickPick(rows))?.run ?? null;
}
