import type { Column1, Line1, Microseconds } from '../../../protocol/units.ts';
import type { V8Tier } from '../../../protocol/v8-tiers.ts';

export interface Tiers {
  /** The second run from which the tiers come; null where the recording itself has them. */
  readonly secondRun: SecondRun | null;
  /** Tiers by function id. Functions that were on top of no tick in JavaScript are missing. */
  readonly functions: ReadonlyMap<number, FunctionTiers>;
}

/** A recording of tiers of the same target, made before or after the profile. */
export interface SecondRun {
  /** Absolute path of its folder. */
  readonly path: string;
  /** Start as ISO 8601; null where it does not say. */
  readonly startedAt: string | null;
  /** Version of Node.js, if the profile ran on another one, because another V8 optimizes differently; else null. */
  readonly otherNode: string | null;
  /** Absolute paths of files that changed since the first of the two runs began, own files first; without tiers. */
  readonly changedFiles: readonly string[];
}

/** Figures of one function over all isolates. Source: docs/definition.md, V8 tiers. */
export interface FunctionTiers {
  /**
   * Time of ticks in VM state JS by tier of the innermost JavaScript frame, built-ins on top included. `unknown` is 0
   * where V8 logged the function.
   */
  readonly times: Readonly<Record<V8Tier, Microseconds>>;
  readonly ticks: number;
  /** Functions into which it was inlined, with that part of the time, most first. */
  readonly hosts: readonly Host[];
  readonly code: CodeHistory;
  /** Label of the enclosing function each of whose calls creates this one; null where that is not shown. */
  readonly madeIn: string | null;
}

export function timesByTier(timeOf: (tier: V8Tier) => Microseconds): FunctionTiers['times'] {
  const [unknown, ignition, sparkplug] = [timeOf('unknown'), timeOf('ignition'), timeOf('sparkplug')];
  return { unknown, ignition, sparkplug, maglev: timeOf('maglev'), turbofan: timeOf('turbofan') };
}

export interface Host {
  /** Function id; −1 where the profile does not have it (tiers of a second run). */
  readonly functionId: number;
  readonly time: Microseconds;
}

/** The code of a function that was compiled and thrown away, in the order of time. */
export interface CodeHistory {
  readonly compilations: readonly Compilation[];
  /** Deopts, without those that end no code: V8 also uses a deopt to leave a loop for better code of it. */
  readonly deopts: readonly FunctionDeopt[];
}

/** A compilation. `time` is on the clock of the samples, in µs. */
export interface Compilation {
  readonly time: Microseconds;
  readonly tier: V8Tier;
  /** True where the code was entered in the middle of a loop. Known from Node 26 on. */
  readonly osr: boolean;
}

export interface FunctionDeopt {
  readonly time: Microseconds;
  /** The tier of the code that was thrown away. */
  readonly tier: V8Tier;
  /** Kind as V8 writes it: `deopt-eager`, `deopt-lazy`, `dependency-change`. */
  readonly kind: string;
  /** Reason in V8's words, such as `wrong map`. */
  readonly reason: string;
  /** Place in the original, if a source map has it. It is in another function's text if that was inlined. */
  readonly place: CodePlace;
}

/** A place in code. Line and column count from 1; 0 where V8 does not say. */
export interface CodePlace {
  readonly url: string;
  readonly line: Line1;
  readonly column: Column1;
}
