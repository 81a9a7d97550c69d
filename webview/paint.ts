import { type FlameFrame, type FrameCategory, tierOf } from '../protocol/flame.ts';
import type { FlameColors } from '../protocol/webview.ts';
import { groupOf } from './categories.ts';
import { tierText } from './tiers.ts';
import type { V8Tier } from '../protocol/v8-tiers.ts';

/** A colour with its pattern, which the style sheet has under `data-category` or `data-tier`. */
export type Paint =
  | { readonly kind: 'category'; readonly key: FrameCategory }
  | { readonly kind: 'tier'; readonly key: V8Tier };

export function paintOf({ category, tiers }: FlameFrame, colors: FlameColors): Paint {
  return colors === 'tier' ? { kind: 'tier', key: tierOf(tiers) } : { kind: 'category', key: groupOf(category).key };
}

/** What the paint says about a frame: `Your code`, `TurboFan, inlined`. */
export function paintText(frame: FlameFrame, colors: FlameColors): string {
  return colors === 'tier' ? tierText(frame) : groupOf(frame.category).label;
}
