import { window } from 'vscode';
import { settings } from '../../protocol/ids.ts';
import { toMilliseconds } from '../../protocol/units.ts';
import { analysisOptions, writeSetting } from '../ui/settings.ts';
import { lowerThresholds } from './lower-thresholds.ts';
import type { CommandHost } from './command-host.ts';

/** Offers lower thresholds, the first of them one that shows something. */
export async function lowerThreshold({ services }: CommandHost): Promise<void> {
  const now = toMilliseconds(analysisOptions().thresholdUs);
  const longest = services.results.summary?.longest;
  const values = lowerThresholds(now, longest ? toMilliseconds(longest.us) : null);
  const items = values.map((value) => ({ label: `${value} ms`, value }));
  const choice = await window.showQuickPick(items, {
    placeHolder: `Show what blocks for more than … (now ${now} ms)`,
  });
  if (choice !== undefined) await writeSetting(settings.threshold, choice.value);
}
