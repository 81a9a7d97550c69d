import { type FlameFrame, type FlameTier, tierOf } from '../protocol/flame.ts';
import type { FlameHighlight } from '../protocol/webview.ts';
import { share } from './share.ts';

export const tierLabels: Readonly<Record<FlameTier, string>> = {
  ignition: 'Ignition',
  sparkplug: 'Sparkplug',
  maglev: 'Maglev',
  turbofan: 'TurboFan',
  unknown: 'Unknown',
};

/** The tiers that count as optimized, as in V8 and 0x: Sparkplug compiles without optimizing. */
const highlighted: Readonly<Record<FlameHighlight, readonly FlameTier[]>> = {
  none: [],
  optimized: ['maglev', 'turbofan'],
  notOptimized: ['ignition', 'sparkplug'],
};

/** Whether a frame stands out. A merged frame counts by the tier that it was in most of the time. */
export function isHighlighted({ tiers }: FlameFrame, highlight: FlameHighlight): boolean {
  return highlighted[highlight].includes(tierOf(tiers));
}

/** A text such as `TurboFan, inlined`. */
export function tierText(frame: FlameFrame): string {
  const osr = mostly(frame, 'osr') ? ['entered in a loop'] : [];
  return [tierLabels[tierOf(frame.tiers)], ...(isInlined(frame) ? ['inlined'] : []), ...osr].join(', ');
}

/** A text such as `Ignition 20 % · TurboFan 80 %`; null where there is only one tier. */
export function tierSplit({ tiers, value }: FlameFrame): string | null {
  if (tiers === undefined) return null;
  const parts = (['ignition', 'sparkplug', 'maglev', 'turbofan', 'unknown'] as const)
    .filter((tier) => tiers[tier] > 0)
    .map((tier) => `${tierLabels[tier]} ${share(tiers[tier], value)}`);
  return parts.length < 2 ? null : parts.join(' · ');
}

/** Whether the frame was inlined most of the time. */
export function isInlined(frame: FlameFrame): boolean {
  return mostly(frame, 'inlined');
}

function mostly({ tiers, value }: FlameFrame, mark: 'inlined' | 'osr'): boolean {
  return tiers !== undefined && tiers[mark] * 2 > value;
}
