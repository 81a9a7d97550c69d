import path from 'node:path';
import * as vscode from 'vscode';
import { duration } from '../../words/formats/figures.ts';
import { inLog, on } from '../ui/failures.ts';
import { requestStop } from '../../recordings/recording-folders.ts';
import { open, readdir } from 'node:fs/promises';
import { turnsSuffix } from '../../protocol/recording.ts';
import { type Microseconds, microseconds } from '../../protocol/units.ts';
import { heldTime } from '../../protocol/recording-lines.ts';

const lookEvery = 2_000;

/** Shows that a run goes on, with the button *Stop and Show*. The returned function removes the notification. */
export function showRunning(task: vscode.Task, recording: string, log: vscode.LogOutputChannel): () => void {
  const { detail } = task;
  const ending = new vscode.EventEmitter<void>();
  const name = nameOf(task);
  const title = `${name.charAt(0).toUpperCase()}${name.slice(1)}`; // VS Code writes below it that it comes from Hotspan.
  const options = withButton({ location: vscode.ProgressLocation.Notification, title });
  const running = vscode.window.withProgress(options, async (progress, token) => {
    if (detail !== undefined && detail !== '') progress.report({ message: detail });
    const worstTurn = worstTurnSoFar(recording);
    const look = async (): Promise<void> => {
      const worst = await worstTurn();
      if (worst !== null) progress.report({ message: `loop held up to ${duration(worst)} so far, loading included` });
    };
    const timer = setInterval(() => inLog(look(), log), lookEvery);
    const stopping = on(token.onCancellationRequested, async () => requestStop(recording), log);
    await once(ending);
    clearInterval(timer);
    stopping.dispose();
  });
  inLog(running, log);
  return () => {
    ending.fire();
    ending.dispose();
  };
}

/** The name of a task, with its folder where several are open: their targets would look the same. */
function nameOf({ name, scope }: vscode.Task): string {
  const isOneOfMany = (vscode.workspace.workspaceFolders ?? []).length > 1 && typeof scope === 'object';
  return isOneOfMany ? `${name} (${scope.name})` : name;
}

async function once(emitter: vscode.EventEmitter<void>): Promise<void> {
  return new Promise((resolve) => {
    emitter.event(() => resolve());
  });
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
