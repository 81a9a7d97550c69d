import { settings } from '../../protocol/ids.ts';
import { displayOptions, writeSetting } from '../ui/settings.ts';

/** Between the longest time in one go and all the time together. */
export async function toggleMetric(): Promise<void> {
  await writeSetting(settings.metric, displayOptions().metric === 'worst' ? 'total' : 'worst');
}
