import { recordUnderLoad } from '../../recorder/launch/load/record-under-load.ts';
import type { RecordOptions } from '../../recorder/launch/run/record.ts';
import { loadSentences } from '../../words/formats/load-texts.ts';
import type { LoadArguments } from '../arguments/load-arguments.ts';
import { type Ending, type Output, refuse, showProgress } from '../views/terminal.ts';
import { planLoad, progressAt } from './load-plan.ts';

/** Where a run under load reports. */
interface Reporting {
  readonly err: Output;
  readonly say: (sentence: string) => void;
  /** Shows what a recording has. */
  readonly show: (directory: string) => Promise<unknown>;
}

/** Records a server under load, and stops it then, which is not a failure. */
export async function recordLoaded(
  run: RecordOptions,
  load: LoadArguments,
  { err, say, show }: Reporting,
): Promise<Ending> {
  const fail = (message: string): Ending => ({ type: 'code', code: refuse(err, message) });
  const plan = await planLoad(load, run, say, { onProgress: progressAt(err) });
  if ('message' in plan) return fail(plan.message);
  const result = await recordUnderLoad(run, plan);
  showProgress(err, '');
  if (result.type === 'interrupted') return { type: 'signal', signal: result.signal };
  if (result.type === 'failed') return fail(result.message);
  const { outcome, load: sent, message } = result;
  if (outcome.type !== 'ended') return fail(outcome.message);
  if (outcome.unfinished !== null) err.say(outcome.unfinished);
  await show(outcome.directory);
  if (sent === null) return fail(message ?? 'The load was not sent: the command was stopped before.');
  for (const sentence of loadSentences(sent)) say(sentence);
  return { type: 'code', code: 0 };
}
