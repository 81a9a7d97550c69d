import { canRun } from '../run/can-run.ts';
import { npmScripts, pickTarget } from '../run/targets.ts';
import { showFailure } from '../ui/show-failure.ts';
import type { CommandHost } from './command-host.ts';

export async function profileScript({ services, runs }: CommandHost): Promise<void> {
  if (!(await canRun(services))) return;
  const found = await npmScripts(runs.remembered);
  if (found.type === 'none') return showFailure(found.message, services.log);
  const target = await pickTarget(found.targets, true);
  if (target !== undefined) await runs.start(target);
}
