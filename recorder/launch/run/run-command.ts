import { errorOf } from '../../../protocol/failure.ts';
import { type SpawnOptions, spawnSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  type EventLog,
  hasGroups,
  inGroup,
  type Live,
  liveProcesses,
  openEventLog,
} from '../../../recordings/run-processes.ts';
import { endRest, hadTime, relaySignals, watchStopFile, endGroupAtSignal } from './end-command.ts';
import { setTimeout as delay } from 'node:timers/promises';
import { microseconds } from '../../../protocol/units.ts';
import { appendEvents } from './recording-folder.ts';
import { statSync } from 'node:fs';
import { withTierFlags, nodeBinary, takesTierFlags } from '../../command-lines/tier-flags.ts';
import { spawnable, type Spawnable, variableIn } from './command-line.ts';

export interface CommandToRun {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** The recording's folder, in which the processes of the tree report events. */
  readonly directory: string;
  /** How to start a Node binary in a recording of tiers; null for other recordings. */
  readonly tiers: TierStart | null;
  /** Descriptor of a file for the command's output; then it has no stdin, and leads a group of processes. */
  readonly output?: number;
}

/** The command's exit code, or the signal that ended it. One of the two is null. */
export interface HowEnded {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
}

export type CommandEnd =
  /** `goesOn`: a recorded process outlives the command. */
  | ({ readonly type: 'ended'; readonly goesOn: boolean } & HowEnded)
  | { readonly type: 'notStarted'; readonly message: string };

/** Runs a command with the streams of this process, until it has ended and its processes have saved their recording. */
export async function runCommand(run: CommandToRun): Promise<CommandEnd> {
  const started = await start(run);
  if (started instanceof Error) return { type: 'notStarted', message: whyNotStarted(run, started) };
  const { child, ended, group } = started;
  const events = openEventLog(run.directory);
  const relay = group === null ? relaySignals(child, events) : null;
  const stop = watchStopFile(child, events, run.directory);
  try {
    const { exitCode, signal } = await ended;
    const passedOn = relay?.passedOn() ?? null;
    if (passedOn !== null) await endRest(passedOn, events);
    await group?.isGone();
    await waitForStragglers(events);
    const goesOn = await noteOutliving(events, run.directory);
    const killedAfter = signal === 'SIGKILL' ? relay?.killedAfter() : null;
    // On Windows it has an exit code, which says nothing.
    const endedAt = hasGroups ? null : passedOn;
    return { type: 'ended', exitCode, signal: killedAfter ?? endedAt ?? signal, goesOn };
  } finally {
    for (const one of [relay, stop, group]) one?.dispose();
  }
}

/** Starts the command. Some failures are thrown (a bad argument), others come as an event. */
async function start(run: CommandToRun) {
  const plain = spawnable(run.command, process.platform, run.env);
  const { file, args, verbatim, argv0 } = run.tiers === null ? plain : withTiers(plain, run.env, run.tiers);
  try {
    const options = {
      ...(run.output === undefined ? {} : inGroup),
      cwd: run.cwd,
      env: run.env,
      stdio: run.output === undefined ? 'inherit' : ['ignore', run.output, run.output],
      windowsVerbatimArguments: verbatim,
      argv0,
    } satisfies SpawnOptions;
    const child = spawn(file, args, options);
    const ended = new Promise<HowEnded>((resolve) => {
      child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }));
    });
    // What ends its group of processes at a signal, before it has started, so that no signal is missed.
    const group = run.output === undefined ? null : endGroupAtSignal(child);
    await once(child, 'spawn').catch((error: unknown) => {
      group?.dispose();
      throw error;
    });
    return { child, ended, group };
  } catch (error) {
    return errorOf(error);
  }
}

/** One sentence: why a command was not started, and what to check. */
export function whyNotStarted({ command, cwd }: Pick<CommandToRun, 'command' | 'cwd'>, error: Error): string {
  const name = command[0] ?? '';
  const code = 'code' in error ? error.code : undefined;
  if (code === 'ENOENT' && /^\w+=/.test(name))
    return `Cannot start ${name}, which sets a variable: write env ${name} and the command, or set it before.`;
  if (code === 'ENOENT' && command.length === 1 && /\S\s+\S/.test(name))
    return `Cannot start "${name}", which is one word: write the command without quotes around all of it.`;
  if (code === 'ENOENT' && /[/\\]/.test(name))
    return `Cannot start ${name}: there is no such file, seen from ${cwd}, or no program that its first line names. Check both.`;
  if (code === 'ENOENT')
    return `Cannot start ${name}: no such command on the PATH, seen from ${cwd}. Check its name, or install it.`;
  if (code === 'EACCES')
    return `Cannot start ${name}: it is a folder, or no executable file. Check its permissions, or put its interpreter in front (node ${name}).`;
  return `Cannot start ${name}: ${error.message}`;
}

/**
 * Waits for processes that outlive the command by a moment because they are saving what they recorded: at most 3 s for
 * those that a signal has reached, and 0.3 s for those that may end by themselves (a daemon never does).
 */
async function waitForStragglers(events: EventLog): Promise<void> {
  const had = hadTime();
  for (;;) {
    const live = liveProcesses(events.read());
    // Programs that handle SIGUSR2 use it for much else than their end.
    const isEnding = ({ handles, signals }: Live): boolean =>
      signals.some(({ signal }) => signal !== 'SIGUSR2' || !handles.includes(signal));
    const isWorthWaiting = live.some((one) => had(one.pid) < (isEnding(one) ? 3000 : 300));
    if (!isWorthWaiting) return;
    await delay(20);
  }
}

/** Notes the processes that outlive the command, which else look killed. Resolves with whether there is one. */
async function noteOutliving(events: EventLog, directory: string): Promise<boolean> {
  const at = microseconds(Number(process.hrtime.bigint() / 1000n));
  const isolates = liveProcesses(events.read()).map(({ isolate }) => isolate);
  if (isolates.length === 0) return false;
  // A failure (the disk is full, or the recording was deleted) lets them look killed.
  await appendEvents(
    directory,
    isolates.map((isolate) => ({ type: 'outlives', isolate, at })),
  ).catch(() => {});
  return true;
}

/** The flags for V8's log, and the folder of Hotspan's `node`. */
interface TierStart {
  readonly flags: readonly string[];
  readonly shim: string;
}

/** Adds the flags where the command itself is a Node binary: that saves running the shim. */
function withTiers(plain: Spawnable, env: NodeJS.ProcessEnv, { flags, shim }: TierStart): Spawnable {
  const list = variableIn(env, 'PATH') ?? '';
  const isFile = (one: string): boolean => statSync(one, { throwIfNoEntry: false })?.isFile() === true;
  const file = nodeBinary(plain.file, { list, without: shim, platform: process.platform, isFile });
  const args = withTierFlags(plain.args, flags);
  return file === null || args === null || !takesTierFlags(versionOf(file))
    ? plain
    : { ...plain, file, args, argv0: plain.file };
}

function versionOf(file: string): string {
  const { NODE_OPTIONS: _options, ...env } = process.env;
  return spawnSync(file, ['--version'], { env, encoding: 'utf8', timeout: 5000 }).stdout ?? '';
}
