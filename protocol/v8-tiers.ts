/**
 * V8's interpreter and compilers, from the least to the most optimized, as on screen. `unknown`: native code,
 * collections, and code in no log.
 */
export const v8Tiers = ['ignition', 'sparkplug', 'maglev', 'turbofan', 'unknown'] as const;
export type V8Tier = (typeof v8Tiers)[number];

/** As in V8 and 0x: Sparkplug compiles without optimizing. */
export const optimizedTiers = ['maglev', 'turbofan'] as const satisfies readonly V8Tier[];
export const notOptimizedTiers = ['ignition', 'sparkplug'] as const satisfies readonly V8Tier[];

export function byTier<Value>(valueOf: (tier: V8Tier) => Value): Readonly<Record<V8Tier, Value>> {
  return {
    ignition: valueOf('ignition'),
    sparkplug: valueOf('sparkplug'),
    maglev: valueOf('maglev'),
    turbofan: valueOf('turbofan'),
    unknown: valueOf('unknown'),
  };
}
