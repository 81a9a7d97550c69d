import path from 'node:path';
import { attach } from '../../recorder/launch/attach.ts';
import type { AttachArguments } from '../record-arguments.ts';
import { plainText } from '../plain-text.ts';
import type { Output } from '../terminal.ts';
import { type Ending, listHotspots, sayLosses, type Surroundings } from './record.ts';

/** Records a process that runs already, until Ctrl+C, then lists on `err` what blocked. */
export async function attachCommand(
  options: AttachArguments,
  err: Output,
  { cwd, version }: Surroundings,
): Promise<Ending> {
  const say = (sentence: string): void => err.write(`hotspan: ${plainText(sentence)}\n`);
  const [stop, giveUp] = [new AbortController(), new AbortController()];
  // The first signal stops, the second does not wait for what the process still has to tell; a third one kills us.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => {
      stop.abort();
      process.once(signal, () => giveUp.abort());
    });
  if (!options.quiet) for (const note of options.notes) say(note);
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
    isStopped: stop.signal,
    isGivenUp: giveUp.signal,
  });
  if (outcome.type === 'failed') {
    say(outcome.message);
    return { type: 'code', code: 2 };
  }
  await (options.quiet ? sayLosses(outcome.directory, say) : listHotspots(outcome.directory, err, cwd, say));
  return { type: 'code', code: 0 };
}
