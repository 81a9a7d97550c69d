import path from 'node:path';
import { attach } from '../../recorder/launch/attach/attach.ts';
import type { AttachArguments } from '../arguments/record-arguments.ts';
import { type Output, plainText, type Surroundings } from '../views/terminal.ts';
import { listHotspots } from './analyze.ts';
import { sayLosses } from './losses.ts';
import type { Ending } from './record.ts';

/** Records a process that runs already, until Ctrl+C, then lists on `err` what blocked. */
export async function attachCommand(
  options: AttachArguments,
  err: Output,
  { cwd, version }: Surroundings,
): Promise<Ending> {
  const say = (sentence: string): void => err.write(`hotspan: ${plainText(sentence)}\n`);
  const signals = countSignals();
  if (!options.quiet || options.announce) for (const note of options.notes) say(note);
  const outcome = await attach({
    address: options.address,
    ...{
      cwd,
      say,
      intervalUs: options.intervalUs,
      mostBytes: options.mostBytes,
      hotspanVersion: version,
      notes: options.notes,
    },
    ...(options.out === undefined ? {} : { out: path.resolve(cwd, options.out) }),
    isStopped: signals.isStopped,
    isGivenUp: signals.isGivenUp,
  }).finally(signals.forget);
  if (outcome.type === 'failed') {
    say(outcome.message);
    return { type: 'code', code: 2 };
  }
  await (options.quiet ? sayLosses(outcome.directory, say) : listHotspots(outcome.directory, err, cwd, say));
  return { type: 'code', code: 0 };
}

/**
 * Counts signals. The first one stops the recording. The second one, or a SIGQUIT (Ctrl+\) at once, no longer waits for
 * what the process still has to tell. After that, or after `forget`, the next signal ends this process.
 */
function countSignals(): {
  readonly isStopped: AbortSignal;
  readonly isGivenUp: AbortSignal;
  readonly forget: () => void;
} {
  const [stop, giveUp] = [new AbortController(), new AbortController()];
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;
  const forget = (): void => {
    for (const signal of signals) process.off(signal, hear);
  };
  const hear = (signal: NodeJS.Signals): void => {
    const isLast = stop.signal.aborted || signal === 'SIGQUIT';
    if (isLast) giveUp.abort();
    stop.abort();
    // Last: the next signal may come at once, before this one is answered.
    if (isLast) forget();
  };
  for (const signal of signals) process.on(signal, hear);
  return { isStopped: stop.signal, isGivenUp: giveUp.signal, forget };
}
