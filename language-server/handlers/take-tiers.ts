import type { Session } from '../recordings/session.ts';
import type { Call } from '../server.ts';
import { refreshLenses } from './refresh-lenses.ts';

/** A recording of tiers has arrived: the profile on screen shows them now. */
export async function takeTiers({ recordings }: Session, _: null, { connection }: Call): Promise<null> {
  await recordings.takeTiers();
  refreshLenses(connection);
  return null;
}
