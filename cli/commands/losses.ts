import { findSources } from '../../engine/recording-files/find-sources.ts';
import { diskWorld } from '../../recordings/disk-world.ts';
import { describeFailure } from '../../words/failures.ts';
import { warningText } from '../../words/warnings/warning-text.ts';

/** Says which processes were not recorded, or not to their end. Nothing is analysed. */
export async function sayLosses(directory: string, say: (sentence: string) => void): Promise<null> {
  const found = await findSources([directory], diskWorld);
  if (found.type === 'failed') say(describeFailure(found.failure));
  else for (const loss of found.sources.losses) say(warningText(loss));
  return null;
}
