import { findSources } from '../../engine/read/recording-files/find-sources.ts';
import { diskWorld } from '../../recordings/disk-world.ts';

/** Says which processes were not recorded, or not to their end. Nothing is analysed, and mostly there is nothing to say. */
export async function sayLosses(directory: string, say: (sentence: string) => void): Promise<null> {
  const found = await findSources([directory], diskWorld);
  if (found.type === 'found' && found.sources.losses.length === 0) return null;
  const [{ describeFailure }, { warningText }] = await Promise.all([
    import('../../words/failures.ts'),
    import('../../words/warnings/warning-text.ts'),
  ]);
  if (found.type === 'failed') say(describeFailure(found.failure));
  else for (const loss of found.sources.losses) say(warningText(loss));
  return null;
}
