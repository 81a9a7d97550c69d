import type { ProfilePart } from './join-parts.ts';
import type { TieredSamples } from './tiered-samples.ts';

/**
 * What the log of an isolate tells beyond its stream; null of a profile. `numbers`: node of the stream's tree per node of
 * the log's. An isolate has one log: V8 does not rotate it.
 */
export function joinTiers(
  { profile, frames }: ProfilePart,
  numbers: Int32Array,
  functionOfFrame: Int32Array,
): TieredSamples | null {
  if (profile.tiered === undefined) return null;
  const { states, code, ...nodeTiers } = profile.tiered;
  const frame = profile.frame.map((local) => frames[local] ?? -1);
  const global = <Event extends { readonly frame: number }>(event: Event): Event => ({
    ...event,
    frame: frames[event.frame] ?? -1,
  });
  return {
    tree: {
      size: profile.parent.length,
      parent: profile.parent,
      callNode: numbers,
      functionId: frame.map((number) => functionOfFrame[number] ?? -1),
      frame,
      ...nodeTiers,
    },
    nodes: profile.nodes.slice(), // The stream's own nodes take the place of these.
    states,
    code: { compiled: code.compiled.map(global), deopts: code.deopts.map(global) },
  };
}
