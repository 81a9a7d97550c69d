import type { V8Tier } from '../../protocol/v8-tiers.ts';

export const v8TierNames: Readonly<Record<V8Tier, string>> = {
  ignition: 'Ignition',
  sparkplug: 'Sparkplug',
  maglev: 'Maglev',
  turbofan: 'TurboFan',
  unknown: 'Unknown',
};
