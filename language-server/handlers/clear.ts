import type { Session } from '../recordings/session.ts';
import type { Call } from '../server.ts';
import { refreshLenses } from './refresh-lenses.ts';

/** Open flamegraphs keep their recordings. */
export async function clear({ recordings }: Session, _: null, { connection }: Call): Promise<null> {
  recordings.forgetAnnotated();
  refreshLenses(connection);
  return null;
}
