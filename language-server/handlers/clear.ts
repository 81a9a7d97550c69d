import type { Session } from '../recordings/session.ts';
import type { Call } from '../server.ts';
import { refreshLenses } from './refresh-lenses.ts';

export async function clear({ recordings }: Session, _: null, { connection }: Call): Promise<null> {
  recordings.clear();
  refreshLenses(connection);
  return null;
}
