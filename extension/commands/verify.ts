import { window } from 'vscode';
import { escapeNotification } from '../../words/formats/escape-markdown.ts';
import { canRun } from '../run/can-run.ts';
import { recheck, setBaseline } from '../run/verify.ts';
import { inLog, showFailure } from '../ui/failures.ts';
import { type CommandHost, functionReferenceOf } from './command-arguments.ts';

/** Says whether a change of one function has helped: from a lens, a hover, the tree, or `more…`. */
export async function recheckFunction({ context, services }: CommandHost, argument: unknown): Promise<void> {
  const reference = functionReferenceOf(argument);
  if (reference === null || !(await canRun(services))) return;
  await saying(services.log, async () => recheck(services, cliIn(context), reference));
}

/** Keeps today's sources and figures, so that later changes can be re-checked against them. */
export async function setBaselineHere({ context, services }: CommandHost): Promise<void> {
  const { summary } = services.results;
  if (summary === null) return showFailure('There is no recording yet: run Profile Tests first.', services.log);
  if (!(await canRun(services))) return;
  await saying(services.log, async () => setBaseline(services, cliIn(context), summary.recording));
}

function cliIn(context: CommandHost['context']): string {
  return context.asAbsolutePath('dist/cli.cjs');
}

/** Shows the answer of a task, or why there is none. */
async function saying(log: CommandHost['services']['log'], task: () => Promise<string | null>): Promise<void> {
  try {
    const answer = await task();
    if (answer !== null) inLog(window.showInformationMessage(escapeNotification(answer)), log);
  } catch (error) {
    await showFailure(error instanceof Error ? error.message : String(error), log);
  }
}
