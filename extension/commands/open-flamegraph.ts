import { window } from 'vscode';
import { type FunctionReference, functionReferenceOf } from './function-reference.ts';
import type { CommandHost } from './command-host.ts';

/** The whole recording; at its worst function, which is what the person has just read of. */
export async function openFlamegraph({ services, flamegraph }: CommandHost): Promise<void> {
  const summary = services.results.summary;
  if (summary === null) {
    void window.showInformationMessage('There is no recording yet: run Profile Tests, or open a profile.');
    return;
  }
  await flamegraph.open(summary.recording);
}

/** From a lens, a hover or a tree row: the flamegraph at that function. */
export async function openFunction({ flamegraph }: CommandHost, argument: unknown): Promise<void> {
  const reference = functionReferenceOf(argument);
  if (reference !== null) await openAt(flamegraph, reference, false);
}

/** The same for the operation alone in which the function held the loop longest. */
export async function openWorst({ flamegraph }: CommandHost, argument: unknown): Promise<void> {
  const reference = functionReferenceOf(argument);
  if (reference !== null) await openAt(flamegraph, reference, true);
}

async function openAt(
  flamegraph: CommandHost['flamegraph'],
  { recording, functionId }: FunctionReference,
  alone: boolean,
): Promise<void> {
  await flamegraph.open(recording, { functionId, alone });
}
