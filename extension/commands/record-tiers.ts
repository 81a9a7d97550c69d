import { canRun } from '../run/can-run.ts';
import { pickTarget, testTargets } from '../run/targets.ts';
import { showFailure } from '../ui/show-failure.ts';
import type { CommandHost } from './command-host.ts';

/** What was profiled last, once more, for V8's tiers; the first time, whatever tests there are. */
export async function recordTiers({ services, runs }: CommandHost): Promise<void> {
  if (!(await canRun(services))) return;
  const last = runs.lastTarget;
  if (last !== undefined && last.kind !== 'process') return runs.start(last, 'tiers');
  const found = await testTargets(runs.remembered);
  if (found.type === 'none') return showFailure(found.message, services.log);
  const target = await pickTarget(found.targets, false);
  if (target !== undefined) await runs.start(target, 'tiers');
}
