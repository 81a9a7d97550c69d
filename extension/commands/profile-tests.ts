import { canRun } from '../run/can-run.ts';
import { pickTarget, testTargets } from '../run/targets.ts';
import { showFailure } from '../show-failure.ts';
import type { CommandHost } from './commands.ts';

/** Finds the tests, asks which where there are several (or `true` was given: the person wants to change), and runs them. */
export async function profileTests({ services, runs }: CommandHost, argument: unknown): Promise<void> {
  if (!(await canRun(services))) return;
  const found = await testTargets(runs.remembered);
  if (found.type === 'none') return showFailure(found.message, services.log);
  const target = await pickTarget(found.targets, argument === true);
  if (target !== undefined) await runs.start(target);
}
