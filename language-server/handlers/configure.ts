import type { DisplayOptions } from '../../protocol/requests.ts';
import type { Session } from '../recordings/session.ts';
import type { Call } from '../server.ts';
import { refreshLenses } from './refresh-lenses.ts';

/** What is shown first, and whether lenses are: nothing is read again. */
export async function configure(session: Session, display: DisplayOptions, { connection }: Call): Promise<null> {
  session.changeDisplay(display);
  refreshLenses(connection);
  return null;
}
