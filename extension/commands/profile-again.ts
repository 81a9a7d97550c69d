import type { CommandHost } from './commands.ts';
import { profileTests } from './profile-tests.ts';

/** The last target; the first time, whatever tests there are. */
export async function profileAgain(host: CommandHost): Promise<void> {
  const last = host.runs.lastTarget;
  if (last === undefined) return profileTests(host, undefined);
  return host.runs.start(last);
}
