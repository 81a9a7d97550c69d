import { once } from 'node:events';
import path from 'node:path';
import * as vscode from 'vscode';
import { duration } from '../../words/formats/figures.ts';
import { inLog, on } from '../ui/failures.ts';
import { requestStop } from '../../recordings/recording-folders.ts';
import { open, readdir } from 'node:fs/promises';
import { turnsSuffix } from '../../protocol/recording.ts';
import { type Microseconds, microseconds } from '../../protocol/units.ts';
import { heldTime, type RecordingEvent } from '../../protocol/recording-lines.ts';
import { commands } from '../../protocol/ids.ts';
import { startsTests } from '../../recorder/launch/npm-scripts/script-text.ts';
import { fileReaders } from '../../recorder/launch/packages/readers.ts';
import { type AppServer, appServers } from '../../recordings/app-servers.ts';
import { openEventNews } from '../../recordings/run-processes.ts';
import { addressText, listeningText } from '../../words/editor/row-texts.ts';
import { visible, escapeNotification } from '../../words/formats/foreign-text.ts';
import { isTierTask, type RunningTask, targetOfTask } from './task.ts';

/** In ms: the first two for the longest turn, and for servers. */
const turnsEvery = 2_000;
const serversEvery = 500;

/**
 * Shows that a run goes on, with the button *Stop and Show*, and where it listens, with a link that opens it. Calls
 * `onServers` when that changes. Resolves at the end of the run.
 */
export async function showRunning(
  run: RunningTask,
  log: vscode.LogOutputChannel,
  onServers: (servers: readonly AppServer[]) => void,
): Promise<void> {
  const { task, recording, over } = run;
  if (over.signal.aborted) return;
  const name = escapeNotification(nameOf(task));
  const title = `${name.charAt(0).toUpperCase()}${name.slice(1)}`; // VS Code writes below it that it comes from Hotspan.
  const options = withButton({ location: vscode.ProgressLocation.Notification, title });
  await vscode.window.withProgress(options, async (progress, token) => {
    const message = messageOf(run, (text) => progress.report({ message: text }));
    const item = statusItem(run);
    const worstTurn = worstTurnSoFar(recording);
    const serversNow = await serversOf(task, recording);
    const lookAtServers = async (): Promise<void> => {
      const servers = serversNow();
      if (!message.showServers(servers)) return;
      item.show(servers);
      onServers(servers);
    };
    const timers = [
      setInterval(() => inLog(worstTurn().then(message.showWorst), log), turnsEvery),
      setInterval(() => inLog(lookAtServers(), log), serversEvery),
    ];
    const stopping = on(token.onCancellationRequested, async () => requestStop(recording), log);
    if (!over.signal.aborted) await once(over.signal, 'abort');
    for (const timer of timers) clearInterval(timer);
    stopping.dispose();
    item.dispose();
  });
}

/** The message of the notification, which is reported when it changes: the notes of the task until something is known. */
function messageOf({ task, recording }: RunningTask, report: (message: string) => void) {
  const shown = { message: '', listening: '', worst: '', links: '' };
  const update = (): void => {
    const parts = [shown.listening, shown.worst, shown.links].filter((part) => part !== '');
    const message = parts.length === 0 ? escapeNotification(task.detail ?? '') : parts.join(' · ');
    if (message !== shown.message) report(message);
    shown.message = message;
  };
  update();
  return {
    showWorst: (worst: Microseconds | null): void => {
      shown.worst =
        worst === null ? '' : `a loop held up to ${duration(worst)} so far, in any thread, loading included`;
      update();
    },
    /** False where they are shown already. */
    showServers: (servers: readonly AppServer[]): boolean => {
      const listening = escapeNotification(listeningText(servers));
      if (listening === shown.listening) return false;
      shown.listening = listening;
      shown.links = servers.some(({ url }) => url !== null) ? linksTo(recording) : '';
      update();
      return true;
    },
  };
}

/** Links, since a notification with progress has only one button. VS Code runs the commands of links in notifications. */
function linksTo(recording: string): string {
  const argument = encodeURIComponent(JSON.stringify([recording]))
    .replaceAll('(', '%28')
    .replaceAll(')', '%29');
  const link = (text: string, command: string): string => `[${text}](command:${command}?${argument})`;
  return `${link('Open', commands.openApp)} · ${link('Send Load', commands.sendLoad)}`;
}

/** The status bar's `:3000` of a run. A click opens it. It has no id, because VS Code draws items of one id as one. */
function statusItem({ task, recording }: RunningTask) {
  const state: { item: vscode.StatusBarItem | null } = { item: null };
  const show = (server: AppServer, servers: readonly AppServer[]): void => {
    const item = state.item ?? vscode.window.createStatusBarItem(vscode.StatusBarAlignment.Right, 91);
    state.item = item;
    item.name = 'Hotspan: Profiled App';
    item.command = { title: 'Open', command: commands.openApp, arguments: [recording] };
    item.text = `$(broadcast) ${visible(addressText(server))}`;
    item.tooltip = `${visible(nameOf(task))}: ${listeningText(servers)}. Click to open it.`;
    item.show();
  };
  return {
    show: (servers: readonly AppServer[]): void => {
      const first = servers.find(({ url }) => url !== null);
      if (first === undefined) state.item?.hide();
      else show(first, servers);
    },
    dispose: () => state.item?.dispose(),
  };
}

/** Returns a function that gives the servers of a run now. Servers of tests are none that a person would send load to. */
async function serversOf(task: vscode.Task, recording: string): Promise<() => readonly AppServer[]> {
  const { command = [], folder = '' } = targetOfTask(task) ?? {};
  if (isTierTask(task) || (await startsTests(command, folder, fileReaders(process.env)))) return () => [];
  const news = openEventNews(recording);
  const events: RecordingEvent[] = [];
  return () => {
    for (const event of news.read()) events.push(event);
    return appServers(events);
  };
}

/** The name of a task, with its folder where several are open: their targets would look the same. */
function nameOf({ name, scope }: vscode.Task): string {
  const isOneOfMany = (vscode.workspace.workspaceFolders ?? []).length > 1 && typeof scope === 'object';
  return isOneOfMany ? `${name} (${scope.name})` : name;
}

/** Gives the button a label, which VS Code accepts although its types do not. Versions that do not show "Cancel". */
function withButton(options: vscode.ProgressOptions): vscode.ProgressOptions {
  return Object.assign(options, { cancellable: 'Stop and Show' });
}

/**
 * Returns a function that gives the longest turn of a recording so far, in held time; null while there is none. It
 * reads only what is new (an hour of turns is 100 MB). Unreadable files count as empty.
 */
export function worstTurnSoFar(recording: string): () => Promise<Microseconds | null> {
  const read = new Map<string, number>();
  const state = { longest: 0 };
  return async () => {
    const names = await readdir(recording).catch(() => []);
    for (const name of names.filter((one) => one.endsWith(turnsSuffix))) {
      const from = read.get(name) ?? 0;
      const lines = await wholeLinesFrom(path.join(recording, name), from).catch(() => Buffer.alloc(0));
      read.set(name, from + lines.length);
      state.longest = Math.max(state.longest, longestTurn(lines.toString()));
    }
    return state.longest === 0 ? null : microseconds(state.longest);
  };
}

/** Limit of bytes of one read; the next call reads the rest. */
const MAX_BYTES = 1e6;

/** The last line may be half written: it is left for the next call. */
async function wholeLinesFrom(file: string, offset: number): Promise<Buffer> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(MAX_BYTES), 0, MAX_BYTES, offset);
    return buffer.subarray(0, buffer.subarray(0, bytesRead).lastIndexOf('\n') + 1);
  } finally {
    await handle.close();
  }
}

function longestTurn(text: string): number {
  return text
    .split('\n')
    .slice(0, -1)
    .reduce((longest, line) => Math.max(longest, turnDuration(line)), 0);
}

/** Duration of a line `["turn",start,end,run,own,wait]`, in µs; 0 for other lines. */
function turnDuration(line: string): number {
  if (!turnLine.test(line)) return 0;
  const [start = 0, end = 0, run = -1, own = 0, wait = 0] = line.slice('["turn",'.length, -1).split(',').map(Number);
  return heldTime(['turn', start, end, run, own, wait]);
}

const turnLine = /^\["turn"(,\s*-?\d+(\.\d+)?){2,}\]$/;
