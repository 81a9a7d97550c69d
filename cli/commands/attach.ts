import path from 'node:path';
import { attach } from '../../recorder/launch/attach/attach.ts';
import type { AttachArguments } from '../arguments/record-arguments.ts';
import { type Ending, refuse, type Session } from '../views/terminal.ts';
import { listHotspots } from './analyze.ts';
import { sayLosses } from './losses.ts';

/** Records a running process until Ctrl+C, then lists on `err` what blocked. */
export async function attachCommand({ options, terminal, surroundings }: Session<AttachArguments>): Promise<Ending> {
  const { err } = terminal;
  const { cwd, recorderFile, version } = surroundings;
  const { say } = err;
  const signals = countSignals();
  if (!options.quiet || options.announce) for (const note of options.notes) say(note);
  const outcome = await attach({
    ...{ address: options.address, intervalUs: options.intervalUs, mostBytes: options.mostBytes, notes: options.notes },
    ...{ cwd, say, hotspanVersion: version },
    recorderFile: path.join(path.dirname(recorderFile), 'attached.cjs'),
    ...(options.out === null ? {} : { out: path.resolve(cwd, options.out) }),
    isStopped: signals.isStopped,
    isGivenUp: signals.isGivenUp,
  }).finally(signals.forget);
  if (outcome.type === 'failed') return { type: 'code', code: refuse(err, outcome.message) };
  await (options.quiet ? sayLosses(outcome.directory, say) : listHotspots(outcome.directory, err, cwd));
  return { type: 'code', code: 0 };
}

/**
 * The first signal stops the recording. The second one, or SIGQUIT (Ctrl+\), no longer waits for the process. After that,
 * or after `forget`, the next signal ends this process.
 */
function countSignals() {
  const [stop, giveUp] = [new AbortController(), new AbortController()];
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;
  const forget = (): void => {
    for (const signal of signals) process.off(signal, onSignal);
  };
  const onSignal = (signal: NodeJS.Signals): void => {
    const isLast = stop.signal.aborted || signal === 'SIGQUIT';
    if (isLast) giveUp.abort();
    stop.abort();
    // Last, because the next signal may come before this one is handled.
    if (isLast) forget();
  };
  for (const signal of signals) process.on(signal, onSignal);
  return { isStopped: stop.signal, isGivenUp: giveUp.signal, forget };
}
