import { type FlameFrame, tierOf } from '../protocol/flame.ts';
import type { FlameHighlight } from '../protocol/webview.ts';
import { share } from './share.ts';
import { type V8Tier, notOptimizedTiers, optimizedTiers, v8Tiers } from '../protocol/v8-tiers.ts';
import { v8TierNames } from '../words/formats/v8-tier-names.ts';

/** The name of a tier where it stands alone. */
export function tierLabel(tier: V8Tier): string {
  return tier === 'unknown' ? 'Unknown' : v8TierNames[tier];
}

const highlighted: Readonly<Record<FlameHighlight, readonly V8Tier[]>> = {
  none: [],
  optimized: optimizedTiers,
  notOptimized: notOptimizedTiers,
};

/** Whether a frame stands out. A merged frame counts by the tier that it was in most of the time. */
export function isHighlighted({ tiers }: FlameFrame, highlight: FlameHighlight): boolean {
  return highlighted[highlight].includes(tierOf(tiers));
}

/** A text such as `TurboFan, inlined`. */
export function tierText(frame: FlameFrame): string {
  const osr = mostly(frame, 'osr') ? ['entered in a loop'] : [];
  return [tierLabel(tierOf(frame.tiers)), ...(isInlined(frame) ? ['inlined'] : []), ...osr].join(', ');
}

/** A text such as `Ignition 20 % · TurboFan 80 %`; null where there is only one tier. */
export function tierSplit({ tiers, value }: FlameFrame): string | null {
  if (tiers === undefined) return null;
  const parts = v8Tiers
    .filter((tier) => tiers[tier] > 0)
    .map((tier) => `${tierLabel(tier)} ${share(tiers[tier], value)}`);
  return parts.length < 2 ? null : parts.join(' · ');
}

/** Whether the frame was inlined most of the time. */
export function isInlined(frame: FlameFrame): boolean {
  return mostly(frame, 'inlined');
}

function mostly({ tiers, value }: FlameFrame, mark: 'inlined' | 'osr'): boolean {
  return tiers !== undefined && tiers[mark] * 2 > value;
}
