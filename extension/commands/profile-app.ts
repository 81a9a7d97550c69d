import { inEnvironment, setsEnvironment } from '../../recorder/launch/targets/app-targets.ts';
import { environmentOfApps } from '../run/app-environment.ts';
import { canRun } from '../run/can-run.ts';
import { pickApp } from '../run/pick-app.ts';
import { showFailure } from '../ui/show-failure.ts';
import type { CommandHost } from './command-host.ts';

/** Runs an app, until it is stopped, in development or in production: asked once. */
export async function profileApp({ context, services, runs }: CommandHost): Promise<void> {
  if (!(await canRun(services))) return;
  const choice = await pickApp(runs.remembered, context.workspaceState);
  if (choice.type === 'none') return showFailure(choice.message, services.log);
  if (choice.type === 'dismissed') return;
  const { target } = choice;
  const environment = setsEnvironment(target) ? 'production' : await environmentOfApps(context.workspaceState);
  if (environment !== undefined) await runs.start(inEnvironment(target, environment));
}
